import fc from "fast-check";
import { expect, test } from "vitest";
import { IdTable } from "./id-table.ts";

test("IdTable numbers ids in order of appearance, each once", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 4 })), (ids) => {
      const table = new IdTable();
      const known = new Map<string, number>();
      for (const id of ids) {
        const number = known.get(id) ?? known.size;
        known.set(id, number);
        expect(table.add(id)).toBe(number);
      }
      expect(table.size).toBe(known.size);
    }),
  );
});

test("IdTable distinguishes 200,000 similar ids", () => {
  const table = new IdTable();
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 200_000; i++) {
      if (table.add(`sample-${i}`) !== i)
        expect.unreachable(`sample-${i} has the number of another id`);
    }
  }
  expect(table.size).toBe(200_000);
});
