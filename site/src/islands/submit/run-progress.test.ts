import { JSDOM } from "jsdom";
import { expect, it } from "vitest";
import type { Metric } from "#shared/contracts/metric.ts";
import type { Run } from "#shared/contracts/run.ts";
import { RunPlace } from "./RunProgress.tsx";
import {
  actionsOf,
  hasEnded,
  isOutOfMoney,
  outcomesOf,
  progressText,
  scoreOf,
  spentText,
  stateText,
} from "./run-progress.ts";

const run = {
  status: "running",
  statusReason: null,
  phase: "answering",
  waitingUntil: null,
  progress: { total: 1_000, done: 120, failed: 0 },
  estimatedFinishAt: null,
  cost: null,
} as unknown as Run;

const aRun = (more: Partial<Run>): Run => ({ ...run, ...more });

it.each([
  [{}, ["pause", "cancel"]],
  [{ status: "queued" }, ["pause", "cancel"]],
  [{ status: "paused" }, ["resume", "cancel"]],
  [{ progress: { total: 5, done: 5, failed: 0 } }, ["cancel"]],
  [{ status: "finished" }, []],
] as const)("actionsOf() of a run with %j is %j", (more, actions) => {
  expect(actionsOf(aRun(more as Partial<Run>))).toEqual(actions);
});

it.each([
  ["running", false],
  ["paused", false],
  ["finished", true],
  ["failed", true],
  ["cancelled", true],
] as const)("hasEnded() of a run that is %s is %s", (status, ended) => {
  expect(hasEnded({ status })).toBe(ended);
});

it.each([
  [{}, "120 of 1,000 samples done"],
  [{ progress: { total: 1_000, done: 120, failed: 3 } }, "120 of 1,000 samples done, 3 failed"],
  [{ phase: "judging" }, "120 of 1,000 answers judged"],
] as const)("progressText() of a run with %j is %j", (more, text) => {
  expect(progressText(aRun(more as Partial<Run>))).toBe(text);
});

it.each([
  [{}, "answered 120, failed 0, to come 880"],
  [{ progress: { total: 9, done: 4, failed: 3 } }, "answered 1, failed 3, to come 5"],
  [{ phase: "judging" }, "judged 120, failed 0, to come 880"],
] as const)("outcomesOf() a run with %j are: %s", (more, text) => {
  const parts = outcomesOf(aRun(more as Partial<Run>));
  expect(parts.map(({ label, count }) => `${label} ${count}`).join(", ")).toBe(text);
  expect(new Set(parts.map(({ tone }) => tone)).size).toBe(3);
});

it.each([
  [{}, "Running"],
  [{ phase: "judging" }, "Judging"],
  [{ status: "queued" }, "Waiting to start"],
  [
    { status: "failed", statusReason: "the endpoint answered 401" },
    "Failed: the endpoint answered 401",
  ],
  [{ estimatedFinishAt: "2026-11-22T08:00:00Z" }, "Running; about done at 22 Nov 2026, 08:00 UTC"],
  [
    { waitingUntil: "2026-11-22T08:00:00Z" },
    "Running; asks the endpoint again after 22 Nov 2026, 08:00 UTC",
  ],
  [{ progress: { total: 5, done: 5, failed: 0 } }, "Running; the results are being summed up"],
  [
    { status: "finished", metrics: {}, progress: { total: 5, done: 5, failed: 5 } },
    "No answers: every request failed, so there is no score. The report says why",
  ],
] as const)("stateText() of a run with %j is %j", (more, text) => {
  expect(stateText(aRun(more as Partial<Run>))).toBe(text);
});

it("scoreOf() a run without answers is null, whatever its metrics", () => {
  const headline = { value: 0, interval: null, n: 5, coverage: 0 };
  const scored = aRun({ headline: "f1", metrics: { f1: headline } });
  expect(scoreOf(scored)).toEqual(headline);
  expect(scoreOf({ ...scored, progress: { total: 5, done: 5, failed: 5 } })).toBeNull();
});

it.each([
  [null, null],
  [{ spentUsd: 0.5, maxUsd: null }, "$0.50"],
  [{ spentUsd: 0.5, maxUsd: 2 }, "$0.50 of at most $2.00"],
])("spentText() of cost %j is %j", (cost, text) => {
  expect(spentText({ cost, metrics: null })).toBe(text);
});

it("spentText() of an ended run is the cost in its report", () => {
  const costUsd = { value: 0.4, interval: null, n: 9, coverage: 1 };
  const cost = { spentUsd: 0.5, maxUsd: null };
  expect(spentText({ cost, metrics: { costUsd } })).toBe("$0.40");
});

it.each([
  ["paused", { spentUsd: 2, maxUsd: 2 }, true],
  ["paused", { spentUsd: 1, maxUsd: 2 }, false],
  ["paused", { spentUsd: 1, maxUsd: null }, false],
  ["running", { spentUsd: 2, maxUsd: 2 }, false],
] as const)("isOutOfMoney() of a run that is %s with cost %j is %s", (status, cost, is) => {
  expect(isOutOfMoney({ status, cost })).toBe(is);
});

it("RunPlace() links the answers outside the part that each poll redraws", () => {
  const { model, provenance } = { model: { name: "A" }, provenance: { kind: "called" } };
  const html = String(
    RunPlace({
      run: aRun({ id: "run_1", model, provenance, variant: null } as Partial<Run>),
      metric: {} as Metric,
    }),
  );
  const { document } = new JSDOM(html).window;
  const links = [...document.querySelectorAll("a")].map(({ href, textContent }) => [
    href,
    textContent,
  ]);
  expect(links).toEqual([["/run/samples/?run=run_1", "Samples and answers of A"]]);
  expect(document.querySelector("[data-part] a")).toBe(null);
});
