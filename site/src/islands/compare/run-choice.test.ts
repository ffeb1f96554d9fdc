import { expect, it } from "vitest";
import type { Leaderboard } from "#shared/contracts/boards/leaderboard.ts";
import type { Run } from "#shared/contracts/run.ts";
import { boardChoices, boardTraits, runChoice, runTraits, whyNotComparable } from "./run-choice.ts";

const headline = { value: 0.9, interval: [0.8, 1] as [number, number], n: 10, coverage: 1 };
const model = { name: "A", slug: "acme/a", simulated: false };
const provenance = { kind: "called", endpointHost: "a.example" } as const;
const dataset = { name: "stock", version: "v1", samples: 10 };

const run = {
  id: "run_a",
  status: "finished",
  suite: "s",
  dataset,
  scoringVersion: "sc",
  promptHash: "p",
  options: { repeats: 2, structuredOutput: "auto" },
  model,
  provenance,
  headline: "main",
  metrics: { main: headline },
} as unknown as Run;

const board = {
  suite: "s",
  dataset,
  scoringVersion: "sc",
  promptHash: "p",
  structuredOutput: "auto",
  repeats: 2,
  entries: [{ run: "run_b", rank: 1, model, provenance, headline, n: 10 }],
} as unknown as Leaderboard;

it("boardChoices() and runChoice() include the headline", () => {
  expect(boardChoices(board)).toEqual([{ run: "run_b", rank: 1, model, provenance, headline }]);
  expect(runChoice(run)).toEqual({ run: "run_a", rank: null, model, provenance, headline });
  expect(runChoice({ ...run, metrics: null }).headline).toBeNull();
});

it("boardTraits() and runTraits() are equal for comparable runs", () => {
  expect(runTraits(run)).toEqual(boardTraits(board));
});

it("runTraits() has default values if the suite lacks an option", () => {
  expect(runTraits({ ...run, options: {} })).toMatchObject({
    "structured-output mode": "none",
    repeats: 1,
  });
});

it.each([
  [{}, null],
  [{ status: "running" }, "Run run_a is running; only finished runs can be compared."],
  [
    { dataset: { ...dataset, version: "v2" }, promptHash: null },
    "Run run_a can't be compared with these runs: it differs in dataset version, prompt.",
  ],
])("whyNotComparable() of a run with %j is %j", (more, reason) => {
  const other = { ...run, ...more } as Run;
  expect(whyNotComparable(other, boardTraits(board))).toBe(reason);
});

it("whyNotComparable() accepts any finished run as the first", () => {
  expect(whyNotComparable(run, null)).toBeNull();
});
