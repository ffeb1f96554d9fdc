import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { startSimulator } from "../../../simulator/start-simulator.ts";
import { costUsd } from "../../bench/cost/prices.ts";
import { perfectPoolMs } from "../../bench/support/perfect-pool.ts";
import { numberedSamples } from "../../faults/support/numbered-samples.ts";
import type { Cloud } from "../cloud/cloud.ts";
import { type Conditions, far, replyOf } from "../cloud/data-plane.ts";
import { limitsOf, type Usage } from "../cloud/limits.ts";
import { askedSince, askedSoFar, messagesOf, perSample, publishedMs } from "./billing.ts";
import { HOST, submittedIn, uploadRows } from "./runs.ts";
import { bearer, type Findings, onDeployed, page, type Scene } from "./scene.ts";

/** Maximum USD per million samples without judges, and messages per sample, at endpoints that take up to 30 s. */
const USD_A_MILLION = 3;
const MESSAGES = 0.05;
const BOUNDED_MS = 30_000;
const TIMEOUT_MS = 120_000;
/** Interval of polls unless the service requests a longer one, like the command line's. */
const POLL_MS = 2_000;
interface Load {
  samples: number;
  /** Latency of every answer, ms. */
  latencyMs: number;
  /** Requests in flight. */
  atOnce: number;
  /** Maximum wall time as a multiple of that of a pool without overhead; null: too short to be meaningful. */
  atMost: number | null;
  /** The endpoint does not stream. */
  isWhole?: true;
}

/** Round-trip time of the database, ms, and additional consumers after each batch. */
interface Platform {
  d1: number;
  growth: number;
}

/** Times of a request's arrival at the endpoint and of the end of its reply, Unix ms. */
interface Asked {
  from: number;
  to: number;
  isStreamed: boolean;
}

interface LoadScene extends Pick<Scene, "name" | "plays"> {
  /** Default: that of `far`. */
  platform?: Platform;
  loads: readonly Load[];
}

const slowLoads: readonly Load[] = [
  { samples: 10_000, latencyMs: 30_000, atOnce: 200, atMost: 1.35 },
  { samples: 1_200, latencyMs: 30_000, atOnce: 60, atMost: 1.35 },
  { samples: 1_200, latencyMs: 60_000, atOnce: 120, atMost: 1.35 },
  { samples: 10_000, latencyMs: 10_000, atOnce: 200, atMost: 1.35 },
  { samples: 1_200, latencyMs: 10_000, atOnce: 60, atMost: 1.35 },
  { samples: 1_200, latencyMs: 10_000, atOnce: 60, atMost: 1.35, isWhole: true },
  { samples: 1_200, latencyMs: 30_000, atOnce: 60, atMost: 1.35, isWhole: true },
  { samples: 1_200, latencyMs: 60_000, atOnce: 120, atMost: 1.35, isWhole: true },
];

const platforms: readonly Platform[] = [
  { d1: 20, growth: 1 },
  { d1: 150, growth: 1 },
  { d1: 60, growth: 2 },
  { d1: 60, growth: 5 },
];

const scenes: readonly LoadScene[] = [
  {
    name: "runs at a slow endpoint, D1 at 60 ms, one more consumer after a batch",
    plays: "alone",
    loads: [
      { samples: 1_200, latencyMs: 500, atOnce: 60, atMost: 1.35 },
      { samples: 10_000, latencyMs: 500, atOnce: 60, atMost: 1.1 },
    ],
  },
  {
    name: "runs at endpoints that answer at once and in two seconds",
    plays: "first",
    loads: [
      { samples: 1_200, latencyMs: 0, atOnce: 60, atMost: null },
      { samples: 1_200, latencyMs: 2_000, atOnce: 60, atMost: 1.35 },
      { samples: 1_200, latencyMs: 0, atOnce: 60, atMost: null, isWhole: true },
      { samples: 1_200, latencyMs: 500, atOnce: 60, atMost: null, isWhole: true },
      { samples: 1_200, latencyMs: 2_000, atOnce: 60, atMost: 1.35, isWhole: true },
    ],
  },
  ...platforms.map(
    (platform): LoadScene => ({
      name: `1,200 samples at 0.5 s, ${
        platform.growth === 1
          ? `D1 at ${platform.d1} ms`
          : `${platform.growth} more consumers after a batch`
      }`,
      plays: "singly",
      platform,
      loads: [
        { samples: 1_200, latencyMs: 500, atOnce: 60, atMost: platform.d1 > 60 ? 1.6 : 1.35 },
      ],
    }),
  ),
  ...slowLoads.map((load): LoadScene => {
    const isLongest = load.samples * load.latencyMs >= 300_000_000;
    return { name: nameOf(load), plays: isLongest ? "throughout" : "first", loads: [load] };
  }),
];

