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
  ["with exactly one variant", { temperature: 0.2, top_p: 0.9 }, [0.1, 0.3]],
  ["with a parameter left to the endpoint", { temperature: 0.2, top_p: null }, [0.1, 0.3]],
])(
  "sweepCellInterval() is the variant's own interval in a cell %s",
  (_, at, [low = 0, high = 0]) => {
    const interval = sweepCellInterval(variants, "overall", at);
    expect(interval).toEqual([expect.closeTo(low, 9), expect.closeTo(high, 9)]);
  },
);

it.each([
  ["several variants", "overall", { temperature: 0.7, top_p: 0.9 }],
  ["no variant", "overall", { temperature: 0.7, top_p: null }],
  ["a variant that is left out", "overall", { temperature: 1, top_p: 0.9 }],
  ["a variant without the metric", "coherence", { temperature: 0.2, top_p: 0.9 }],
])("sweepCellInterval() is null for a cell of %s", (_, metric, at) => {
  expect(sweepCellInterval(variants, metric, at)).toBeNull();
});
