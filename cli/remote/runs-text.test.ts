import { expect, test } from "vitest";
import { aRun } from "#shared/suites/__fixtures__/a-run.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { runsText } from "./runs-text.ts";

const gone = (label: string, instead: string) =>
  `the endpoint of openai has no model gpt-0: ${label} is ${instead}`;

test("runsText() lists the first three failed judges and counts the others", () => {
  const unjudged = "not judged, because there is no other fallback";
  const notes = [
    "the stored answers of run run_0, scored again",
    gone("Kind", "judged instead by the fallback, b, so this run is not ranked"),
    ...["Empathy", "Safety", "Politeness"].map((label) => gone(label, unjudged)),
  ];
  const run = aRun(suiteById("memory")!, { id: "run_1", notes });
  const lines = runsText([run]).split("\n").slice(2);
  expect(lines).toEqual([
    ...notes.slice(1, 4).map((note) => `run_1: ${note}`),
    "run_1: 1 more note in its report",
  ]);
  expect(runsText([{ ...run, notes: notes.slice(0, 1) }]).split("\n")).toHaveLength(2);
});

test("runsText() reports empty answers and simulated judges", () => {
  const route = { provider: "simulated", model: "sim-judge-a", simulated: true };
  const kind = { routes: [route], by: "default" as const, promptHash: "p" };
  const run = aRun(suiteById("rubric")!, {
    id: "run_1",
    judging: { judges: { kind }, stages: {} },
    breakdown: { counts: { "status empty": 1 } },
  });
  expect(runsText([run]).split("\n").slice(2)).toEqual([
    "run_1: 1 answer is empty and scores 0",
    "judged by simulated judges: grades say nothing about quality",
  ]);
  const unjudged = { counts: { "status empty": 1 }, answers: 20, unscored: 19 };
  expect(runsText([{ ...run, breakdown: unjudged }])).toContain(
    "run_1: no answer was judged: only 1 answer is empty and scores 0\n",
  );
});

test.each([
  ["extraction", { answers: 3, empty: 3, refused: 1, truncated: 3 }],
  ["quality", { answers: 3, counts: { "status empty": 3, "status refused": 1, truncated: 3 } }],
])("runsText() counts empty, refused and truncated answers of %s", (id, breakdown) => {
  const run = aRun(suiteById(id)!, { id: "run_1", breakdown });
  expect(runsText([run]).split("\n").slice(2)).toEqual([
    "run_1: 3 of 3 answers are empty",
    "run_1: 1 of 3 answers is a refusal",
    "run_1: 3 of 3 answers were cut off at the token limit: raise max_tokens (maxTokens)",
  ]);
  const fine = { answers: 3, empty: 0, truncated: 0, counts: { "status answered": 3 } };
  expect(runsText([{ ...run, breakdown: fine }]).split("\n")).toHaveLength(2);
});

test("runsText() shows until when a run waits for its endpoint", () => {
  const waiting = { status: "running", waitingUntil: "2026-11-20T15:54:09.000Z" } as const;
  expect(runsText([aRun(suiteById("quality")!, waiting)])).toContain(
    "  running, asks the endpoint again at 15:54:09 UTC  ",
  );
});
