import { describe, expect, it } from "vitest";
import {
  intervalScale,
  leadingScale,
  namedTicks,
  positionOn,
  sideBeyondScale,
} from "./interval-scale.ts";

const estimate = (value: number | null, interval: [number, number] | null) => ({
  value,
  interval,
  n: 10,
  coverage: 1,
});

it("intervalScale() contains every interval, between round ticks", () => {
  const scale = intervalScale([estimate(0.71, [0.68, 0.74]), estimate(0.87, [0.83, 0.91])]);
  expect(scale).toEqual({ min: 0.6, max: 1, ticks: [0.6, 0.7, 0.8, 0.9, 1] });
});

it("intervalScale() has a width if all values are equal", () => {
  const { min, max } = intervalScale([estimate(1, [1, 1])]);
  expect(max).toBeGreaterThan(min);
});

it("intervalScale() is 0–1 without measured values", () => {
  expect(intervalScale([estimate(null, null)])).toEqual({ min: 0, max: 1, ticks: [0, 0.5, 1] });
});

it("positionOn() maps the ends of the scale to the margins", () => {
  const scale = intervalScale([]);
  expect([positionOn(scale, 0, 176, 14), positionOn(scale, 1, 176, 14)]).toEqual([14, 162]);
});

describe("leadingScale()", () => {
  const near = Array.from({ length: 10 }, (_, i) => {
    const value = 0.99 - i * 0.001;
    return estimate(value, [value - 0.002, value + 0.002]);
  });
  const far = [estimate(0.6, [0.55, 0.65]), estimate(0.2, [0.1, 0.3])];

  it("excludes distant entries, so that a leading interval fills at least a twelfth of the axis", () => {
    const { min, max } = leadingScale([...near, ...far]);
    expect(0.004 / (max - min)).toBeGreaterThan(1 / 12);
    for (const { interval } of near) {
      expect(interval?.[0]).toBeGreaterThanOrEqual(min);
      expect(interval?.[1]).toBeLessThanOrEqual(max);
    }
    expect(far.map(({ value }) => sideBeyondScale({ min, max, ticks: [] }, value ?? 0))).toEqual([
      "below",
      "below",
    ]);
  });

  it("contains all entries if the intervals stay wide enough", () => {
    const all = [estimate(0.9, [0.85, 0.95]), estimate(0.4, [0.3, 0.5])];
    expect(leadingScale(all)).toEqual(intervalScale(all, 8));
  });

  it("contains all entries if no interval has a width", () => {
    const all = [estimate(1, [1, 1]), estimate(0.4, null), estimate(null, null)];
    expect(leadingScale(all)).toEqual(intervalScale(all, 8));
    expect(leadingScale([])).toEqual(intervalScale([]));
  });
});

it("namedTicks() are both ends, and the middle tick if there is one", () => {
  expect(namedTicks({ min: 0, max: 1, ticks: [0, 0.5, 1] })).toEqual([0, 0.5, 1]);
  expect(namedTicks({ min: 0, max: 0.9, ticks: [0, 0.3, 0.6, 0.9] })).toEqual([0, 0.9]);
});

it("positionOn() clamps values beyond the scale to its ends", () => {
  const scale = { min: 0.5, max: 1, ticks: [0.5, 1] };
  expect([positionOn(scale, 0.2, 176, 14), positionOn(scale, 1.2, 176, 14)]).toEqual([14, 162]);
});
