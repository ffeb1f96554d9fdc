import { describe, expect, it } from "vitest";
import type { Canary } from "#shared/contracts/judging/judging.ts";
import { canaryResults } from "./canaries.ts";

const canary = (id: string, bound: Canary["bound"]): Canary => ({
  id,
  label: id,
  description: "",
  bound,
  answers: () => [],
});
const canaries = [
  canary("vague", { most: 0.45 }),
  canary("order", { over: "vague", margin: 0.05 }),
  canary("long", null),
];
const run = (of: string, value: number | null, finishedAt = 1) => ({
  id: `run_${of}_${finishedAt}`,
  canary: of,
  headline: "mcs",
  finishedAt,
  metrics: { mcs: { value, interval: null, n: 6, coverage: 1 } },
});
const verdicts = (...runs: ReturnType<typeof run>[]) =>
  canaryResults(canaries, runs).map(({ verdict }) => verdict);

describe("canaryResults()", () => {
  it("compares each canary's score with its bound", () => {
    expect(verdicts(run("vague", 0.45), run("order", 0.5), run("long", 0.9))).toEqual([
      "within",
      "within",
      "unbounded",
    ]);
    expect(verdicts(run("vague", 0.451), run("order", 0.502), run("long", 0))).toEqual([
      "broken",
      "broken",
      "unbounded",
    ]);
  });

  it("gives no verdict without a score, or without a score to compare with", () => {
    expect(verdicts()).toEqual(["unmeasured", "unmeasured", "unmeasured"]);
    expect(verdicts(run("order", 0.9), run("vague", null))).toEqual([
      "unmeasured",
      "unmeasured",
      "unmeasured",
    ]);
  });

  it("uses the newest run", () => {
    const results = canaryResults(canaries, [run("vague", 0.9, 2), run("vague", 0.1, 1)]);
    expect(results[0]).toMatchObject({ run: "run_vague_2", verdict: "broken" });
    expect(results[0]?.finishedAt).toBe("1970-01-01T00:00:00.002Z");
  });
});
