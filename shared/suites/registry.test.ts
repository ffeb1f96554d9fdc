import { expect, test } from "vitest";
import { suiteById, suites } from "./registry.ts";
import { tableRows } from "./table-rows.ts";

test("suiteById() finds each suite by its id, and nothing by an unknown id", () => {
  for (const suite of suites) expect(suiteById(suite.id)).toBe(suite);
  expect(suiteById("none")).toBeUndefined();
});

test("suites have distinct ids", () => {
  expect(new Set(suites.map(({ id }) => id)).size).toBe(suites.length);
});

test.each(suites.map((suite) => [suite.id, suite] as const))(
  "tableRows has the rowFromColumns() of suite %s",
  (id, suite) => {
    expect(tableRows[id]?.rowFromColumns).toBe(suite.rowFromColumns);
  },
);
