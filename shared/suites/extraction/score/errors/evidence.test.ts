import { expect, test } from "vitest";
import type { Json } from "../../../../contracts/json.ts";
import { defaultRules } from "../../__fixtures__/build.ts";
import { TextEvidence } from "./evidence.ts";

const text =
  "Invoice  7 of ACME\u00a0Corp.\nTotal: 1,200.50 EUR, due 3 May 2024; rate 1e-7, 2.50 %";

test.each<[Json, boolean]>([
  ["acme corp", true],
  ["ACME  Corp.", true],
  ["acme corporation", false],
  ["cme", false],
  ["total: 1,200.50", true],
  ["", true],
  [7, true],
  [1200.5, true],
  [12, false],
  [50, false],
  [2.5, true],
  [1e-7, true],
  [2e-7, false],
  [2024, true],
  [Number.POSITIVE_INFINITY, false],
  [["May", 3, null], true],
  [["May", 4], false],
  [[], true],
  [[true], false],
  [true, false],
  [{}, false],
])("holds(%j) is %s", (value, holds) => {
  expect(new TextEvidence(text, defaultRules).holds(value)).toBe(holds);
});

test("holds() minds case where fields do", () => {
  const evidence = new TextEvidence(text, { ...defaultRules, caseSensitive: true });
  expect([evidence.holds("ACME Corp"), evidence.holds("acme corp")]).toEqual([true, false]);
});

test("holds() is quick in a text full of near misses", () => {
  const long = new TextEvidence("1,22".repeat(250_000), defaultRules);
  expect(long.holds(122)).toBe(false);
  expect(new TextEvidence("12 345 ".repeat(150_000), defaultRules).holds(2)).toBe(false);
});
