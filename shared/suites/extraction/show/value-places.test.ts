import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../../contracts/json.ts";
import { valuePlaces } from "./value-places.ts";

const rules = { caseSensitive: false, normalizeWhitespace: true };
const text =
  "Invoice 17 of ACME\u00a0Corp.\nTotal: 1,200.50 EUR or 1 200 with 12.50; rate 1e-7. ACME corp, 7 March 2025";

test.each<[Json, string[]]>([
  ["acme corp", ["ACME\u00a0Corp", "ACME corp"]],
  ["acme corporation", []],
  ["cme", []],
  [1200.5, ["1,200.50"]],
  [1200, ["1 200"]],
  [17, ["17"]],
  [12.5, ["12.50"]],
  [200.5, ["200.50"]],
  [99, []],
  ["2025-03-07", ["7 March 2025"]],
  [
    ["2025-03-07", 17],
    ["7 March 2025", "17"],
  ],
  [
    ["total", 17, null, true],
    ["Total", "17"],
  ],
  ["e", []],
  [7, []],
  [true, []],
  [null, []],
  [{ a: 17 }, []],
  ["", []],
])("valuePlaces() of %j are %j", (value, found) => {
  const places = valuePlaces(text, rules)(value);
  expect(places.map(({ from, to }) => text.slice(from, to))).toEqual(found);
});

test("valuePlaces() looks at the first 50,000 units of a text", () => {
  const long = `${"x ".repeat(25_000)}here`;
  expect(valuePlaces(long, rules)("here")).toEqual([]);
});

test("valuePlaces() stay within the text, whatever is in it", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("1,200", "12 500", "1.000"),
  );
  fc.assert(
    fc.property(
      fc.array(piece),
      fc.oneof(fc.string(), fc.double(), fc.integer()),
      (parts, value) => {
        const whole = [...parts, value].join(" ");
        for (const { from, to } of valuePlaces(whole, rules)(value)) {
          expect(from).toBeLessThan(to);
          expect(to).toBeLessThanOrEqual(whole.length);
        }
      },
    ),
  );
});
