import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { startSimulator } from "../../../simulator/start-simulator.ts";
import { type Billed, costUsd } from "../../bench/cost/prices.ts";
import { perfectPoolMs } from "../../bench/support/perfect-pool.ts";
import { numberedSamples } from "../../faults/support/numbered-samples.ts";
import type { Cloud } from "../cloud/cloud.ts";
import { type Conditions, replyOf } from "../cloud/data-plane.ts";
import { limitsOf, type Usage } from "../cloud/limits.ts";
import { bearer, type Findings, NAME, onDeployed, page, type Scene } from "./scene.ts";

/** A database in another part of the continent, and consumers that are added one by one. */
const usual: Conditions = { distances: { d1: 60, r2: 50, queues: 20 }, growth: 1, doubled: 0.01 };
const HOST = "https://models.assay-rehearsal.com/v1";
/** USD per million samples that no model judges, at most. */
const USD_A_MILLION = 3;
const TIMEOUT_MS = 120_000;
/** As often as the command line asks for a run's state. */
const POLL_MS = 2_000;
/** A run is published within this after its end. */
const PUBLISHED_MS = 5_000;
/** USD per million log events, of which an invocation is one (developers.cloudflare.com, workers/platform/pricing). */
const USD_A_MILLION_EVENTS = 0.6;
/** A message is written, read and deleted. */
const OPERATIONS_A_MESSAGE = 3;

interface Load {
  samples: number;
  /** Of every answer, ms. */
  latencyMs: number;
  /** Requests at once. */
  atOnce: number;
  /** Wall time by that of a pool without any overhead, at most; null: too short to say anything. */
  atMost: number | null;
}

/** When a request reached the endpoint, and when its reply had left, Unix ms. */
interface Asked {
  from: number;
  to: number;
}

interface LoadScene extends Pick<Scene, "name" | "isWaiting"> {
  loads: readonly Load[];
}

const slowLoads: readonly Load[] = [
  { samples: 1_200, latencyMs: 10_000, atOnce: 60, atMost: 1.35 },
  { samples: 1_200, latencyMs: 30_000, atOnce: 60, atMost: 1.35 },
  { samples: 1_200, latencyMs: 60_000, atOnce: 120, atMost: 1.35 },
  { samples: 10_000, latencyMs: 10_000, atOnce: 200, atMost: 1.35 },
  { samples: 10_000, latencyMs: 30_000, atOnce: 200, atMost: 1.35 },
];

const scenes: readonly LoadScene[] = [
  {
    name: "runs at a slow endpoint, D1 at 60 ms, one consumer more after a batch",
    loads: [
      { samples: 1_200, latencyMs: 500, atOnce: 60, atMost: 1.35 },
      { samples: 10_000, latencyMs: 500, atOnce: 60, atMost: 1.1 },
    ],
  },
  {
    name: "runs at endpoints that answer at once and in two seconds",
    loads: [
      { samples: 1_200, latencyMs: 0, atOnce: 60, atMost: null },
      { samples: 1_200, latencyMs: 2_000, atOnce: 60, atMost: 1.35 },
    ],
  },
  ...slowLoads.map((load): LoadScene => ({ name: nameOf(load), isWaiting: true, loads: [load] })),
];

function nameOf({ samples, latencyMs }: Load): string {
  return `${samples.toLocaleString("en")} samples at ${latencyMs / 1_000} s`;
}

const submittedSchema = z.object({ runs: z.array(z.object({ id: z.string() })).min(1) });
const runSchema = z.object({
  status: z.string(),
  finishedAt: z.string().nullish(),
  metrics: z.object({ eqs: z.object({ value: z.number(), n: z.number() }) }).nullish(),
});

/** Whole runs at an endpoint that takes its time, within all limits. */
export const loadScenes: readonly Scene[] = scenes.map(({ loads, ...scene }) => ({
  ...scene,
  isQuick: false,
  play: () =>
    onDeployed({ conditions: usual }, async (cloud, findings) => {
      for (const load of loads) await underLoad(cloud, load, findings);
    }),
}));

