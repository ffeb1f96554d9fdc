import { simulatedJudges } from "../../../cli/local/simulated-judges.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import { startSimulator } from "../../../simulator/start-simulator.ts";
import type { Cloud } from "../cloud/cloud.ts";
import { type Conditions, replyOf } from "../cloud/data-plane.ts";
import {
  answered,
  answersTo,
  CONCURRENCY,
  ended,
  expectedMetrics,
  HOST,
  submitted,
  submittedIn,
  upload,
  withinLimits,
} from "./runs.ts";
import { equal, type Findings, includes, NAME, onDeployed, type Scene } from "./scene.ts";

const conditions: Partial<Conditions> = {
  distances: { d1: 60, r2: 50, queues: 20 },
  growth: 5,
  doubled: 0.01,
};
const FEW = 300;
const TOO_MANY = 1_001;

/** Runs that an account which pays nothing can carry out. */
export const freeScenes: readonly Scene[] = [
  {
    name: `runs of ${FEW} samples on the free plan, within its limits`,
    isQuick: false,
    play: () => onDeployed({ plan: "free", conditions }, fewOnFree),
  },
  {
    name: "judged runs on the free plan",
    isQuick: false,
    play: () => onDeployed({ plan: "free", conditions }, judgedOnFree),
  },
];

async function fewOnFree(cloud: Cloud, findings: Findings): Promise<void> {
  cloud.workers.outside = answered;
  await upload(cloud, FEW);
  const before = cloud.workers.usage.length;
  const run = await submitted(cloud, FEW, "sent", { answers: answersTo(FEW) });
  const { metrics } = await ended(cloud, run);
  findings.add("every metric and interval is that of the run at once", () =>
    equal(metrics, expectedMetrics(run, FEW)),
  );
  const endpoint = { baseUrl: HOST, model: "m", apiKey: "any" };
  const asked = await submitted(cloud, FEW, "asked", { endpoint });
  const second = await ended(cloud, asked);
  findings.add("an endpoint: the score and its interval are those of the run at once", () =>
    equal(second.metrics?.["eqs"], expectedMetrics(asked, FEW).eqs),
  );
  withinLimits(findings, cloud.workers.usage.slice(before), "free");
  await upload(cloud, TOO_MANY);
  const refused = await submitted(cloud, TOO_MANY, "many", { endpoint }).catch(String);
  findings.add("a run of more samples than the plan can sum up is refused before it starts", () =>
    includes(refused, "draw fewer with options.sample"),
  );
}

/** Every answer takes several requests to judges: more than one invocation may send for those in flight. */
async function judgedOnFree(cloud: Cloud, findings: Findings): Promise<void> {
  const simulator = await startSimulator({ latencyScale: 0.1 });
  try {
    cloud.workers.outside = async (request) => {
      const { pathname } = new URL(request.url);
      const init = { method: request.method, headers: request.headers, body: await request.text() };
      return replyOf(await fetch(`${simulator.url}${pathname}`, init));
    };
    const { judges } = suiteById("memory")!.judging!;
    const settings = simulatedJudges(HOST, judges);
    cloud.account.scripts.get(NAME)!.secrets.set("JUDGES", JSON.stringify(settings));
    cloud.workers.changed();
    const before = cloud.workers.usage.length;
    const endpoint = { baseUrl: HOST, model: "sim-large", apiKey: "any" };
    const run = await submittedIn(cloud, {
      suite: "memory",
      dataset: "stock",
      options: {
        concurrency: CONCURRENCY,
        judges: ["simulated:sim-judge-a", "simulated:sim-judge-b", "simulated:sim-judge-c"],
      },
      models: [{ name: "judged", slug: "rehearsal/judged", simulated: true, endpoint }],
    });
    const { metrics } = await ended(cloud, run);
    const judged = judges.filter(({ id }) => metrics?.[id] !== undefined);
    findings.add(`each of ${judges.length} metrics of judges has a value`, () =>
      equal(judged.length, judges.length),
    );
    findings.add("every answer is judged by everyone", () =>
      equal((metrics?.["mcs"] as { n: number } | undefined)?.n, 60),
    );
    withinLimits(findings, cloud.workers.usage.slice(before), "free");
  } finally {
    await simulator.close();
  }
}
