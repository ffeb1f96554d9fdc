import fc from "fast-check";
import { expect, test } from "vitest";
import { addCounts } from "./binned-histogram.ts";
import { crowdsOf, entryIn, type FamilyRules, membersOf, noFamilies } from "./families.ts";

type Count = { count: number };
type Name = readonly [family: string, name: string];

function countOf(names: readonly Name[], most: number, total: number) {
  const rules: FamilyRules<Count> = { most, total, make: () => ({ count: 0 }), add: addCounts };
  const all = noFamilies<Count>();
  for (const [family, name] of names) entryIn(all, family, name, rules).entry.count++;
  return all;
}

const namesOf = (family: string, length: number): Name[] =>
  Array.from({ length }, (_, k) => [family, `${k}`]);

test("families keep all counts, and no more entries than the limit", () => {
  const letter = fc.constantFrom(..."abcdefgh", "__proto__");
  const someNames = fc.array(fc.tuple(letter, letter), { maxLength: 60 });
  fc.assert(
    fc.property(
      someNames,
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 20 }),
      (...given) => {
        const [names, most, total] = given;
        const all = countOf(names, most, total);
        const [members, crowds] = [membersOf(all), crowdsOf(all)];
        const counts = [...members, ...crowds].map(({ entry }) => entry.count);
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(names.length);
        expect(counts.length).toBeLessThanOrEqual(total + 1);
        for (const { family, name, entry } of members) {
          expect(entry.count).toBe(names.filter(([a, b]) => a === family && b === name).length);
        }
      },
    ),
  );
});

test("a family with too many names becomes a crowd, and the others are unchanged", () => {
  const many = namesOf("id", 11);
  const all = countOf([...many, ["lang", "en"], ["lang", "en"], ["lang", "de"], ...many], 10, 100);
  expect(membersOf(all)).toEqual([
    { family: "lang", name: "de", entry: { count: 1 } },
    { family: "lang", name: "en", entry: { count: 2 } },
  ]);
  expect(crowdsOf(all)).toEqual([{ family: "id", moreThan: 10, entry: { count: 22 } }]);
});

test("the family whose name exceeds the total limit becomes a crowd, which frees entries", () => {
  const names = [...namesOf("a", 8), ...namesOf("b", 8), ...namesOf("c", 8), ...namesOf("lang", 2)];
  const all = countOf(names, 8, 20);
  expect(crowdsOf(all)).toEqual([{ family: "c", moreThan: 4, entry: { count: 8 } }]);
  expect(membersOf(all).filter(({ family }) => family === "lang")).toHaveLength(2);
});

test("families beyond the limit share one crowd", () => {
  const all = countOf(
    [..."abcde"].map((family): Name => [family, "x"]),
    8,
    3,
  );
  expect(membersOf(all).map(({ family }) => family)).toEqual(["a", "b", "c"]);
  expect(crowdsOf(all)).toEqual([{ family: null, moreThan: 3, entry: { count: 2 } }]);
});
