import { expect, it } from "vitest";
import { compareMetric } from "../../shared/measures/comparison/compare-metric.ts";
import { addRun, scoreTable } from "../../shared/measures/comparison/score-table.ts";
import { mean } from "../../shared/stats/significance/moments.ts";
import { simulatedScores } from "./simulated-scores.ts";

const eqs = { id: "eqs", better: "higher" as const };

/** With one answer per sample, 72 samples cannot separate two of the four skills. */
const REPEATS = 5;

/** Standings of simulated models on the stock dataset, with repeats averaged. */
function standings(models: readonly string[]) {
  const columns = models.map((model) => simulatedScores(model, REPEATS).map(mean));
  const scores = columns.map((of) => ({
    ids: of.map((_, i) => `s${i}`),
    clusters: null,
    lacking: [],
    values: { eqs: { of, over: null } },
  }));
  const table = scoreTable(scores[0]!);
  for (const [i, model] of models.entries()) addRun(table, model, scores[i]!);
  return compareMetric(table, eqs, models.join())?.standings ?? [];
}

it("simulated models of four skills are ranked in their true order without ties", () => {
  const models = ["sim-tiny", "sim-large", "sim-small", "sim-medium"];
  expect(standings(models).map(({ run, tieGroup }) => [run, tieGroup])).toEqual([
    ["sim-large", 1],
    ["sim-medium", 2],
    ["sim-small", 3],
    ["sim-tiny", 4],
  ]);
});

it("simulated models of equal skill are tied between a better and a worse model", () => {
  const found = standings(["sim-equal-a", "sim-large", "sim-equal-b", "sim-tiny"]);
  expect(new Map(found.map(({ run, tieGroup }) => [run, tieGroup]))).toEqual(
    new Map([
      ["sim-large", 1],
      ["sim-equal-a", 2],
      ["sim-equal-b", 2],
      ["sim-tiny", 3],
    ]),
  );
  const tied = found.filter(({ tieGroup }) => tieGroup === 2);
  expect(tied.map(({ rankInterval }) => rankInterval)).toEqual([
    [2, 3],
    [2, 3],
  ]);
});
