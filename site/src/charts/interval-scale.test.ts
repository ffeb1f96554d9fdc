import { expect, it } from "vitest";
import { intervalScale, place } from "./interval-scale.ts";

const estimate = (value: number | null, interval: [number, number] | null) => ({
  ...{ value, interval },
  ...{ n: 10, coverage: 1 },
});

it("intervalScale() holds every interval between round ticks", () => {
  const scale = intervalScale([estimate(0.71, [0.68, 0.74]), estimate(0.87, [0.83, 0.91])]);
  expect(scale).toEqual({ min: 0.6, max: 1, ticks: [0.6, 0.7, 0.8, 0.9, 1] });
});

it("intervalScale() has a width when all values are one", () => {
  const { min, max } = intervalScale([estimate(1, [1, 1])]);
  expect(max).toBeGreaterThan(min);
});

it("intervalScale() is 0–1 when nothing was measured", () => {
  expect(intervalScale([estimate(null, null)])).toEqual({ min: 0, max: 1, ticks: [0, 0.5, 1] });
});

it("place() puts the ends of the scale at the margins", () => {
  const scale = intervalScale([]);
  expect([place(scale, 0, 176, 14), place(scale, 1, 176, 14)]).toEqual([14, 162]);
});
