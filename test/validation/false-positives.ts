import { commonSamples } from "../../shared/measures/comparison/common-samples.ts";
import { marginTests } from "../../shared/measures/comparison/margin-tests.ts";
import { addRun, scoreTable } from "../../shared/measures/comparison/score-table.ts";
import { linearised, unitSums } from "../../shared/measures/comparison/unit-sums.ts";
import { pairedT, pairedTests } from "../../shared/stats/significance/paired-tests.ts";
import { detectableDifference } from "../../shared/stats/significance/power.ts";
import { type Check, clamped, Draws } from "./check.ts";

const group = "two equal models differ significantly at 0.05, by the t-test";
const SIMULATIONS = 10_000;
const MOST = 0.06;
const SIZES = [2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 30, 50, 200] as const;

/** Draws a model's score on a sample of this easiness. */
const kinds: Readonly<Record<string, (easy: number, draws: Draws) => number>> = {
  "scores with noise": (easy, draws) => clamped(easy + 0.2 * draws.normal()),
  "five levels, with many ties": (easy, draws) =>
    Math.round(4 * clamped(easy + 0.2 * draws.normal())) / 4,
  "right or wrong": (easy, draws) => Number(draws.isOne(easy)),
  "skewed: mostly right, sometimes far off": (easy, draws) =>
    draws.isOne(0.1) ? easy * draws.uniform() ** 2 : 1,
};

/** How often a test finds a difference between equal models. */
export function* falsePositives(scale: number): Generator<Check> {
  const of = Math.ceil(SIMULATIONS * scale);
  for (const [name, score] of Object.entries(kinds)) {
    for (const n of SIZES) {
      const what = `${name}, n = ${n}`;
      const draws = new Draws(what);
      let happened = 0;
      for (let i = 0; i < of; i++) {
        const samples = draws.list(n, () => draws.uniform());
        const [a, b] = [0, 1].map(() => samples.map((easy) => score(easy, draws)));
        if ((pairedTests(a!, b!).p ?? 1) < 0.05) happened++;
      }
      yield { group, what, of, happened, most: MOST };
    }
  }
  for (const [name, sizes] of Object.entries(sources)) {
    yield { group, what: `${name}, tested by source`, of, ...clusters(of, sizes), most: MOST };
  }
  // Without a bound; it shows the cost of omitting the tag.
  const name = "8 sources of 5 samples";
  const found = clusters(of, sources[name]!, false);
  yield { group, what: `${name}, not tagged: tested by sample`, of, ...found };
}

const ofMargins = "a model that is worse by the margin is shown to be no worse, or the same";
const MARGIN = 0.05;

/** How often a model that is worse by exactly the margin is found to be no worse or the same. */
export function* marginLevel(scale: number): Generator<Check> {
  const of = Math.ceil(SIMULATIONS * scale);
  for (const [name, { most, differ }] of Object.entries(differing)) {
    for (const n of [5, 15, 30, 50, 200]) {
      const what = `${name}, n = ${n}`;
      const draws = new Draws(`${what} margin`);
      let happened = 0;
      for (let i = 0; i < of; i++) {
        const pair = pairOf(draws.list(n, () => differ(draws)));
        const units = { kind: "samples" as const, count: n };
        const [tested] = marginTests({ pairs: [pair], units, better: "higher" }, MARGIN).pairs;
        if (tested?.verdict !== "not-shown" && tested?.verdict !== "b-no-worse") happened++;
      }
      const bound = most === undefined ? {} : { most };
      yield { group: ofMargins, what, of, happened, ...bound };
    }
  }
}

/** Distributions of differences with the mean −MARGIN. */
const differing: Readonly<Record<string, { most?: number; differ: (draws: Draws) => number }>> = {
  "scores with noise": { most: MOST, differ: (draws) => 0.2 * draws.normal() - MARGIN },
  "right or wrong, 15% lost and 10% won": {
    most: MOST,
    differ: (draws) => {
      const place = draws.uniform();
      return place < 0.15 ? -1 : Number(place > 0.9);
    },
  },
  // Without a bound, because samples without a failure can't show that failures occur.
  "5% of answers fail, the others are equal within 0.01": {
    differ: (draws) => (draws.isOne(0.05) ? -1 : 0.01 * (draws.uniform() - 0.5)),
  },
};

/** The fields of a pair that the tests against a margin use. */
function pairOf(differences: readonly number[]) {
  const zeros = differences.map(() => 0);
  const { t, sdDifference, meanDifference } = pairedT(differences, zeros);
  return {
    a: "a",
    b: "b",
    t,
    difference: { value: meanDifference ?? 0, interval: null },
    detectableDifference: detectableDifference(sdDifference, differences.length),
  };
}

/** Number of samples of each source. */
const sources: Readonly<Record<string, readonly number[]>> = {
  "8 sources of 5 samples": Array<number>(8).fill(5),
  "8 sources of 1 to 8 samples": [1, 2, 3, 4, 5, 6, 7, 8],
  "8 sources, one of 40 samples and seven of 4": [40, ...Array<number>(7).fill(4)],
  "8 sources, two of 30 samples and six of 2": [30, 30, ...Array<number>(6).fill(2)],
  "20 sources of 1 to 20 samples": Array.from({ length: 20 }, (_, i) => i + 1),
  "20 sources, one of 60 samples and nineteen of 3": [60, ...Array<number>(19).fill(3)],
};

/** How often models that prefer some sources differ, tested like `compareMetric`, by source or by sample. */
function clusters(of: number, sizes: readonly number[], isTagged = true) {
  const unitOf = sizes.flatMap((size, source) => Array<number>(size).fill(source));
  const ids = unitOf.map((_, i) => `s${i}`);
  const draws = new Draws(`sources of ${sizes}, tested by source`);
  let happened = 0;
  for (let i = 0; i < of; i++) {
    const likings = [0, 1].map(() => sizes.map(() => 0.3 * draws.normal()));
    const runs = likings.map((liking) => ({
      ids,
      clusters: isTagged ? unitOf.map(String) : null,
      lacking: [],
      values: {
        m: {
          of: unitOf.map((unit) => clamped(0.6 + liking[unit]! + 0.2 * draws.normal())),
          over: null,
        },
      },
    }));
    const table = scoreTable(runs[0]!);
    for (const [run, scores] of runs.entries()) addRun(table, `${run}`, scores);
    const common = commonSamples(table, "m");
    const [a, b] = unitSums(common).map(([sums]) => linearised(sums!));
    if ((pairedT(a!, b!, common.weights).p ?? 1) < 0.05) happened++;
  }
  return { happened };
}
