import { pairedTests } from "../../shared/stats/significance/paired-tests.ts";
import { type Check, clamped, Draws } from "./check.ts";

const group = "two equal models differ significantly at 0.05, by the t-test";
const SIMULATIONS = 10_000;
const MOST = 0.06;
const SIZES = [2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 30, 50, 200] as const;

/** A score of a model on a sample of this difficulty. */
const kinds: Readonly<Record<string, (easy: number, draws: Draws) => number>> = {
  "scores with noise": (easy, draws) => clamped(easy + 0.2 * draws.normal()),
  "five levels, with many ties": (easy, draws) =>
    Math.round(4 * clamped(easy + 0.2 * draws.normal())) / 4,
  "right or wrong": (easy, draws) => Number(draws.isOne(easy)),
  "skewed: mostly right, sometimes far off": (easy, draws) =>
    draws.isOne(0.1) ? easy * draws.uniform() ** 2 : 1,
};

/** How often a test finds a difference where there is none. */
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
  yield { ...clusters(of, true), most: MOST };
  // Shown for what it costs to leave the tag out: it has no bound.
  yield clusters(of, false);
}

/** Eight sources of five samples, whose models differ by source as well; tested by source, or as if independent. */
function clusters(of: number, isTagged: boolean): Check {
  const what = `8 sources of 5 samples, ${isTagged ? "tested by source" : "not tagged: tested by sample"}`;
  const draws = new Draws("8 sources of 5 samples, tested by source");
  let happened = 0;
  for (let i = 0; i < of; i++) {
    const [a, b] = [0, 1].map(() =>
      draws.list(8, () => {
        const liking = 0.3 * draws.normal();
        return draws.list(5, () => clamped(0.6 + liking + 0.2 * draws.normal()));
      }),
    );
    const unitsOf = (sources: number[][]) =>
      isTagged
        ? sources.map((scores) => scores.reduce((sum, one) => sum + one / 5, 0))
        : sources.flat();
    if ((pairedTests(unitsOf(a!), unitsOf(b!)).p ?? 1) < 0.05) happened++;
  }
  return { group, what, of, happened };
}
