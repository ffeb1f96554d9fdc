import { expect, it } from "vitest";
import { suites } from "./registry.ts";
import { tableRows } from "./table-rows.ts";

it.each(suites.map((suite) => [suite.id, suite] as const))(
  "rows of a table become those of %s as its suite says",
  (id, suite) => {
    expect(tableRows[id]?.rowFromColumns).toBe(suite.rowFromColumns);
  },
);
