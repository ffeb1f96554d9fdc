import { describe, expect, it } from "vitest";
import { mean, variance } from "../../stats/significance/moments.ts";
import { uniform } from "./__fixtures__/simulated-history.ts";
import { driftEvidence, isDrift, mostAtOneEnd } from "./drift-evidence.ts";
import {
  freshScores,
  independentDifference,
  isOfTraffic,
  trafficEvidence,
} from "./traffic-change.ts";

type Draw = (level: number, random: () => number) => number;

/** How scores of different samples vary around a level. */
const traffics: Record<string, Draw> = {
  "passes or fails": (level, random) => Number(random() < level),
  "scores anything": (level, random) => Math.min(1, Math.max(0, level + random() - 0.5)),
  "nearly always passes": (level, random) => (random() < 0.02 ? 0 : level),
};

const endsOf = <T>(all: readonly T[]): T[] => [
  ...all.slice(0, mostAtOneEnd),
  ...all.slice(mostAtOneEnd).slice(-mostAtOneEnd),
];

interface Stream {
  samples: number;
  versions: number;
  draw: Draw;
  levelAt?: (version: number) => number;
}

/** The first flagged version of a stream (from 1), compared with version 0. Draws every version. */
function firstFlagged(
  random: () => number,
  { samples, versions, draw, levelAt = () => 0.8 }: Stream,
) {
  const all: number[][] = [];
  let found: number | undefined;
  for (let version = 0; version <= versions; version++) {
    all.push(Array.from({ length: samples }, () => draw(levelAt(version), random)));
    if (version === 0 || found !== undefined) continue;
    const { difference } = independentDifference(all.at(-1)!, all[0]!)!;
    if (isDrift(trafficEvidence(endsOf(all)), difference)) found = version;
  }
  return found;
}

describe("trafficEvidence()", () => {
  it.each(Object.entries(traffics))(
    "flags at most one of twenty unchanged streams of traffic that %s",
    (name, draw) => {
      const random = uniform(`still ${name}`);
      for (const samples of [30, 60]) {
        const streams = Array.from({ length: 100 }, () =>
          firstFlagged(random, { samples, versions: 20, draw }),
        );
        const alarms = streams.filter((first) => first !== undefined).length;
        expect(alarms / streams.length).toBeLessThanOrEqual(0.05);
      }
    },
  );

  it.each([
    ["passes or fails", 200, 0.15],
    ["scores anything", 200, 0.1],
    ["nearly always passes", 200, 0.05],
  ])(
    "flags within five versions if traffic that %s, %i samples a version, falls by %f",
    (name, samples, fall) => {
      const random = uniform(`fall ${name}`);
      const levelAt = (version: number) => (version < 10 ? 0.8 : 0.8 - fall);
      const draw = traffics[name]!;
      const first = Array.from(
        { length: 30 },
        () => firstFlagged(random, { samples, versions: 14, draw, levelAt }) ?? 99,
      );
      expect(first.filter((version) => version < 10).length).toBeLessThanOrEqual(1);
      expect(
        first.filter((version) => version >= 10 && version < 15).length,
      ).toBeGreaterThanOrEqual(27);
    },
  );

  it("is 0 for one version, and small for equal ones", () => {
    expect(trafficEvidence([[1, 0, 1]])).toBe(0);
    expect(
      trafficEvidence([
        [1, 1],
        [1, 1],
      ]),
    ).toBeCloseTo(0.009, 12);
  });
});

/** The first finding if scores of the model or the traffic fall at the tenth version; the anchor has 50 samples. */
function firstFound(random: () => number, draw: Draw, fallsOn: "model" | "traffic", fall: number) {
  const anchorLevels = Array.from({ length: 50 }, random);
  const [fresh, anchor]: [number[][], Float64Array[]] = [[], []];
  for (let version = 0; version < 15; version++) {
    const lower = version < 10 ? 0 : fall;
    fresh.push(Array.from({ length: 200 }, () => draw(random() - lower, random)));
    const fallen = fallsOn === "model" ? lower : 0;
    anchor.push(Float64Array.from(anchorLevels, (level) => draw(level - fallen, random)));
    if (version === 0) continue;
    const paired = pairedDifference(anchor);
    if (isDrift(driftEvidence(endsOf(anchor)), paired.difference)) return "model";
    const change = independentDifference(fresh.at(-1)!, fresh[0]!)!;
    if (!isDrift(trafficEvidence(endsOf(fresh)), change.difference)) continue;
    return isOfTraffic(change, paired) ? "traffic" : "unclear";
  }
  return "nothing";
}

