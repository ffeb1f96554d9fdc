import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { dumpOf, queryOf } from "./cloud/control/dump.ts";

it("dumpOf() reads a consistent state of all tables while a Worker moves rows between them", async () => {
  const live = new DatabaseSync(":memory:");
  live.exec(`CREATE TABLE leases (unit INTEGER PRIMARY KEY); CREATE TABLE samples (unit INTEGER, text TEXT);
    CREATE INDEX by_unit ON samples (unit); INSERT INTO leases VALUES (1), (2), (3), (4), (5), (6)`);
  let moved = 0;
  const query = async (_: string, sql: string) => {
    const results = sql.split(";\n").map((one) => ({ results: live.prepare(one).all() }));
    moved += 1;
    live.exec(`INSERT INTO samples VALUES (${moved}, 'it''s ${moved}');
      DELETE FROM leases WHERE unit = ${moved}`);
    return results;
  };

  const dump = await dumpOf(queryOf({ query }), "d");

  const restored = new DatabaseSync(":memory:");
  restored.exec(dump.join(";\n"));
  const units = restored
    .prepare("SELECT unit FROM leases UNION ALL SELECT unit FROM samples")
    .all();
  expect(units.map(({ unit }) => unit).sort()).toEqual([1, 2, 3, 4, 5, 6]);
  expect(restored.prepare("SELECT count(*) AS n FROM samples").get()).toEqual({ n: moved - 1 });
  expect(restored.prepare("SELECT text FROM samples WHERE unit = 1").get()).toEqual({
    text: "it's 1",
  });
  expect(dump.at(-1)).toContain("CREATE INDEX by_unit");
});
