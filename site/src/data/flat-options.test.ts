import { expect, it } from "vitest";
import { flatOptions } from "./flat-options.ts";

it("flatOptions() names nested options with dots and prints values as JSON", () => {
  expect(flatOptions({ weights: { validity: 0.15 }, seed: null, stop: ["a"], none: {} })).toEqual([
    { name: "weights.validity", value: "0.15" },
    { name: "seed", value: "null" },
    { name: "stop", value: '["a"]' },
    { name: "none", value: "{}" },
  ]);
});
