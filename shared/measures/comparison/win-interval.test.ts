import { expect, it } from "vitest";
import { winInterval } from "./win-interval.ts";

const of = (samples: number, kind: "samples" | "clusters" = "samples") => ({
  samples,
  units: { kind, count: samples },
});

it("winInterval() is Wilson's interval of the samples, ties as halves", () => {
  const [low, high] = winInterval(0.7, of(40)) ?? [0, 0];
  expect(low).toBeCloseTo(0.5457, 4);
  expect(high).toBeCloseTo(0.8193, 4);
  expect(winInterval(0.5, of(3))?.map((end) => end.toFixed(3))).toEqual(["0.125", "0.875"]);
});

it("winInterval() turns with the pair", () => {
  const [low = 0, high = 0] = winInterval(0.3, of(40)) ?? [];
  const turned = winInterval(0.7, of(40)) ?? [0, 0];
  expect(1 - high).toBeCloseTo(turned[0], 12);
  expect(1 - low).toBeCloseTo(turned[1], 12);
});

it.each([
  ["of samples that share sources", of(40, "clusters")],
  ["below two samples", of(1)],
])("winInterval() is none %s", (_, comparison) => {
  expect(winInterval(0.5, comparison)).toBeNull();
});
