import { expect } from "vitest";
import { pearson } from "../../shared/stats/correlation/pearson.ts";
import { holm } from "../../shared/stats/significance/holm.ts";
import { pairedTests } from "../../shared/stats/significance/paired-tests.ts";
import { percentile } from "../../shared/stats/sums/percentile.ts";
import { jsonLines } from "../support/json-lines.ts";

/** A worked case of two models' scores. */
interface PairCase {
  a: number[];
  b: number[];
  paired: Record<string, number | null>;
  percentilesA: [number, number, number];
  pearson: { r: number | null; p: number | null };
}

/** A worked case of one family of tests. */
interface FamilyCase {
  pValues: number[];
  holm: number[];
}

const shares = [0.5, 0.95, 0.99];

/** Largest accepted difference of a number; p-values are integrals and less exact. */
const toleranceOf = (name: string) => (/p$/i.test(name) ? 1e-6 : 1e-9);

/** Checks every worked case in JSONL text and returns the number of cases. */
export function expectStatistics(jsonl: string): number {
  const cases: (PairCase | FamilyCase)[] = jsonLines(jsonl);
  for (const [i, one] of cases.entries()) {
    const found = "holm" in one ? ofFamily(one) : ofPair(one);
    const wanted = "holm" in one ? numbered(one.holm) : flat(one);
    for (const [name, value] of Object.entries(wanted)) {
      expectClose(found[name], value, `row ${i + 1}, ${name}`, toleranceOf(name));
    }
  }
  return cases.length;
}

type Figures = Record<string, number | null | undefined>;

const numbered = (values: readonly (number | null)[]): Figures =>
  Object.fromEntries(values.map((value, i) => [`${i}`, value]));

const flat = ({ paired, percentilesA, pearson: { r, p } }: PairCase): Figures => ({
  ...paired,
  ...numbered(percentilesA),
  r,
  pearsonP: p,
});

function ofPair({ a, b }: PairCase): Figures {
  const sorted = [...a].sort((x, y) => x - y);
  const { r, p } = pearson(a, b);
  return {
    ...pairedTests(a, b),
    ...numbered(shares.map((share) => percentile(sorted, share))),
    r,
    pearsonP: p,
  };
}

const ofFamily = ({ pValues }: FamilyCase): Figures => numbered(holm(pValues));

function expectClose(
  found: number | null | undefined,
  wanted: number | null | undefined,
  name: string,
  tolerance: number,
): void {
  if (typeof wanted !== "number") expect(found, name).toBe(wanted);
  else expect(Math.abs((found ?? Number.NaN) - wanted), name).toBeLessThanOrEqual(tolerance);
}
