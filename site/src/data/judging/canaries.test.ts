import { expect, it } from "vitest";
import type { Leaderboard } from "#shared/contracts/boards/leaderboard.ts";
import type { CanaryReport, CanaryResult } from "#shared/contracts/judging/canary.ts";
import type { RunJudging, RunRoute } from "#shared/contracts/judging/judging.ts";
import {
  boardJudges,
  boundText,
  measuredCanaries,
  simulatedJudges,
  standingText,
} from "./canaries.ts";

const aCanary = (
  id: string,
  value: number | null,
  verdict: CanaryResult["verdict"],
): CanaryResult => ({
  id,
  label: `The ${id}`,
  description: "",
  bound: { most: 0.45 },
  run: null,
  verdict,
  headline: value === null ? null : { value, interval: null, n: 1, coverage: 1 },
  finishedAt: null,
});

const aReport = (scoringVersion: string, ...canaries: CanaryResult[]): CanaryReport => ({
  suite: "memory",
  scoringVersion,
  simulated: false,
  canaries,
});

const within = aCanary("vague", 0.4, "within");
const unmeasured = aCanary("empty", null, "unmeasured");

it("measuredCanaries() lists today's judges first, then each judge of older boards once", () => {
  const aBoard = (canaries: CanaryReport | null) => ({ canaries }) as Leaderboard;
  const [now, old] = [aReport("now", within), aReport("old", within)];
  const boards = [aBoard(old), aBoard(null), aBoard(now), aBoard(old)];
  expect(measuredCanaries({ canaries: [now], boards }, "memory")).toEqual([now, old]);
  expect(measuredCanaries({ canaries: [now], boards }, "slots")).toEqual([]);
});

it("measuredCanaries() omits a report without measured scores", () => {
  const report = aReport("now", unmeasured);
  expect(measuredCanaries({ canaries: [report], boards: [] }, "memory")).toEqual([]);
});

it("standingText() counts canaries that were not measured", () => {
  expect(standingText(aReport("v", within))).toBe("within their bounds");
  expect(standingText(aReport("v", within, unmeasured))).toBe(
    "within their bounds, 1 not measured",
  );
});

it.each([
  [null, "percent", "none"],
  [{ most: 0.45 }, "percent", "at most 45.0%"],
  [{ most: 0.45 }, "score", "at most 0.450"],
  [
    { over: "vague", margin: 0.05 },
    "percent",
    "at most 5.0 points above “The vague”, that is 45.0%",
  ],
  [{ over: "empty", margin: 0.05 }, "score", "at most 0.050 above “The empty”"],
  [{ over: "gone", margin: 0.05 }, "score", "at most 0.050 above “gone”"],
] as const)("boundText(%j, …, %s) is %s", (bound, format, text) => {
  expect(boundText(bound, [within, unmeasured], format)).toBe(text);
});

const opus: RunRoute = { provider: "anthropic", model: "opus", simulated: false };
const played: RunRoute = { provider: "local", model: "opus", simulated: true };

type By = RunJudging["judges"][string]["by"];
const aJudging = (routes: Record<string, RunRoute[]>, by: By = "default"): RunJudging => ({
  judges: Object.fromEntries(
    Object.entries(routes).map(([id, panel]) => [id, { routes: panel, by, promptHash: "p" }]),
  ),
  stages: {},
});

it("boardJudges() lists each judge once with all its metrics, in the suite's order", () => {
  const { judges } = boardJudges(
    "memory",
    aJudging({ empathy: [opus], new_metric: [opus], memory_utilization: [opus] }),
  );
  expect(judges).toHaveLength(1);
  expect(judges[0]?.metrics).toEqual(["Memory utilization", "Empathy", "new_metric"]);
});

it("boardJudges() lists a panel's metric for each judge, and distinguishes providers", () => {
  const { judges, simulated } = boardJudges("memory", aJudging({ empathy: [opus, played] }));
  expect(judges.map(({ provider, metrics }) => [provider, metrics])).toEqual([
    ["anthropic", ["Empathy"]],
    ["local", ["Empathy"]],
  ]);
  expect(simulated).toBe("some");
});

it("boardJudges() lists metrics without a judge, and those of a fallback judge", () => {
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
