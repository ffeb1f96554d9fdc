import fc from "fast-check";
import { expect, test } from "vitest";
import { addCounts } from "./add-counts.ts";
import {
  crowdOf,
  crowdsOf,
  type Families,
  type FamilyRules,
  memberOf,
  membersOf,
  mergeFamilies,
  noFamilies,
} from "./families.ts";

type Count = { count: number };
type Name = readonly [family: string, name: string];

const rulesOf = (most: number, total: number): FamilyRules<Count> => ({
  ...{ most, total, make: () => ({ count: 0 }), merge: addCounts },
});

function countOf(names: readonly Name[], rules: FamilyRules<Count>): Families<Count> {
  const all = noFamilies<Count>(rules);
  for (const [family, name] of names) {
    (memberOf(all, family, name, rules) ?? crowdOf(all, family, rules)).count++;
  }
  return all;
}

const letter = fc.constantFrom(..."abcdefgh", "__proto__");
const someNames = fc.array(fc.tuple(letter, letter), { maxLength: 60 });

test("families are the same bytes in any order and grouping, nothing of the counts lost", () => {
  const cuts = fc.tuple(fc.nat(60), fc.nat(60));
  fc.assert(
    fc.property(someNames, cuts, fc.nat(6), fc.integer({ min: 1, max: 20 }), (...given) => {
      const [names, cut, most, total] = given;
      const rules = rulesOf(most, total);
      const whole = countOf(names, rules);
      const bytes = JSON.stringify(whole);
      expect(JSON.stringify(countOf(names.toReversed(), rules))).toBe(bytes);
      const [from, to] = cut.toSorted((a, b) => a - b) as [number, number];
      const [a, b, c] = [names.slice(0, from), names.slice(from, to), names.slice(to)].map((part) =>
        countOf(part, rules),
      ) as [Families<Count>, Families<Count>, Families<Count>];
      const others = JSON.stringify([a, b]);
      mergeFamilies(b, a, rules);
      mergeFamilies(c, b, rules);
      expect(JSON.stringify(c)).toBe(bytes);
      expect(JSON.stringify(a)).toBe(JSON.stringify(JSON.parse(others)[0]));
      const kept = [...membersOf(whole), ...crowdsOf(whole, rules)];
      expect(kept.reduce((sum, { entry }) => sum + entry.count, 0)).toBe(names.length);
      expect(membersOf(whole).length).toBeLessThanOrEqual(total);
    }),
  );
});

test("a family of too many names becomes a crowd, and leaves the others as they are", () => {
  const many = Array.from({ length: 11 }, (_, k): Name => ["id", `${k}`]);
  const rules = rulesOf(10, 100);
  const all = countOf([...many, ["lang", "en"], ["lang", "en"], ["lang", "de"], ...many], rules);
  expect(membersOf(all)).toEqual([
    { family: "lang", name: "de", entry: { count: 1 } },
    { family: "lang", name: "en", entry: { count: 2 } },
  ]);
  expect(crowdsOf(all, rules)).toEqual([{ family: "id", moreThan: 10, entry: { count: 22 } }]);
});

test("families that are too many in sum may have fewer names each, the small ones stay", () => {
  const names = (family: string, length: number) =>
    Array.from({ length }, (_, k): Name => [family, `${k}`]);
  const rules = rulesOf(8, 20);
  const all = countOf([...names("a", 8), ...names("b", 8), ...names("c", 8)], rules);
  mergeFamilies(all, countOf(names("lang", 2), rules), rules);
  expect(membersOf(all).map(({ family }) => family)).toEqual(["lang", "lang"]);
  expect(crowdsOf(all, rules).map(({ family, moreThan }) => [family, moreThan])).toEqual([
    ["a", 4],
    ["b", 4],
    ["c", 4],
  ]);
});

test("more families than there is room for are one crowd", () => {
  const rules = rulesOf(8, 3);
  const all = countOf(
    [..."abcd"].map((family): Name => [family, "x"]),
    rules,
  );
  expect(membersOf(all)).toEqual([]);
  expect(crowdsOf(all, rules)).toEqual([{ family: null, moreThan: 3, entry: { count: 4 } }]);
});

test("a crowd may add up otherwise than its members", () => {
  const rules: FamilyRules<Count & { more: number }> = {
    ...{ most: 1, total: 9, make: () => ({ count: 0, more: 0 }), merge: addCounts },
    fold: (crowd, from) => {
      crowd.count += from.count;
    },
  };
  const all = noFamilies<Count & { more: number }>(rules);
  const other = noFamilies<Count & { more: number }>(rules);
  addCounts(memberOf(all, "id", "a", rules)!, { count: 1, more: 5 });
  addCounts(memberOf(other, "id", "b", rules)!, { count: 1, more: 5 });
  mergeFamilies(all, other, rules);
  expect(crowdsOf(all, rules)).toMatchObject([{ entry: { count: 2, more: 0 } }]);
});
