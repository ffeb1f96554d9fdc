import { expect, it } from "vitest";
import type { RunJudging, RunRoute } from "#shared/contracts/judging/judging.ts";
import { judgedBy, simulatedJudges } from "./judging.ts";

const opus: RunRoute = { provider: "anthropic", model: "opus", simulated: false };
const played: RunRoute = { provider: "local", model: "opus", simulated: true };

type By = RunJudging["judges"][string]["by"];
const aJudging = (routes: Record<string, RunRoute[]>, by: By = "default"): RunJudging => ({
  judges: Object.fromEntries(
    Object.entries(routes).map(([id, its]) => [id, { routes: its, by, promptHash: "p" }]),
  ),
  stages: {},
});

it("judgedBy() names each judge once with all its metrics, in the suite's order", () => {
  const { judges } = judgedBy(
    "memory",
    aJudging({ empathy: [opus], new_metric: [opus], memory_utilization: [opus] }),
  );
  expect(judges).toHaveLength(1);
  expect(judges[0]?.metrics).toEqual(["Memory utilization", "Empathy", "new_metric"]);
});

it("judgedBy() has a panel's metric with each of its judges, and tells providers apart", () => {
  const { judges, simulated } = judgedBy("memory", aJudging({ empathy: [opus, played] }));
  expect(judges.map(({ provider, metrics }) => [provider, metrics])).toEqual([
    ["anthropic", ["Empathy"]],
    ["local", ["Empathy"]],
  ]);
  expect(simulated).toBe("some");
});

it("judgedBy() says what nobody judges, and who stood in", () => {
  const { judges, unjudged } = judgedBy(
    "memory",
    aJudging({ safety: [], empathy: [opus] }, "fallback"),
  );
  expect(unjudged).toEqual(["Safety"]);
  expect(judges[0]?.stoodInFor).toEqual(["Empathy"]);
});

it("simulatedJudges() is none without judges", () => {
  expect(simulatedJudges("memory", null)).toBe("none");
  expect(simulatedJudges("memory", aJudging({ safety: [] }))).toBe("none");
  expect(simulatedJudges("memory", aJudging({ safety: [played] }))).toBe("all");
});
