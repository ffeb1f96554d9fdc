import { it } from "vitest";
import { commonSamples } from "../../shared/measures/comparison/common-samples.ts";
import { addRun, scoreTable } from "../../shared/measures/comparison/score-table.ts";
import {
  linearised,
  unitDifferences,
  unitSums,
} from "../../shared/measures/comparison/unit-sums.ts";
import { pairedT } from "../../shared/stats/significance/paired-tests.ts";
import { wilcoxon } from "../../shared/stats/significance/wilcoxon.ts";
import type { Draws } from "../../simulator/draws.ts";
import { expectLevel } from "./simulated-scores.ts";

const SAMPLES = 200;
/** Share of samples that the second model answers independently; both give the same answer to the others. */
const INDEPENDENT = 0.3;

interface Share {
  of: number;
  over: number;
}

/** Ten sources of ten samples, the other samples single. */
const sources = Array.from({ length: SAMPLES }, (_, i) =>
  i < 100 ? `doc ${Math.floor(i / 10)}` : null,
);
const ids = sources.map((_, i) => `s${i}`);
const fields = ids.map((_, i) => 5 + ((i * 7) % 10));

const score = (draws: Draws): Share => ({ of: draws.chance(0.7) ? 1 : draws.unit(), over: 1 });

/** F1 over fields: most are right, and sometimes a few are hallucinated. */
const ratio = (draws: Draws, i: number): Share => {
  const right = Math.round(fields[i]! * (draws.chance(0.3) ? 0.6 : 0.95));
  return { of: 2 * right, over: 2 * fields[i]! + (draws.chance(0.3) ? draws.index(3) : 0) };
};

function table(a: readonly Share[], b: readonly Share[], clusters: typeof sources | null) {
  const scoresOf = (shares: readonly Share[]) => ({
    ids,
    clusters,
    lacking: [],
    values: { m: { of: shares.map(({ of }) => of), over: shares.map(({ over }) => over) } },
  });
  const found = scoreTable(scoresOf(a));
  addRun(found, "a", scoresOf(a));
  addRun(found, "b", scoresOf(b));
  return found;
}

it.each([
  ["scores", score, null],
  ["scores of sources of unequal size", score, sources],
  ["ratios of sums", ratio, null],
  ["ratios of sums over sources", ratio, sources],
] as const)(
  "equal models differ at 0.05 in 3.5 to 6.5% of cases by either test: %s",
  (name, draw, clusters) => {
    expectLevel(name, (draws) => {
      const a = ids.map((_, i) => draw(draws, i));
      const b = a.map((share, i) => (draws.chance(INDEPENDENT) ? draw(draws, i) : share));
      const common = commonSamples(table(a, b, clusters), "m");
      const [x, y] = unitSums(common).flat();
      const t = pairedT(linearised(x!), linearised(y!), common.weights);
      return [t.p, wilcoxon(unitDifferences(x!, y!)).p];
    });
  },
);
