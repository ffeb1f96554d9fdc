import { expect, it } from "vitest";
import { runOptionsSchema } from "#shared/contracts/submission.ts";
import { runOptions } from "./run-options.ts";

it("runOptions has every option of every suite, each with what it may be", () => {
  const { properties = {} } = runOptions;
  expect(Object.keys(properties)).toEqual(Object.keys(runOptionsSchema.shape));
  expect(Object.values(properties).every(({ type }) => type !== undefined)).toBe(true);
  expect(properties["sweep"]?.description).toContain("every combination");
});
