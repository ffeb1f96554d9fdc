import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { startSimulator } from "../../../simulator/start-simulator.ts";
import { perfectPoolMs } from "../../bench/support/perfect-pool.ts";
import { numberedSamples } from "../../faults/support/numbered-samples.ts";
import type { Cloud } from "../cloud/cloud.ts";
import { type Conditions, replyOf } from "../cloud/data-plane.ts";
import { limitsOf, type Usage } from "../cloud/limits.ts";
import { bearer, type Findings, NAME, onDeployed, page, type Scene } from "./scene.ts";

/** A database in another part of the continent, and consumers that are added one by one. */
const usual: Conditions = { distances: { d1: 60, r2: 50, queues: 20 }, growth: 1, doubled: 0.01 };
const CONCURRENCY = 60;
const HOST = "https://models.assay-rehearsal.com/v1";

interface Load {
  samples: number;
  /** Of every answer, ms. */
  latencyMs: number;
  /** Wall time by that of a pool without any overhead, at most. */
  atMost: number;
}

const loads: readonly Load[] = [
  { samples: 1_200, latencyMs: 500, atMost: 1.35 },
  { samples: 10_000, latencyMs: 500, atMost: 1.1 },
];

const submittedSchema = z.object({ runs: z.array(z.object({ id: z.string() })).min(1) });
const runSchema = z.object({
  status: z.string(),
  finishedAt: z.string().nullish(),
  metrics: z.object({ eqs: z.object({ value: z.number(), n: z.number() }) }).nullish(),
});

/** Whole runs at an endpoint that takes its time, within all limits. */
export const loadScenes: readonly Scene[] = [
  {
    name: "runs at a slow endpoint, D1 at 60 ms, one consumer more after a batch",
    isQuick: false,
    play: () =>
      onDeployed({ conditions: usual }, async (cloud, findings) => {
        for (const load of loads) await underLoad(cloud, load, findings);
      }),
  },
];

async function underLoad(cloud: Cloud, { samples, latencyMs, atMost }: Load, findings: Findings) {
  const rows = numberedSamples(samples, 2_000);
  const simulator = await startSimulator({ datasets: [rows] });
  cloud.workers.outside = async (request) => {
    const url = request.url.replace("https://models.assay-rehearsal.com", simulator.url);
    const init = { method: request.method, headers: request.headers, body: await request.text() };
    return replyOf(await fetch(url, init));
  };
  try {
    const dataset = `load-${samples}`;
    const jsonl = rows.map((row) => JSON.stringify(row)).join("\n");
    const uploaded = await page(cloud, `/v1/datasets?suite=extraction&name=${dataset}`, {
      method: "POST",
      headers: { ...bearer, "content-type": "application/jsonl" },
      body: jsonl,
    });
    if (uploaded.status >= 300) throw new Error(uploaded.text.slice(0, 900));
    const before = { usage: cloud.workers.usage.length, messages: messagesOf(cloud) };
    const begun = Date.now();
    const run = await ranOf(cloud, dataset, `sim-perfect?latency=${latencyMs}`);
    const wallMs = Date.parse(run.finishedAt ?? "") - begun;
    const least = perfectPoolMs(
      Array.from({ length: samples }, () => latencyMs),
      CONCURRENCY,
    );
    const usage = cloud.workers.usage.slice(before.usage);
    const what = `${samples.toLocaleString("en")} samples at ${latencyMs} ms`;
    findings.add(`${what}: finished, with a score of every sample`, () =>
      run.metrics?.eqs.n === samples ? undefined : JSON.stringify(run.metrics?.eqs ?? run.status),
    );
    findings.add(
      `${what}: ${(wallMs / least).toFixed(2)} × a perfect pool of ${CONCURRENCY} (at most ${atMost})`,
      () => (wallMs / least <= atMost ? undefined : `${(wallMs / 1000).toFixed(1)} s`),
    );
    const perSample = (messagesOf(cloud) - before.messages) / samples;
    findings.add(`${what}: ${perSample.toFixed(3)} messages a sample (at most 0.05)`, () =>
      perSample <= 0.05 ? undefined : perSample.toFixed(3),
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

async function ranOf(cloud: Cloud, dataset: string, model: string) {
  const endpoint = { baseUrl: HOST, model, apiKey: "any" };
  const slug = `rehearsal/${dataset}`;
  const submitted = await page(cloud, "/v1/submissions", {
    method: "POST",
    headers: { ...bearer, "content-type": "application/json" },
    body: JSON.stringify({
      suite: "extraction",
      dataset,
      options: { concurrency: CONCURRENCY },
      models: [{ name: slug, slug, simulated: true, endpoint }],
    }),
  });
  const read = submittedSchema.safeParse(JSON.parse(submitted.text));
  if (!read.success) throw new Error(submitted.text.slice(0, 900));
  for (;;) {
    await setTimeout(1_000);
    const run = await page(cloud, `/v1/runs/${read.data.runs[0]!.id}`, { headers: bearer });
    const { status, ...its } = runSchema.parse(JSON.parse(run.text));
    if (status === "finished") return { status, ...its };
    if (status === "failed" || status === "cancelled") throw new Error(run.text.slice(0, 900));
  }
}

/** Messages that started lanes. */
export const messagesOf = (cloud: Cloud): number =>
  [...cloud.workers.queues.delivered].reduce(
    (sum, [name, count]) => sum + (name.startsWith(`${NAME}-evaluate`) ? count : 0),
    0,
  );

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
      limit: "connections that wait for headers",
      most: most((one) => one.connections),
      of: limits.connections,
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
