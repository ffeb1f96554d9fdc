import { expect, it } from "vitest";
import { figuresText } from "../../../cli/run/figures-text.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import { aFinishedRun, aModel } from "../../browser/fixtures/fixture-runs.ts";

const behaviour = { quality: 0.9, lostRate: 0, seed: 1 };
const extraction = aFinishedRun(
  suiteById("extraction")!,
  "run_1",
  aModel("acme/a", "a"),
  behaviour,
  {},
);
const [metric] = suiteById("rubric")!.metrics;
const passRate = { value: 0.5, interval: [0.3, 0.7] as [number, number], n: 10, coverage: 1 };
const judging = { judges: { kind: { metric, routes: [] } } } as unknown as Run["judging"];

const shown = (more: Partial<Run>) =>
  figuresText([
    { run: { ...extraction, metrics: { ...extraction.metrics, passRate }, ...more }, outcomes: [] },
  ]);

it("figuresText() prints the pass rate if the run's options define metrics and a pass score", () => {
  expect(shown({ judging, options: { passScore: 1 } })).toMatch(
    /Pass rate +50\.0% +30\.0% – 70\.0%/,
  );
  expect(shown({ judging, options: { passScore: null } })).not.toContain("Pass rate");
  expect(shown({ options: { passScore: 1 } })).toBe("");
});