function nameOf({ samples, latencyMs, isWhole }: Load): string {
  const not = isWhole ? ", not streamed" : "";
  return `${samples.toLocaleString("en")} samples at ${latencyMs / 1_000} s${not}`;
}

const runSchema = z.object({
  status: z.string(),
  finishedAt: z.string().nullish(),
  metrics: z
    .object({
      eqs: z.object({ value: z.number(), n: z.number() }),
      latencyMean: z.object({ value: z.number() }),
    })
    .nullish(),
});

/** Complete runs at endpoints with latency, within all limits. */
export const loadScenes: readonly Scene[] = scenes.map(({ loads, platform, ...scene }) => ({
  ...scene,
  isQuick: false,
  play: () =>
    onDeployed({ conditions: conditionsOf(platform) }, async (cloud, findings) => {
      for (const load of loads) await underLoad(cloud, load, findings);
    }),
}));

const conditionsOf = (platform?: Platform): Conditions =>
  platform === undefined
    ? far
    : { ...far, growth: platform.growth, distances: { ...far.distances, d1: platform.d1 } };

async function underLoad(cloud: Cloud, load: Load, findings: Findings) {
  const { samples, latencyMs, atOnce, atMost } = load;
  const rows = numberedSamples(samples, 2_000);
  const simulator = await startSimulator({ datasets: [rows] });
  const asked: Asked[] = [];
  cloud.workers.outside = async (request) => {
    const one: Asked = { from: Date.now(), to: 0, isStreamed: false };
    asked.push(one);
    const url = request.url.replace("https://models.assay-rehearsal.com", simulator.url);
    const sent = await request.text();
    const body = load.isWhole ? sent.replace('"stream":true', '"stream":false') : sent;
    const headers = new Headers(request.headers);
    // The length may have changed.
    headers.delete("content-length");
    const reply = await fetch(url, { method: request.method, headers, body });
    one.isStreamed = reply.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    return replyOf(reply, () => {
      one.to = Date.now();
    });
  };
  try {
    const dataset = `load-${samples}-${latencyMs}${load.isWhole ? "-whole" : ""}`;
    await uploadRows(cloud, dataset, rows);
    const before = askedSoFar(cloud);
    const begun = Date.now();
    const run = await ranOf(cloud, { dataset, atOnce, model: `sim-perfect?latency=${latencyMs}` });
    const wallMs = Date.parse(run.finishedAt ?? "") - begun;
    // Latency measured by the Worker, because endpoint and network are slower than configured.
    const meanMs = run.metrics?.latencyMean.value ?? latencyMs;
    const ownMs = asked.reduce((sum, { from, to }) => sum + to - from, 0) / asked.length;
    const least = perfectPoolMs(Array<number>(samples).fill(meanMs), atOnce);
    const firstMs = Math.min(...asked.map(({ from }) => from)) - begun;
    const lastMs = Math.max(...asked.map(({ to }) => to)) - begun;
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
    await setTimeout(publishedMs);
    const usage = cloud.workers.usage.slice(before.invocations);
    const what = nameOf(load);
    findings.add(`${what}: finished, with the right score of every sample`, () =>
      run.metrics?.eqs.n === samples && run.metrics.eqs.value === 1
        ? undefined
        : JSON.stringify(run.metrics?.eqs ?? run.status),
    );
    if (atMost !== null) {
      findings.add(
        `${what}: ${(wallMs / least).toFixed(2)} × a perfect pool of ${atOnce} (at most ${atMost}): ${seconds(wallMs)} instead of ${seconds(least)}, of which ${seconds(firstMs)} before the first request and ${seconds(wallMs - lastMs)} after the last; ${Math.round(meanMs)} ms each as the Worker saw it, ${Math.round(ownMs)} by the endpoint's clock`,
        () => (wallMs / least <= atMost ? undefined : "more"),
      );
    }
    const held = usage.reduce(
      (sum, one) => sum + (one.of.includes("-evaluate") ? one.waitedMs : 0),
      0,
    );
    findings.add(`${what}: requests waited ${held.toFixed(0)} ms for a connection, in all`, () =>
      held < 0.001 * meanMs * samples ? undefined : "more",
    );
    const streamed = asked.filter(({ isStreamed }) => isStreamed).length / asked.length;
    findings.add(`${what}: ${(100 * streamed).toFixed(0)}% of the answers were streamed`, () =>
      (load.isWhole ? streamed === 0 : streamed > 0.99) ? undefined : "others",
    );
    const messages = messagesOf(cloud) - before.laneMessages;
    const each = (messages / samples).toFixed(3);
    const isBounded = latencyMs <= BOUNDED_MS;
    const most = (bound: string) => (isBounded ? ` (at most ${bound})` : "");
    findings.add(`${what}: ${each} messages a sample${most(`${MESSAGES}`)}`, () =>
      messages / samples <= MESSAGES || !isBounded ? undefined : each,
    );
    const eachAsked = perSample(askedSince(before, cloud), samples);
    const usd = costUsd(eachAsked) * 1e6;
    findings.add(`${what}: $${usd.toFixed(2)} a million samples${most(`$${USD_A_MILLION}`)}`, () =>
      usd <= USD_A_MILLION || !isBounded ? undefined : JSON.stringify(eachAsked),
    );
    const { distances, growth } = cloud.workers.conditions;
    findings.loads.push({
      d1Ms: Number(distances.d1),
      growth,
      samples,
      latencyMs,
      atOnce,
      isStreamed: !load.isWhole,
      judgeRequests: 0,
      wallMs,
      poolMs: atMost === null ? null : least,
      messages,
      asked: eachAsked,
      usd,
    });
    for (const { limit, most, of } of nearness(usage)) {
      findings.add(
        `${what}: ${limit}: ${most.toLocaleString("en")} of ${of.toLocaleString("en")}`,
        () => (most <= of ? undefined : `${most}`),
      );
    }
  } finally {
    await simulator.close();
  }
}

