import { it } from "vitest";
import {
  byTotal,
  type LevelAnswer,
  levels,
} from "../../shared/measures/comparison/__fixtures__/levelled.ts";
import {
  compositeDifferences,
  linearisedComposite,
} from "../../shared/measures/comparison/composite-sums.ts";
import type { UnitSums } from "../../shared/measures/comparison/unit-sums.ts";
import { pairedT } from "../../shared/stats/significance/paired-tests.ts";
import { wilcoxon } from "../../shared/stats/significance/wilcoxon.ts";
import { type Draws, drawNormal } from "../../simulator/draws.ts";
import { expectLevel } from "./simulated-scores.ts";

const SAMPLES = 200;
/** Share of samples that the second model answers independently; both give the same answer to the others. */
const INDEPENDENT = 0.3;

const composite = byTotal.composite;
const samples = Array.from({ length: SAMPLES }, (_, i) => i);
const alike = samples.map((i) => levels[i % 3]!);
const unlike = samples.map((i) => levels[i % 10 === 0 ? 0 : i % 10 < 4 ? 1 : 2]!);
const single = samples;
/** Twenty sources of five samples, the other samples single. */
const sources = samples.map((i) => (i < 100 ? Math.floor(i / 5) : i - 80));

/** Latencies vary widely; means are about 150, 300 and 900 ms, the last clipped at 500. */
const medianMs = { easy: 125, medium: 250, hard: 750 };

function anAnswer(draws: Draws, level: LevelAnswer["level"]): LevelAnswer {
  const f1 = draws.chance(0.5) ? 1 : draws.chance(0.3) ? 0 : draws.unit();
  const timeMs = medianMs[level] * Math.exp(0.6 * drawNormal(draws));
  return { level, f1, timeMs, onDevice: draws.chance(0.6) };
}

/** Sums of each part of the total, by unit. */
function sumsOf(answers: readonly LevelAnswer[], unitOf: readonly number[]): UnitSums[] {
  const units = Math.max(...unitOf) + 1;
  const column = () => new Float64Array(units);
  const parts = composite.parts.map(() => ({ of: column(), over: column() }));
  answers.forEach(({ level, f1, timeMs, onDevice }, i) => {
    const first = 3 * levels.indexOf(level);
    for (const [k, value] of [f1, timeMs, Number(onDevice)].entries()) {
      parts[first + k]!.of[unitOf[i]!]! += value;
      parts[first + k]!.over[unitOf[i]!]! += 1;
    }
  });
  return parts;
}

it.each([
  ["levels of equal size", alike, single],
  ["levels of unequal size", unlike, single],
  ["sources of unequal size", alike, sources],
])(
  "equal models differ at 0.05 in 3.5 to 6.5% of cases by a composite metric: %s",
  (name, levelOf, unitOf) => {
    expectLevel(name, (draws) => {
      const a = levelOf.map((level) => anAnswer(draws, level));
      const b = a.map((one) => (draws.chance(INDEPENDENT) ? anAnswer(draws, one.level) : one));
      const [x, y] = [sumsOf(a, unitOf), sumsOf(b, unitOf)];
      const tested = [x, y].map((parts) => linearisedComposite(parts, composite));
      const ranks = wilcoxon(compositeDifferences(x, y, composite));
      return [pairedT(tested[0]!, tested[1]!).p, ranks.p];
    });
  },
);
