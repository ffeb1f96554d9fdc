import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../../../contracts/json.ts";
import { defaultRules } from "../../__fixtures__/build.ts";
import { decimalForm, numberPlace, numberWithin, TextEvidence, ungrouped } from "./evidence.ts";

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

test("holds() is case-sensitive if field comparison is", () => {
  const evidence = new TextEvidence(text, { ...defaultRules, caseSensitive: true });
  expect([evidence.holds("ACME Corp"), evidence.holds("acme corp")]).toEqual([true, false]);
});

test("holds() is fast in a text full of near misses", () => {
  const long = new TextEvidence("1,22".repeat(250_000), defaultRules);
  expect(long.holds(122)).toBe(false);
  expect(new TextEvidence("12 345 ".repeat(150_000), defaultRules).holds(2)).toBe(false);
});

test.each([
  ["1,200.50 and 1 200", "1200.50 and 1200"],
  ["1.234.567,8", "1234567,8"],
  ["12'345 or 12’345", "12345 or 12345"],
  ["1,00,000", "100000"],
  ["12,34", "12,34"],
  ["in 2023 150 people", "in 2023 150 people"],
  ["1234,567", "1234,567"],
  ["1,2345", "1,2345"],
  ["a, 200", "a, 200"],
])("ungrouped(%j) is %j", (text, without) => {
  expect(ungrouped(text)).toBe(without);
});

test.each([
  [0, "0"],
  [-0, "0"],
  [5.0, "5"],
  [-2.25, "-2.25"],
  [1e-7, "0.0000001"],
  [-1.5e-7, "-0.00000015"],
  [1e21, "1000000000000000000000"],
  [1.5e21, "1500000000000000000000"],
])("decimalForm(%d) is %s", (value, form) => {
  expect(decimalForm(value)).toBe(form);
});

test("decimalForm() has no exponent and converts back to the same number", () => {
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(finite, (value) => {
      expect(decimalForm(value)).toMatch(/^-?\d+(\.\d+)?$/);
      expect(Number(decimalForm(value)) === value).toBe(true);
    }),
  );
});

test.each([
  ["45", "eur 45.", true],
  ["45", "45.00 eur", true],
  ["45", "45.99", false],
  ["45", "45.05", false],
  ["45.5", "45.50", true],
  ["45.5", "45.51", false],
  ["5", "4.5", false],
  ["5", "no.5", true],
  ["5", "15", false],
  ["5", "5kg", false],
  ["5", "[1,5,2]", true],
  ["-5", "at -5 degrees", true],
  ["1", "10, 1.1, 1", true],
])("numberWithin(%j, %j) is %s", (form, text, within) => {
  expect(numberWithin(form, text)).toBe(within);
});

test.each([
  ["45", "EUR 45.00, 45", 0, [4, 9]],
  ["45", "EUR 45.00, 45", 5, [11, 13]],
  ["45", "145, 45.5", 0, null],
  ["2.5", "2.50 %", 0, [0, 4]],
])("numberPlace(%j, %j, %i) is %j", (form, text, from, place) => {
  const found = numberPlace(form, text, from);
  expect(found && [found.from, found.to]).toEqual(place);
});
