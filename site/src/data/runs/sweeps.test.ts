import { expect, it } from "vitest";
import { sweepCellInterval } from "./sweeps.ts";

const aVariant = (
  temperature: number,
  topP: number | null,
  seed = 1,
  leftOut: string | null = null,
) => ({
  variant: { temperature, top_p: topP, seed },
  metrics: {
    overall: {
      value: temperature,
      n: 9,
      coverage: 1,
      interval: [temperature - 0.1, temperature + 0.1] as [number, number],
    },
  },
  leftOut,
});

const variants = [
  aVariant(0.2, 0.9),
  aVariant(0.2, null),
  aVariant(0.7, 0.9),
  aVariant(0.7, 0.9, 2),
  aVariant(1, 0.9, 1, "failed"),
];

it.each([
  ["of one variant alone", { temperature: 0.2, top_p: 0.9 }, [0.1, 0.3]],
  ["of a value left to the endpoint", { temperature: 0.2, top_p: null }, [0.1, 0.3]],
])("sweepCellInterval() is that of the variant in a cell %s", (_, at, [low = 0, high = 0]) => {
  const interval = sweepCellInterval(variants, "overall", at);
  expect(interval).toEqual([expect.closeTo(low, 9), expect.closeTo(high, 9)]);
});

it.each([
  ["several variants", "overall", { temperature: 0.7, top_p: 0.9 }],
  ["none", "overall", { temperature: 0.7, top_p: null }],
  ["one that is left out", "overall", { temperature: 1, top_p: 0.9 }],
  ["a metric that it lacks", "coherence", { temperature: 0.2, top_p: 0.9 }],
])("sweepCellInterval() is null for a cell of %s", (_, metric, at) => {
  expect(sweepCellInterval(variants, metric, at)).toBeNull();
});