async function underLoad(cloud: Cloud, load: Load, findings: Findings) {
  const { samples, latencyMs, atOnce, atMost } = load;
  const rows = numberedSamples(samples, 2_000);
  const simulator = await startSimulator({ datasets: [rows] });
  const asked: Asked[] = [];
  cloud.workers.outside = async (request) => {
    const one = { from: Date.now(), to: 0 };
    asked.push(one);
    const url = request.url.replace("https://models.assay-rehearsal.com", simulator.url);
    const init = { method: request.method, headers: request.headers, body: await request.text() };
    const reply = await fetch(url, init);
    const end = new TransformStream({
      flush() {
        one.to = Date.now();
      },
    });
    return replyOf(new Response(reply.body!.pipeThrough(end), reply));
  };
  try {
    const dataset = `load-${samples}-${latencyMs}`;
    const jsonl = rows.map((row) => JSON.stringify(row)).join("\n");
    const uploaded = await page(cloud, `/v1/datasets?suite=extraction&name=${dataset}`, {
      method: "POST",
      headers: { ...bearer, "content-type": "application/jsonl" },
      body: jsonl,
    });
    if (uploaded.status >= 300) throw new Error(uploaded.text.slice(0, 900));
    const before = askedSoFar(cloud);
    const begun = Date.now();
    const run = await ranOf(cloud, { dataset, atOnce, model: `sim-perfect?latency=${latencyMs}` });
    const wallMs = Date.parse(run.finishedAt ?? "") - begun;
    // As long as they took: on a busy machine, the endpoint takes longer than it was told to.
    const took = asked.map(({ from, to }) => to - from);
    const least = perfectPoolMs(took, atOnce);
    const firstMs = Math.min(...asked.map(({ from }) => from)) - begun;
    const lastMs = Math.max(...asked.map(({ to }) => to)) - begun;
    const meanMs = took.reduce((sum, ms) => sum + ms, 0) / took.length;
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
    await setTimeout(PUBLISHED_MS);
    const usage = cloud.workers.usage.slice(before.invocations);
    const what = nameOf(load);
    findings.add(`${what}: finished, with a score of every sample`, () =>
      run.metrics?.eqs.n === samples ? undefined : JSON.stringify(run.metrics?.eqs ?? run.status),
    );
    if (atMost !== null) {
      findings.add(
        `${what}: ${(wallMs / least).toFixed(2)} × a perfect pool of ${atOnce} (at most ${atMost}): ${seconds(wallMs)} instead of ${seconds(least)}, of which ${seconds(firstMs)} before the first request and ${seconds(wallMs - lastMs)} after the last, ${Math.round(meanMs)} ms each`,
        () => (wallMs / least <= atMost ? undefined : "more"),
      );
    }
    const perSample = (messagesOf(cloud) - before.laneMessages) / samples;
    findings.add(`${what}: ${perSample.toFixed(3)} messages a sample (at most 0.05)`, () =>
      perSample <= 0.05 ? undefined : perSample.toFixed(3),
    );
    const usd = (usdOf(usage, before, cloud) / samples) * 1e6;
    findings.add(`${what}: $${usd.toFixed(2)} a million samples (at most $${USD_A_MILLION})`, () =>
      usd <= USD_A_MILLION ? undefined : JSON.stringify(billedOf(usage, before, cloud)),
    );
    for (const { limit, most, of } of nearness(usage)) {
      findings.add(
        `${what}: ${limit}: ${most.toLocaleString("en")} of ${of.toLocaleString("en")}`,
        () => (most <= of ? undefined : `${most}`),
      );
    }
    const refused = usage.flatMap((one) => one.refused);
    findings.add(`${what}: no call was refused`, () => refused[0]);
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
  const submitted = await page(cloud, "/v1/submissions", {
    method: "POST",
    headers: { ...bearer, "content-type": "application/json" },
    body: JSON.stringify({
      suite: "extraction",
      dataset,
      options: { concurrency: atOnce, timeoutMs: TIMEOUT_MS },
      models: [{ name: slug, slug, simulated: true, endpoint }],
    }),
  });
  const read = submittedSchema.safeParse(JSON.parse(submitted.text));
  if (!read.success) throw new Error(submitted.text.slice(0, 900));
  for (;;) {
    await setTimeout(POLL_MS);
    const run = await page(cloud, `/v1/runs/${read.data.runs[0]!.id}`, { headers: bearer });
    const { status, ...its } = runSchema.parse(JSON.parse(run.text));
    if (status === "finished") return { status, ...its };
    if (status === "failed" || status === "cancelled") throw new Error(run.text.slice(0, 900));
  }
}

const messagesTo = ({ workers }: Cloud, queues: string): number =>
  [...workers.queues.delivered].reduce(
    (sum, [name, count]) => sum + (name.startsWith(queues) ? count : 0),
    0,
  );

/** Messages that started lanes. */
export const messagesOf = (cloud: Cloud): number => messagesTo(cloud, `${NAME}-evaluate`);

const askedSoFar = (cloud: Cloud) => ({
  invocations: cloud.workers.usage.length,
  messages: messagesTo(cloud, NAME),
  laneMessages: messagesOf(cloud),
  logLines: cloud.workers.log.length,
});
type AskedSoFar = ReturnType<typeof askedSoFar>;

/**
 * What is billed: the lanes, the requests that asked for the run's state, its submission, summary and publication. CPU time is
 * that of the whole runtime with its databases, so an upper bound.
 */
function billedOf(usage: readonly Usage[], before: AskedSoFar, cloud: Cloud): Billed {
  const sum = (of: (one: Usage) => number) => usage.reduce((all, one) => all + of(one), 0);
  return {
    invocations: usage.length,
    cpuMs: sum((one) => one.cpuMs ?? 0),
    d1RowsRead: sum((one) => one.d1RowsRead),
    d1RowsWritten: sum((one) => one.d1RowsWritten),
    queueOperations: OPERATIONS_A_MESSAGE * (messagesTo(cloud, NAME) - before.messages),
    r2ClassA: sum((one) => one.r2Writes + one.r2Lists),
    r2ClassB: sum((one) => one.r2Reads),
  };
}

function usdOf(usage: readonly Usage[], before: AskedSoFar, cloud: Cloud): number {
  const events = usage.length + cloud.workers.log.length - before.logLines;
  return costUsd(billedOf(usage, before, cloud)) + (events * USD_A_MILLION_EVENTS) / 1e6;
}

/** How near the product came to each limit, in any invocation. */
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