async function ranOf(
  cloud: Cloud,
  { dataset, atOnce, model }: { dataset: string; atOnce: number; model: string },
) {
  const endpoint = { baseUrl: HOST, model, apiKey: "any" };
  const slug = `rehearsal/${dataset}`;
  const run = await submittedIn(cloud, {
    suite: "extraction",
    dataset,
    options: { concurrency: atOnce, timeoutMs: TIMEOUT_MS },
    models: [{ name: slug, slug, simulated: true, endpoint }],
  });
  for (let pollMs = POLL_MS; ; ) {
    await setTimeout(pollMs);
    const { text, waitMs } = await page(cloud, `/v1/runs/${run}`, { headers: bearer });
    const { status, ...rest } = runSchema.parse(JSON.parse(text));
    if (status === "finished") return { status, ...rest };
    if (status === "failed" || status === "cancelled") throw new Error(text.slice(0, 900));
    pollMs = Math.max(POLL_MS, waitMs);
  }
}

/** The highest use of each limit by any invocation. */
function nearness(usage: readonly Usage[]) {
  const limits = limitsOf("paid");
  const most = (of: (one: Usage) => number) => Math.max(0, ...usage.map(of));
  return [
    {
      limit: "requests to other hosts in an invocation",
      most: most((one) => one.external),
      of: limits.subrequests,
    },
    {
      limit: "requests to services in an invocation",
      most: most((one) => one.internal),
      of: limits.internal,
    },
    {
      limit: "D1 queries in an invocation",
      most: most((one) => one.d1Queries),
      of: limits.d1Queries,
    },
    {
      limit: "bytes of a message",
      most: most((one) => one.largestMessageBytes),
      of: limits.messageBytes,
    },
    {
      limit: "bytes of a value in D1",
      most: most((one) => one.largestValueBytes),
      of: limits.d1ValueBytes,
    },
  ];
}
