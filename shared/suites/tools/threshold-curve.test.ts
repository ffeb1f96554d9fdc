import { expect, it } from "vitest";
import { inOrder } from "../../measures/run-sums/columns.ts";
import { noNumbers, toolsColumns } from "./columns.ts";
import { bestPoint, thresholdCurve } from "./threshold-curve.ts";

interface Both {
  confidence: number;
  localF1: number;
  cloudF1?: number;
  localFailed?: number;
}

const row = ({ confidence, localF1, cloudF1 = 1, localFailed = 0 }: Both) =>
  inOrder(toolsColumns, {
    ...noNumbers(),
    ...{ easySamples: 1, bothAsked: 1, cloudTimed: 1, confidence, localF1, cloudF1, localFailed },
    ...{ localSlowness: 0.1, cloudSlowness: 0.5 },
  });

it("routes stored answers anew at every confidence, and finds the best", () => {
  const curve = thresholdCurve(
    [
      row({ confidence: 0.9, localF1: 1 }),
      row({ confidence: 0.6, localF1: 1 }),
      row({ confidence: 0.3, localF1: 0 }),
    ],
    0.5,
  );
  expect(curve.map(({ threshold }) => threshold)).toEqual([0, 0.3, 0.5, 0.6, 0.9, 1, null]);
  expect(curve.map(({ onDevice }) => Math.round(onDevice * 3))).toEqual([3, 3, 2, 2, 1, 0, 0]);
  expect(curve.map(({ avgF1 }) => Math.round(avgF1 * 3))).toEqual([2, 2, 3, 3, 3, 3, 3]);
  // 0.60 · 1 + 0.15 · (1 − (0.1 + 0.1 + 0.6) / 3) + 0.25 · 2/3
  const best = 0.6 + 0.15 * (1 - 0.8 / 3) + 0.5 / 3;
  expect(bestPoint(curve)).toMatchObject({ threshold: 0.5, total: expect.closeTo(best, 12) });
  expect(curve.at(-2)?.slowness).toBeCloseTo(0.6);
  expect(curve.at(-1)?.slowness).toBeCloseTo(0.5);
});

it("leaves what the local endpoint failed on to the cloud, even at 0", () => {
  const [point] = thresholdCurve([row({ confidence: 1, localF1: 0, localFailed: 1 })], 0.5);
  expect(point).toMatchObject({ threshold: 0, onDevice: 0, avgF1: 1, slowness: 0.5 });
});

it("takes the lower of two thresholds that do equally well", () => {
  const curve = thresholdCurve([row({ confidence: 0.5, localF1: 1 })], 0.5);
  expect(bestPoint(curve)?.threshold).toBe(0);
});

it("tries a hundred thresholds at the most, the ends among them", () => {
  const rows = Array.from({ length: 1_000 }, (_, i) => row({ confidence: i / 999, localF1: 1 }));
  const thresholds = thresholdCurve(rows, 1).map(({ threshold }) => threshold);
  expect(thresholds).toHaveLength(101);
  expect([thresholds[0], thresholds.at(-2)]).toEqual([0, 1]);
});

it("is empty without answers of both", () => {
  expect(thresholdCurve([inOrder(toolsColumns, noNumbers())], 0.5)).toEqual([]);
  expect(bestPoint([])).toBeNull();
});
