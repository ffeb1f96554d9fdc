import { describe, expect, it } from "vitest";
import { noNumbers, toolsColumns } from "./columns.ts";
import { thresholdCurve } from "./threshold-curve.ts";

interface Routed {
  confidence: number;
  localF1: number;
  /** Null: the cloud was not asked. */
  cloudF1?: number | null;
  localFailed?: number;
}

const valuesOf = (numbers: ReturnType<typeof noNumbers>) =>
  toolsColumns.map((name) => numbers[name]);

const row = ({ confidence, localF1, cloudF1 = 1, localFailed = 0 }: Routed) =>
  valuesOf({
    ...noNumbers(),
    easySamples: 1,
    localAsked: 1,
    localTimed: 1,
    confidence,
    localF1,
    localFailed,
    cloudAsked: +(cloudF1 !== null),
    cloudTimed: +(cloudF1 !== null),
    cloudF1: cloudF1 ?? 0,
    localSlowness: 0.1,
    cloudSlowness: cloudF1 === null ? 0 : 0.5,
  });

describe("thresholdCurve()", () => {
  it("routes stored answers again at every confidence, and finds the best threshold", () => {
    const { points, best } = thresholdCurve(
      [
        row({ confidence: 0.9, localF1: 1 }),
        row({ confidence: 0.6, localF1: 1 }),
        row({ confidence: 0.3, localF1: 0 }),
      ],
      0.5,
    );
    expect(points.map(({ threshold }) => threshold)).toEqual([0, 0.3, 0.5, 0.6, 0.9, 1, null]);
    expect(points.map(({ onDevice }) => Math.round(onDevice * 3))).toEqual([3, 3, 2, 2, 1, 0, 0]);
    expect(points.map(({ avgF1 }) => Math.round(avgF1 * 3))).toEqual([2, 2, 3, 3, 3, 3, 3]);
    // 0.60 · 1 + 0.15 · (1 − (0.1 + 0.1 + 0.6) / 3) + 0.25 · 2/3
    const total = 0.6 + 0.15 * (1 - 0.8 / 3) + 0.5 / 3;
    expect(best).toMatchObject({ threshold: 0.5, total: expect.closeTo(total, 12) });
    expect(points.at(-2)?.slowness).toBeCloseTo(0.6);
    expect(points.at(-1)?.slowness).toBeCloseTo(0.5);
  });

  it("ends at the run's threshold if the cloud was not asked for every sample", () => {
    const rows = [
      row({ confidence: 0.95, localF1: 1, cloudF1: null }),
      row({ confidence: 0.9, localF1: 1, cloudF1: null }),
      row({ confidence: 0.4, localF1: 0 }),
    ];
    const { points, best } = thresholdCurve(rows, 0.8);
    expect(points.map(({ threshold }) => threshold)).toEqual([0, 0.4, 0.8]);
    expect(points.at(-1)).toMatchObject({ avgF1: 1, onDevice: 2 / 3 });
    expect(best?.threshold).toBe(0.8);
  });

  it("uses the cloud's answer if the local call failed, even at threshold 0, and adds the local time", () => {
    const { points } = thresholdCurve([row({ confidence: 1, localF1: 0, localFailed: 1 })], 0.5);
    expect(points[0]).toMatchObject({ threshold: 0, onDevice: 0, avgF1: 1, slowness: 0.6 });
  });

  it("prefers the lower of two equally good thresholds", () => {
    expect(thresholdCurve([row({ confidence: 0.5, localF1: 1 })], 0.5).best?.threshold).toBe(0);
  });

  it("chooses the best of all confidences, and keeps about 100 points", () => {
    const rows = Array.from({ length: 1_000 }, (_, i) => {
      return row({ confidence: i / 999, localF1: i < 437 ? 0 : 1 });
    });
    const { points, best } = thresholdCurve(rows, 1);
    expect(best?.threshold).toBe(437 / 999);
    expect(points.length).toBeLessThan(110);
    expect(points).toContain(best);
    expect([points[0]?.threshold, points.at(-2)?.threshold]).toEqual([0, 1]);
  });

  it("agrees with routing each threshold separately", () => {
    let seed = 1;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const rows: Routed[] = Array.from({ length: 60 }, () => ({
      confidence: Math.round(random() * 20) / 20,
      localF1: random(),
      cloudF1: random(),
      localFailed: +(random() < 0.1),
    }));
    for (const { threshold, avgF1, onDevice } of thresholdCurve(rows.map(row), 0.5).points) {
      if (threshold === null) continue;
      const local = rows.filter((one) => !one.localFailed && one.confidence >= threshold);
      const cloud = rows.filter((one) => !local.includes(one));
      const sum =
        local.reduce((all, one) => all + one.localF1, 0) +
        cloud.reduce((all, one) => all + (one.cloudF1 ?? 0), 0);
      expect(avgF1).toBeCloseTo(sum / 60, 12);
      expect(onDevice).toBeCloseTo(local.length / 60, 12);
    }
  });

  it("is empty without hybrid answers", () => {
    const none = thresholdCurve([valuesOf(noNumbers())], 0.5);
    expect(none).toEqual({ points: [], best: null });
  });
});
