import { describe, expect, it } from "vitest";
import { estimatedFinishAt, pollAfterSeconds, waitingUntil } from "./run-progress.ts";

const start = Date.parse("2026-11-21T00:00:00Z");
const seconds = (count: number) => start + count * 1000;

const aRun = {
  status: "running" as const,
  startedAt: start as number | null,
  finishedAt: null as number | null,
  idleMs: 0,
  total: 100,
  done: 50,
  notBefore: 0,
  phase: "answering" as const,
  options: {} as Record<string, string>,
  endpoint: {
    baseUrl: "https://api.openai.com/v1",
    model: "m",
    maxTokensParam: "max_tokens" as const,
  },
  parentId: null,
};

describe("estimatedFinishAt()", () => {
  it("extrapolates the pace so far", () => {
    expect(estimatedFinishAt(aRun, seconds(10))).toBe(seconds(20));
    expect(estimatedFinishAt({ ...aRun, done: 20 }, seconds(10))).toBe(seconds(50));
  });

  it("excludes the time between the end of a run and its retry", () => {
    const retried = { ...aRun, idleMs: 3_600_000 };
    expect(estimatedFinishAt(retried, seconds(3_610))).toBe(seconds(3_620));
  });

  it("adds the wait that the endpoint asked for", () => {
    const waiting = { ...aRun, notBefore: seconds(20) };
    expect(estimatedFinishAt(waiting, seconds(10))).toBe(seconds(30));
  });

  it("stays the same for polls between two samples", () => {
    const long = { ...aRun, total: 10_000, done: 5_000 };
    const polls = [3600, 3601, 3602].map((second) => estimatedFinishAt(long, seconds(second)));
    expect(new Set(polls).size).toBe(1);
    expect((polls[0] ?? 0) - seconds(7200)).toBeLessThanOrEqual(180_000);
  });

  it.each([
    ["before the first sample", { done: 0 }],
    ["before the start", { startedAt: null, status: "queued" as const }],
    ["while paused", { status: "paused" as const }],
    ["when all samples are in", { done: 100 }],
    ["after the end", { status: "finished" as const, finishedAt: seconds(9) }],
  ])("is null %s", (_case, change) => {
    expect(estimatedFinishAt({ ...aRun, ...change }, seconds(10))).toBeNull();
  });
});

describe("waitingUntil()", () => {
  it("is the time that the endpoint asked for, until it has passed", () => {
    const run = { ...aRun, notBefore: seconds(20) };
    expect(waitingUntil(run, seconds(10))).toBe(seconds(20));
    expect(waitingUntil(run, seconds(20))).toBeNull();
    expect(waitingUntil({ ...run, status: "cancelled" }, seconds(10))).toBeNull();
  });
});

it("a run in batches has no estimated finish and is polled less often", () => {
  const batched = { ...aRun, options: { mode: "batch" } };
  expect(estimatedFinishAt(batched, seconds(10))).toBeNull();
  expect(pollAfterSeconds({ ...batched, done: 0 }, seconds(10))).toBe(10);
  // Its judges are asked live, not in batches.
  expect(estimatedFinishAt({ ...batched, phase: "judging" }, seconds(10))).toBe(seconds(20));
});

describe("pollAfterSeconds()", () => {
  it.each<
    [string, Partial<Omit<typeof aRun, "status">> & { status?: "paused" | "queued" }, number | null]
  >([
    ["a twentieth of the time left", { startedAt: seconds(-20), done: 25 }, 5],
    ["a fifth of the time so far", { done: 1 }, 2],
    ["at least one second", {}, 1],
    ["at most thirty seconds", { startedAt: seconds(-600), done: 1 }, 30],
    ["two seconds before anything is known", { status: "queued", startedAt: null, done: 0 }, 2],
    ["thirty seconds while paused", { status: "paused" }, 30],
    ["the time that the endpoint asked for", { notBefore: seconds(17) }, 7],
    ["nothing once it has ended", { finishedAt: seconds(9) }, null],
  ])("is %s", (_case, change, expected) => {
    expect(pollAfterSeconds({ ...aRun, ...change }, seconds(10))).toBe(expected);
  });
});
