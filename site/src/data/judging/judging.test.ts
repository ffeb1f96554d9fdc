import { expect, it } from "vitest";
import type { RunJudging, RunRoute } from "#shared/contracts/judging/judging.ts";
import { boardJudges, simulatedJudges } from "./judging.ts";

const opus: RunRoute = { provider: "anthropic", model: "opus", simulated: false };
const played: RunRoute = { provider: "local", model: "opus", simulated: true };

type By = RunJudging["judges"][string]["by"];
const aJudging = (routes: Record<string, RunRoute[]>, by: By = "default"): RunJudging => ({
  judges: Object.fromEntries(
    Object.entries(routes).map(([id, its]) => [id, { routes: its, by, promptHash: "p" }]),
  ),
  stages: {},
});

it("boardJudges() names each judge once with all its metrics, in the suite's order", () => {
  const { judges } = boardJudges(
    "memory",
    aJudging({ empathy: [opus], new_metric: [opus], memory_utilization: [opus] }),
  );
  expect(judges).toHaveLength(1);
  expect(judges[0]?.metrics).toEqual(["Memory utilization", "Empathy", "new_metric"]);
});

it("boardJudges() has a panel's metric with each of its judges, and tells providers apart", () => {
  const { judges, simulated } = boardJudges("memory", aJudging({ empathy: [opus, played] }));
  expect(judges.map(({ provider, metrics }) => [provider, metrics])).toEqual([
    ["anthropic", ["Empathy"]],
    ["local", ["Empathy"]],
  ]);
  expect(simulated).toBe("some");
});

it("boardJudges() says what nobody judges, and who stood in", () => {
  const { judges, unjudged } = boardJudges(
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
