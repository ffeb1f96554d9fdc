import { describe, expect, it } from "vitest";
import { bootstrap } from "../../shared/stats/bootstrap/bootstrap.ts";
import { sumFigures } from "../../shared/stats/bootstrap/percentile-figures.ts";
import { combineStatistics } from "../../shared/stats/bootstrap/statistics.ts";
import { holm } from "../../shared/stats/significance/holm.ts";
import { mean } from "../../shared/stats/significance/moments.ts";
import { pairedTests } from "../../shared/stats/significance/paired-tests.ts";
import { type Draws, drawsFrom } from "../../simulator/draws.ts";
import { simulatedScores } from "./simulated-scores.ts";

/** Scores of one model's answers by sample. Every run draws one per sample, so all models are equally good. */
const pool = simulatedScores("sim-equal-a", 200);

/** Repetitions with two models, and with many models. */
const EXPERIMENTS = 2_000;
const FAMILIES = 1_000;
const MODELS = 10;
/** Size of a run whose interval is checked; fewer resamples than in a report, to save time. */
const SAMPLES = 100;
const RESAMPLES = 2_000;

const aRun = (draws: Draws) => pool.map((scores) => draws.pick(scores));

describe("equal simulated models", () => {
  it("differ significantly at 0.05 in 3.5 to 6.5% of 2,000 pairs of runs", () => {
    let found = 0;
    for (let seed = 0; seed < EXPERIMENTS; seed++) {
      const draws = drawsFrom("null", seed);
      if ((pairedTests(aRun(draws), aRun(draws)).p ?? 1) < 0.05) found += 1;
    }
    expect(found / EXPERIMENTS).toBeGreaterThanOrEqual(0.035);
    expect(found / EXPERIMENTS).toBeLessThanOrEqual(0.065);
  });

  it("have a significant pair after Holm's correction in at most 6% of families of ten models", () => {
    let found = 0;
    for (let seed = 0; seed < FAMILIES; seed++) {
      const draws = drawsFrom("family", seed);
      const runs = Array.from({ length: MODELS }, () => aRun(draws));
      const ps = runs.flatMap((a, i) => runs.slice(i + 1).map((b) => pairedTests(a, b).p));
      if (holm(ps).some((p) => p !== null && p < 0.05)) found += 1;
    }
    expect(found / FAMILIES).toBeLessThanOrEqual(0.06);
  });
});

it("bootstrap() gives an interval that contains the true mean in 93 to 97% of 2,000 runs", () => {
  const truth = mean(pool.map(mean));
  let held = 0;
  for (let seed = 0; seed < EXPERIMENTS; seed++) {
    const draws = drawsFrom("coverage", seed);
    const run = Float64Array.from({ length: SAMPLES }, () => draws.pick(draws.pick(pool)));
    const figures = sumFigures([run], combineStatistics([(sums) => (sums[0] ?? 0) / SAMPLES]));
    const [low, high] = bootstrap(SAMPLES, `run-${seed}`, [figures], {
      resamples: RESAMPLES,
    })[0] ?? [1, 0];
    if (low <= truth && truth <= high) held += 1;
  }
  expect(held / EXPERIMENTS).toBeGreaterThanOrEqual(0.93);
  expect(held / EXPERIMENTS).toBeLessThanOrEqual(0.97);
}, 60_000);