function pairedDifference(runs: readonly Float64Array[]) {
  const differences = Array.from(runs.at(-1)!, (score, i) => score - runs[0]![i]!);
  const difference = mean(differences);
  const half = 2.01 * Math.sqrt(variance(differences, 1) / differences.length);
  return { difference, interval: [difference - half, difference + half] as [number, number] };
}

describe("isOfTraffic()", () => {
  it.each(["passes or fails", "scores anything"])(
    "rarely attributes a fall to the wrong cause, for traffic that %s",
    (name) => {
      const random = uniform(`cause ${name}`);
      const found = (fallsOn: "model" | "traffic") =>
        Array.from({ length: 60 }, () => firstFound(random, traffics[name]!, fallsOn, 0.2));
      const [ofModel, ofTraffic] = [found("model"), found("traffic")];
      expect(ofModel.filter((one) => one === "nothing").length).toBeLessThanOrEqual(3);
      expect(ofModel.filter((one) => one === "traffic").length).toBeLessThanOrEqual(4);
      expect(ofTraffic.filter((one) => one === "nothing").length).toBeLessThanOrEqual(3);
      expect(ofTraffic.filter((one) => one === "model").length).toBeLessThanOrEqual(3);
      expect(ofTraffic.filter((one) => one === "traffic").length).toBeGreaterThanOrEqual(20);
    },
  );
});

it("freshScores() omits anchor and unscored samples, and averages the samples of a source", () => {
  const scores = {
    ids: ["a", "b", "c", "d", "e", "f"],
    clusters: [null, "x", "x", null, null, null],
    lacking: [4],
    values: { eqs: { of: [1, 2, 0, null, 1, 3], over: [1, 4, 4, 4, 1, 4] } },
  };
  expect(freshScores(scores, "eqs", new Set(["a"]))).toEqual([0.25, 0.75]);
  expect(freshScores(scores, "other", new Set())).toEqual([]);
});

it("independentDifference() has Welch's interval", () => {
  // scipy 1.16: ttest_ind([1, 2, 3], [2, 4, 6, 8], equal_var=False).confidence_interval()
  const found = independentDifference([1, 2, 3], [2, 4, 6, 8]);
  expect(found?.difference).toBe(-3);
  expect(found?.interval?.[0]).toBeCloseTo(-6.897975, 6);
  expect(found?.interval?.[1]).toBeCloseTo(0.897975, 6);
  expect(independentDifference([1, 1], [0, 0])).toEqual({ difference: 1, interval: null });
  expect(independentDifference([1], [0, 1])?.interval).toBeNull();
  expect(independentDifference([], [1])).toBeNull();
});

it.each([
  [-0.1, 0, 0.02, true],
  [-0.1, 0.04, 0.05, true],
  [-0.1, -0.04, 0.02, true],
  [-0.1, -0.06, 0.001, false],
  [-0.1, -0.1, 0.05, false],
  [-0.1, 0, 0.12, false],
  [0.1, 0, 0.02, true],
  [0.1, 0.08, 0.02, false],
] as const)(
  "isOfTraffic() for a change of %d and an anchor change of %d ± %d is %s",
  (difference, of, half, isIt) => {
    const change = {
      difference,
      interval: [difference - 0.03, difference + 0.03] as [number, number],
    };
    const anchor = { difference: of, interval: [of - half, of + half] as [number, number] };
    expect(isOfTraffic(change, anchor)).toBe(isIt);
    expect(isOfTraffic(change, null)).toBe(false);
    expect(isOfTraffic({ difference, interval: null }, anchor)).toBe(false);
  },
);
