import { setTimeout } from "node:timers/promises";
import { simulatedJudges } from "../../../cli/local/local-judges.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import { startSimulator } from "../../../simulator/start-simulator.ts";
import { costUsd } from "../../bench/cost/prices.ts";
import type { Cloud } from "../cloud/cloud.ts";
import { far, replyOf } from "../cloud/data-plane.ts";
import { askedSince, askedSoFar, messagesOf, perSample, publishedMs } from "./billing.ts";
import { ended, HOST, submittedIn, withinLimits } from "./runs.ts";
import { equal, type Findings, NAME, onDeployed, type Scene } from "./scene.ts";

const { judges } = suiteById("memory")!.judging!;
const STOCK = 60;
const CONCURRENCY = 60;
const TIMEOUT_MS = 120_000;
/** Factor of the simulator's times, so that judges answer in about a second, like real ones. */
const JUDGE_SCALE = 4;

interface Judging {
  plan: "free" | "paid";
  /** Judges of each metric; empty: the deployment's. */
  panel: readonly string[];
  repeats: number;
  /** Latency of the answers of each run, ms. */
  latenciesMs: readonly number[];
  /** Neither models nor judges stream. */
  isWhole?: true;
}

/** On the Free plan, an answer needs more requests to judges than an invocation has for each answer in flight. */
const judgings: Record<string, Judging> = {
  "judged runs on the free plan": {
    plan: "free",
    panel: ["simulated:sim-judge-a", "simulated:sim-judge-b", "simulated:sim-judge-c"],
    repeats: 1,
    latenciesMs: [2_000],
  },
  "judged runs": { plan: "paid", panel: [], repeats: 10, latenciesMs: [2_000] },
  "judged runs of quick answers and of slow ones": {
    plan: "paid",
    panel: [],
    repeats: 2,
    latenciesMs: [0, 500, 10_000, 30_000, 60_000],
  },
  "judged runs, not streamed": {
    plan: "paid",
    panel: [],
    repeats: 2,
    latenciesMs: [0, 500, 2_000, 10_000, 30_000, 60_000],
    isWhole: true,
  },
};

/** Runs whose answers are judged by models. */
export const judgedScenes: readonly Scene[] = Object.entries(judgings).map(([name, judging]) => ({
  name,
  isQuick: false,
  // Slow answers mean mostly waiting.
  ...(judging.latenciesMs.length > 1 && { plays: "first" as const }),
  play: () =>
    onDeployed({ plan: judging.plan, conditions: far }, (cloud, findings) =>
      playJudged(cloud, findings, judging),
    ),
}));

async function playJudged(cloud: Cloud, findings: Findings, judging: Judging): Promise<void> {
  const simulator = await startSimulator({ latencyScale: JUDGE_SCALE });
  try {
    cloud.workers.outside = async (request) => {
      const { pathname } = new URL(request.url);
      const sent = await request.text();
      const body = judging.isWhole ? sent.replace('"stream":true', '"stream":false') : sent;
      const headers = new Headers(request.headers);
      // The length may have changed.
      headers.delete("content-length");
      const init = { method: request.method, headers, body };
      return replyOf(await fetch(`${simulator.url}${pathname}`, init));
    };
    const settings = simulatedJudges(HOST, judges);
    cloud.account.scripts.get(NAME)!.secrets.set("JUDGES", JSON.stringify(settings));
    cloud.workers.changed();
    for (const latencyMs of judging.latenciesMs) {
      await playRun(cloud, findings, judging, latencyMs);
    }
  } finally {
    await simulator.close();
  }
}

async function playRun(
  cloud: Cloud,
  findings: Findings,
  { plan, panel, repeats, isWhole }: Judging,
  latencyMs: number,
): Promise<void> {
  const samples = STOCK * repeats;
  const before = askedSoFar(cloud);
  const begun = Date.now();
  const run = await submittedIn(cloud, {
    suite: "memory",
    dataset: "stock",
    options: { concurrency: CONCURRENCY, judges: panel, repeats, timeoutMs: TIMEOUT_MS },
    models: [
      {
        name: "judged",
        slug: "rehearsal/judged",
        simulated: true,
        endpoint: {
          baseUrl: HOST,
          // A different seed for each run, since equal answers are not judged again.
          model: `sim-large?latency=${latencyMs}&seed=${latencyMs + 1}`,
          apiKey: "any",
        },
      },
    ],
  });
  const { metrics } = await ended(cloud, run);
  const wallMs = Date.now() - begun;
  await setTimeout(publishedMs);
  const usage = cloud.workers.usage.slice(before.invocations);
  const asked = perSample(askedSince(before, cloud), samples);
  const usd = costUsd(asked) * 1e6;
  const judged = judges.filter(({ id }) => metrics?.[id] !== undefined);
  const what = `${samples} samples at ${latencyMs / 1_000} s`;
  findings.add(`${what}: each of ${judges.length} metrics of judges has a value`, () =>
    equal(judged.length, judges.length),
  );
  findings.add(`${what}: every sample is judged by everyone, at $${usd.toFixed(2)} a million`, () =>
    equal((metrics?.["mcs"] as { n: number } | undefined)?.n, STOCK),
  );
  findings.add(`${what}: no answer failed`, () =>
    equal((metrics?.["successRate"] as { value?: number } | undefined)?.value, 1),
  );
  const messages = messagesOf(cloud) - before.laneMessages;
  const load = {
    d1Ms: 60,
    growth: far.growth,
    samples,
    latencyMs,
    atOnce: CONCURRENCY,
    isStreamed: isWhole !== true,
    judgeRequests: judges.length * Math.max(1, panel.length),
    wallMs,
    poolMs: null,
    messages,
    asked,
    usd,
  };
  if (plan === "paid") findings.loads.push(load);
  withinLimits(findings, usage, plan);
}
