import { expect, it } from "vitest";
import { noNumbers, toolsColumns } from "./columns.ts";
import { thresholdCurve, thresholdIntervals } from "./threshold-curve.ts";

const valuesOf = (numbers: ReturnType<typeof noNumbers>) =>
  toolsColumns.map((name) => numbers[name]);

/** Answers on which the device is right in two of three cases, and the cloud always. */
const answers = Array.from({ length: 120 }, (_, i) => {
  const level = (["easy", "medium", "hard"] as const)[i % 3]!;
  return {
    id: `s${i}`,
    cluster: null as string | null,
    values: valuesOf({
      ...noNumbers(),
      [`${level}Samples`]: 1,
      localAsked: 1,
      localTimed: 1,
      cloudAsked: 1,
      cloudTimed: 1,
      confidence: (i % 10) / 10,
      localF1: +((i * 7) % 30 > 9),
      cloudF1: 1,
      localSlowness: 0.1,
      cloudSlowness: 0.4 + (i % 4) / 10,
    }),
  };
});
const rows = answers.map(({ values }) => values);
const thresholds = [0, 0.5, null];

it("thresholdIntervals() contain the points of the curve, and are null if nothing varies", () => {
  const { points } = thresholdCurve(rows, 0.5);
  for (const found of thresholdIntervals(answers, thresholds, "run")) {
    const point = points.find(({ threshold }) => threshold === found.threshold);
    for (const id of ["total", "avgF1", "onDevice", "slowness"] as const) {
      if (found[id] === null) continue;
      expect(found[id]?.[0]).toBeLessThanOrEqual((point?.[id] ?? Number.NaN) + 1e-9);
      expect(found[id]?.[1]).toBeGreaterThanOrEqual((point?.[id] ?? Number.NaN) - 1e-9);
    }
  }
  const [device, own, cloud] = thresholdIntervals(answers, thresholds, "run");
  expect([device?.onDevice, cloud?.onDevice]).toEqual([null, null]);
  expect(own?.onDevice).not.toBeNull();
  const [low = 0, high = 0] = own?.total ?? [];
  expect(high - low).toBeGreaterThan(0.02);
  expect(high - low).toBeLessThan(0.2);
});

it("thresholdIntervals() resamples whole clusters, and returns null for a single cluster", () => {
  const shared = answers.map((answer) => ({ ...answer, cluster: "user" }));
  expect(thresholdIntervals(shared, [0.5], "run")[0]?.total).toBeNull();
});
