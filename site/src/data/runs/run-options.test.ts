import { expect, it } from "vitest";
import { runOptionsSchema } from "#shared/contracts/submissions/submission.ts";
import { runOptions } from "./run-options.ts";
import { flatOptions } from "./run-state.ts";

it("runOptions has every option of every suite with its type", () => {
  const { properties = {} } = runOptions;
  expect(Object.keys(properties)).toEqual(Object.keys(runOptionsSchema.shape));
  expect(Object.values(properties).every(({ type }) => type !== undefined)).toBe(true);
  expect(properties["sweep"]?.description).toContain("each combination");
});

it("flatOptions() joins nested names with dots and prints values as JSON", () => {
  expect(flatOptions({ weights: { validity: 0.15 }, seed: null, stop: ["a"], none: {} })).toEqual([
    { name: "weights.validity", value: "0.15" },
    { name: "seed", value: "null" },
    { name: "stop", value: '["a"]' },
    { name: "none", value: "{}" },
  ]);
});
