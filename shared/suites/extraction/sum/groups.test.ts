import { expect, test } from "vitest";
import { runBasis } from "../../../measures/run-sums/run-basis.ts";
import { bootstrap, partResamples } from "../../../stats/bootstrap/bootstrap.ts";
import { sumFigures } from "../../../stats/bootstrap/percentile-figures.ts";
import { ratiosOf } from "../../../stats/bootstrap/statistics.ts";
import { aSyntheticSample } from "../__fixtures__/synthetic.ts";
import { shownGroups } from "./breakdown/group-breakdown.ts";
import { at } from "./columns.ts";
import { groupsBySample, groupsWithSamples, namedGroups, spreadsByPart } from "./groups.ts";
import { addAnswer, noAnswers } from "./state.ts";
import { groupSpreads } from "./summarize.ts";

type Scored = Parameters<typeof addAnswer>[1];

const stateOf = (samples: readonly Scored[]) => samples.reduce(addAnswer, noAnswers());
const groupsOf = (state: ReturnType<typeof stateOf>) => {
  const { bins, tags } = shownGroups(namedGroups(state, 1));
  return [...bins, ...tags];
};
const heldOf = (state: ReturnType<typeof stateOf>) => groupsWithSamples(namedGroups(state, 1));
const state = stateOf(Array.from({ length: 400 }, (_, seq) => aSyntheticSample(seq)));
const spreadsOf = (of: ReturnType<typeof stateOf>) =>
  groupSpreads(of, runBasis(of.run, 1), groupsOf(of), heldOf(of), "run");
const spreadOf = (of: ReturnType<typeof stateOf>, name: string) =>
  [...spreadsOf(of)].find(([group]) => group.name === name)![1];

/** The interval of the mean over units with `n` > 0, from resamples of all units. */
function meanInterval(units: readonly { eqs: number; n: number }[]) {
  const column = (of: "eqs" | "n") => Float64Array.from(units, (one) => one[of]);
  const mean = sumFigures([column("eqs"), column("n")], ratiosOf([[0, 1]]));
  const [interval] = bootstrap(units.length, "run", [mean], { resamples: partResamples });
  return interval!.map((end) => expect.closeTo(end, 12));
}

test("groupSpreads() computes a group's interval from 2,000 resamples of the run's samples", () => {
  const english = spreadOf(state, "en");
  expect(english.resampled).toBe("samples");
  const units = state.kept.map(({ tags }, k) =>
    tags["language"] === "en"
      ? { eqs: state.run.rows[k]!.values[at.eqs]!, n: 1 }
      : { eqs: 0, n: 0 },
  );
  expect(english.intervals["eqs"]).toEqual(meanInterval(units));
});

test("groupSpreads() resamples clusters if samples have them", () => {
  const clustered = stateOf(
    Array.from({ length: 60 }, (_, seq) => {
      const one = aSyntheticSample(seq);
      return { ...one, tags: { ...one.tags, cluster: `c${seq % 6}` } };
    }),
  );
  const sums = new Map<string, { eqs: number; n: number }>();
  for (const [k, { cluster, bin }] of clustered.kept.entries()) {
    const eqs = clustered.run.rows[k]!.values[at.eqs]!;
    const known = sums.get(cluster!) ?? { eqs: 0, n: 0 };
    const isIn = bin === "complex";
    sums.set(cluster!, { eqs: known.eqs + (isIn ? eqs : 0), n: known.n + Number(isIn) });
  }
  expect(spreadOf(clustered, "complex").intervals["eqs"]).toEqual(meanInterval([...sums.values()]));
});

test("groupSpreads() returns no interval for a group with a single unit", () => {
  const samples = Array.from({ length: 30 }, (_, seq) => {
    const one = aSyntheticSample(seq);
    const kind = seq < 12 ? "alone" : "others";
    return { ...one, tags: { kind, cluster: seq < 12 ? "c" : `c${seq}` } };
  });
  const clustered = stateOf(samples);
  expect(spreadOf(clustered, "alone").intervals["eqs"]).toBeNull();
  expect(spreadOf(clustered, "others").intervals["eqs"]).not.toBeNull();
});

test("groupsBySample() selects bins and tags with few values first, within its budget", () => {
  const groups = groupsOf(state);
  const bySample = groupsBySample(groups);
  const kinds = (key: string | null) => {
    const spreads = spreadsOf(state);
    return new Set(
      [...spreads].flatMap(([group, { resampled }]) => (group.key === key ? [resampled] : [])),
    );
  };
  expect(new Set(bySample.map(({ key }) => key))).toEqual(new Set([null, "language"]));
  expect([kinds(null), kinds("language"), kinds("source")]).toEqual([
    new Set(["samples"]),
    new Set(["samples"]),
    new Set(["groups"]),
  ]);
});

test("resampling by samples and by parts gives a group the same sums and similar intervals", () => {
  const { bins } = shownGroups(namedGroups(state, 1));
  const byPart = spreadsByPart(bins, heldOf(state), "run");
  bins.forEach(({ name }, k) => {
    const [a, b] = [spreadOf(state, name), byPart[k]!];
    expect([...b.sums]).toEqual([...a.sums].map((sum) => expect.closeTo(sum, 9)));
    const [low, high] = a.intervals["eqs"]!;
    const [otherLow, otherHigh] = b.intervals["eqs"]!;
    expect((otherHigh - otherLow) / (high - low)).toBeGreaterThan(0.6);
    expect((otherHigh - otherLow) / (high - low)).toBeLessThan(1.6);
  });
});
