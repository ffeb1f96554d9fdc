import { expect, test } from "vitest";
import { suiteById, suites } from "./registry.ts";

test("suiteById() finds each suite by its id, and no other", () => {
  for (const suite of suites) expect(suiteById(suite.id)).toBe(suite);
  expect(suiteById("none")).toBeUndefined();
});

test("suites have distinct ids", () => {
  expect(new Set(suites.map(({ id }) => id)).size).toBe(suites.length);
});
