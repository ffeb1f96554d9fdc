import type { Cloud } from "../cloud/cloud.ts";
import { type Conditions, far } from "../cloud/data-plane.ts";
import {
  answered,
  answersTo,
  ended,
  expectedMetrics,
  HOST,
  submitted,
  upload,
  withinLimits,
} from "./runs.ts";
import { equal, type Findings, includes, onDeployed, type Scene } from "./scene.ts";

const conditions: Conditions = { ...far, growth: 5 };
const FEW = 300;
const TOO_MANY = 1_001;

/** Runs within the limits of the Free plan. */
export const freeScenes: readonly Scene[] = [
  {
    name: `runs of ${FEW} samples on the free plan, within its limits`,
    isQuick: false,
    play: () => onDeployed({ plan: "free", conditions }, fewOnFree),
  },
];

async function fewOnFree(cloud: Cloud, findings: Findings): Promise<void> {
  cloud.workers.outside = answered;
  await upload(cloud, FEW);
  const before = cloud.workers.usage.length;
  const run = await submitted(cloud, FEW, "sent", { answers: answersTo(FEW) });
  const { metrics } = await ended(cloud, run);
  findings.add("every metric and interval equals that of a single pass", () =>
    equal(metrics, expectedMetrics(run, FEW)),
  );
  const endpoint = { baseUrl: HOST, model: "m", apiKey: "any" };
  const asked = await submitted(cloud, FEW, "asked", { endpoint });
  const second = await ended(cloud, asked);
  findings.add("an endpoint: the score and its interval equal those of a single pass", () =>
    equal(second.metrics?.["eqs"], expectedMetrics(asked, FEW).eqs),
  );
  withinLimits(findings, cloud.workers.usage.slice(before), "free");
  await upload(cloud, TOO_MANY);
  const refused = await submitted(cloud, TOO_MANY, "many", { endpoint }).catch(String);
  findings.add("a run of more samples than the plan can sum up is refused before it starts", () =>
    includes(refused, "draw fewer with options.sample"),
  );
}
