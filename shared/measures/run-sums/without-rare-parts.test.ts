import { expect, it } from "vitest";
import { memory } from "../../suites/memory/suite.ts";
import { slots } from "../../suites/slots/suite.ts";
import { tools } from "../../suites/tools/suite.ts";
import { withoutRareParts } from "./without-rare-parts.ts";

const rows = [1, 2, 3, 9].map((n) => ({ name: `in ${n}`, n }));

it("withoutRareParts() keeps names with at least three answers, and no rows of a table without counts", () => {
  const breakdown = { samples: 9, topics: rows, arguments: [{ name: "x" }] };
  expect(withoutRareParts(breakdown, { topics: "n", arguments: null, users: "n" })).toEqual({
    samples: 9,
    topics: rows.slice(2),
    arguments: [],
  });
});

it.each([
  [tools, ["functions", "sources", "tags"]],
  [slots, ["topics", "users", "sessions", "tags"]],
  [memory, ["tags"]],
])("breakdownWithoutSamples() of %o omits names with few answers", (suite, tables) => {
  const breakdown = Object.fromEntries(tables.map((table) => [table, rows]));
  const published = suite.breakdownWithoutSamples?.(breakdown) as Record<string, object[]>;
  for (const table of tables) expect(published[table]).toEqual(rows.slice(2));
});
