import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../contracts/json.ts";
import { anAnswer, aSample, detailOf, scored } from "../../__fixtures__/build.ts";
import { defaultOptions } from "../../options.ts";
import type { DiagnosedField } from "../fields/diagnosed-field.ts";

/** The diagnosis of a field as one line. */
const line = (field: DiagnosedField) =>
  [
    field.path,
    field.category,
    `${field.expectedType ?? "nothing"} > ${field.predictedType}`,
    field.hallucination ?? "-",
    field.surplusElements,
    field.pattern ?? "-",
  ].join(" | ");

interface Case {
  text?: string;
  schema?: JsonObject;
  expected: Json;
  predicted: Json;
  found: string[];
}

const named = (...names: string[]): JsonObject => ({
  properties: Object.fromEntries(names.map((name) => [name, true])),
});

const cases: Record<string, Case> = {
  // No errors, so no diagnoses; "ADA " is "ada" after normalisation.
  "an exact answer": {
    expected: { a: "Ada", b: [1] },
    predicted: { a: "ADA ", b: [1] },
    found: [],
  },
  // b is absent and optional; c is null but required; d.e depends on d, which is optional. A null ancestor of a
  // field is not a null at its place.
  "missing fields": {
    schema: { required: ["c"], properties: { d: { required: ["e"] } } },
    expected: { a: 1, b: "x", c: true, d: { e: 2 } },
    predicted: { a: 1, c: null, d: null },
    found: [
      "b | missed | string > absent | - | 0 | missing_value",
      "c | missed | boolean > null | - | 0 | missing_required_field",
      "d.e | missed | number > absent | - | 0 | missing_value",
    ],
  },
  // {e: null} becomes {} when nulls are dropped, and {} is not a field if a filled object is expected.
  "a null in an object that is empty without it": {
    expected: { d: { e: 2, f: 3 } },
    predicted: { d: { e: null } },
    found: [
      "d.e | missed | number > null | - | 0 | missing_value",
      "d.f | missed | number > absent | - | 0 | missing_value",
    ],
  },
  // "Ada" is in the text: misplaced, and the schema has no such field. 7 is not in the text: fabricated, but the
  // schema has its place. Booleans are never found in a text.
  "fields that were not expected": {
    text: "Ada was born in 1815.",
    schema: named("a", "c"),
    expected: { a: "x" },
    predicted: { a: "x", b: "ada", c: 7, d: true },
    found: [
      "b | spurious | nothing > string | misplaced | 0 | extra_field",
      "c | spurious | nothing > number | fabricated | 0 | hallucinated_value",
      "d | spurious | nothing > boolean | fabricated | 0 | extra_field",
    ],
  },
  // A known place and a value of the text: neither extra nor hallucinated, so only the last pattern applies.
  "a value of the text at a known place where nothing was expected": {
    text: "paid 1,200 EUR",
    schema: named("a", "c"),
    expected: { a: 1 },
    predicted: { a: 1, c: 1200 },
    found: ["c | spurious | nothing > number | misplaced | 0 | wrong_value"],
  },
  // a: no shared word, 2 of 5 letters differ: 0.3 · 3/5 = 0.18, not in the text. b: in the text.
  // c: 34 for 35 is 1 − 1/35 ≈ 0.97, but whole numbers are exact only if equal. d: 0.5·(2·1/3) +
  // 0.3·(4/8) + 0.2·(4/8) = 0.58 (partial), a part of the expected text. e: the reverse, 0.5·(2/3)
  // + 0.3·(1/2) + 0.2 = 0.68. f: no similarity, but the empty text is a part of the expected text.
  "wrong values": {
    text: "Turin, 34, york",
    expected: { a: "paris", b: "rome", c: 35, d: "new york", e: "york", f: "ab" },
    predicted: { a: "parma", b: "turin", c: 34, d: "york", e: "new york", f: "" },
    found: [
      "a | incorrect | string > string | wrongValue | 0 | hallucinated_value",
      "b | incorrect | string > string | - | 0 | wrong_value",
      "c | partial | number > number | - | 0 | partial_value",
      "d | partial | string > string | - | 0 | incomplete_extraction",
      "e | partial | string > string | - | 0 | over_extraction",
      "f | incorrect | string > string | - | 0 | incomplete_extraction",
    ],
  },
  // A placeholder instead of a number or of nothing; instead of a string, it is a wrong string.
  placeholders: {
    text: "some text",
    schema: named("a", "b", "c", "d", "e"),
    expected: { a: 5, b: "Ada", c: 5 },
    predicted: { a: "N/A", b: "unknown", c: "five", d: " None ", e: "" },
    found: [
      "a | incorrect | number > string | wrongValue | 0 | type_coercion_failed",
      "b | incorrect | string > string | wrongValue | 0 | hallucinated_value",
      "c | incorrect | number > string | wrongValue | 0 | wrong_type",
      "d | spurious | nothing > string | fabricated | 0 | type_coercion_failed",
      "e | spurious | nothing > string | misplaced | 0 | type_coercion_failed",
    ],
  },
  // One error: the value of a.name is at name. It is counted at the missed field.
  "a value at the wrong level": {
    text: "Ada",
    expected: { a: { name: "Ada", age: 3 } },
    predicted: { a: { age: 3 }, name: "ada", title: "Ada" },
    found: [
      "a.name | missed | string > absent | - | 0 | wrong_nesting",
      "name | spurious | nothing > string | misplaced | 0 | -",
      "title | spurious | nothing > string | misplaced | 0 | extra_field",
    ],
  },
  // Two values are missed, one is found elsewhere: it counts for the first.
  "a value that is missed twice and found once": {
    expected: { a: { n: 1 }, b: { n: 1.0000001 } },
    predicted: { a: {}, b: {}, n: 1 },
    found: [
      "a.n | missed | number > absent | - | 0 | wrong_nesting",
      "b.n | missed | number > absent | - | 0 | missing_value",
      "n | spurious | nothing > number | fabricated | 0 | -",
    ],
  },
  // Each pair of shapes is one error, counted at each expected field; the predicted fields have no pattern.
  "shapes that can't be compared": {
    text: "x",
    expected: { a: { x: 1, y: 2 }, b: ["x"], c: "x", d: [{ x: 1 }], e: ["x"], f: "x" },
    predicted: { a: [{ x: 1 }], b: { x: 1 }, c: ["x"], d: ["x"], e: "n/a", f: { x: "x" } },
    found: [
      "a.x | missed | number > absent | - | 0 | array_vs_object",
      "a.y | missed | number > absent | - | 0 | array_vs_object",
      "a[0].x | spurious | nothing > number | fabricated | 0 | -",
      "b | missed | array > object | - | 0 | array_vs_object",
      "b.x | spurious | nothing > number | fabricated | 0 | -",
      "c | missed | string > array | - | 0 | wrong_nesting",
      "c | spurious | nothing > array | misplaced | 0 | -",
      "d[0].x | missed | number > absent | - | 0 | wrong_nesting",
      "d | spurious | nothing > array | misplaced | 0 | -",
      "e | missed | array > string | - | 0 | type_coercion_failed",
      "e | spurious | nothing > string | fabricated | 0 | -",
      "f | missed | string > object | - | 0 | wrong_nesting",
      "f.x | spurious | nothing > string | misplaced | 0 | -",
    ],
  },
  // {n: 2} is paired with {n: 2}; the element before it is surplus. 3 is in the text, but a field of a surplus
  // element is surplus whether it is in the text or not.
  "a surplus element": {
    text: "2 3",
    schema: { properties: { rows: { items: named("n", "m") } } },
    expected: { rows: [{ n: 2 }] },
    predicted: { rows: [{ n: 3, m: "N/A" }, { n: 2 }] },
    found: [
      "rows[1].n | spurious | nothing > number | surplus | 0 | wrong_value",
      "rows[1].m | spurious | nothing > string | surplus | 0 | type_coercion_failed",
    ],
  },
  // a: Jaccard 1/3, incorrect; all elements are in the text, so only surplus: 2 distinct unexpected elements.
  // b: Jaccard 0; "c" is not in the text: a wrong value and a surplus element. c: Jaccard 2/3, partial;
  // one element is missing and none is surplus. d: 19/20 = 0.95 is exact, with one surplus element.
  "arrays with surplus elements": {
    text: "p q r",
    expected: { a: ["p"], b: ["p"], c: [1, 2, 3], d: [...Array(19).keys()] },
    predicted: { a: ["p", "q", "R", "r"], b: ["c"], c: [1, 2], d: [...Array(20).keys()] },
    found: [
      "a | incorrect | array > array | surplus | 2 | wrong_value",
      "b | incorrect | array > array | wrongValue | 1 | hallucinated_value",
      "c | partial | array > array | - | 0 | partial_value",
      "d | exact | array > array | surplus | 1 | -",
    ],
  },
};

test.each(Object.entries(cases))("scoreExtraction() diagnoses %s", (_, testCase) => {
  const { text = "", schema = {}, expected, predicted, found } = testCase;
  const { fields } = detailOf(expected, predicted, { text, schema });
  const wrong = fields.filter((field) => field.category !== "exact" || field.hallucination);
  expect(wrong.map(line)).toEqual(found);
});

test("scoreExtraction() counts an error once if types are coerced", () => {
  const wrong = detailOf({ a: 6, b: "5" }, { a: "5", b: 5 }, {}, { coerceTypes: true }).fields;
  // 5 for 6 is 1 − 1/6, partial; "5" for 5 is exact although the types differ.
  expect(wrong.map(line)).toEqual([
    "a | partial | number > string | - | 0 | partial_value",
    "b | exact | string > number | - | 0 | -",
  ]);
});

test("scoreExtraction() returns the similarities of fields that are strings on both sides", () => {
  const { fields } = detailOf({ a: "new york", b: "", c: "x", d: "x" }, { a: "york", b: "", d: 1 });
  // Words {new, york} and {york}: 2·1/3. Four of eight characters must be added. Half of the expected text.
  expect(fields.map((field) => field.similarity)).toEqual([
    { tokenF1: 2 / 3, levenshtein: 1 / 2, containment: 1 / 2 },
    { tokenF1: 1, levenshtein: 1, containment: 1 },
    null,
    null,
  ]);
});

test("scoreExtraction() returns name path, depth and required flag of each field", () => {
  const item = { required: ["price"], properties: { price: true, "a.b": true } };
  const schema = { required: ["items"], properties: { items: { items: item }, n: true } };
  const expected = { items: [{ price: 1, "a.b": { c: 2 } }], n: 1 };
  const { fields } = detailOf(expected, { ...expected, z: [{ y: 1 }] }, { schema });
  expect(fields.map(({ namePath, depth, required }) => [namePath, depth, required])).toEqual([
    ["items[].price", 1, true],
    ['items[]["a.b"].c', 2, false],
    ["n", 0, false],
    ["z[].y", 1, null],
  ]);
  expect(detailOf("x", "x").fields[0]).toMatchObject({ namePath: "", depth: 0, required: true });
  expect(detailOf([[1], [{}]], [[1], [{}]]).fields[1]).toMatchObject({
    namePath: "[][]",
    depth: 0,
  });
});

test("scoreExtraction() counts all fields of an invalid output as missed, and diagnoses its content separately", () => {
  const schema = { properties: { a: { type: "integer" } }, required: ["a"] };
  const detail = detailOf({ a: 1, b: "x" }, { a: "none", b: "x" }, { schema });
  expect(detail.fields.map(line)).toEqual([
    "a | missed | number > absent | - | 0 | missing_required_field",
    "b | missed | string > absent | - | 0 | missing_value",
  ]);
  expect(detail.salvage?.fields.map(line)).toEqual([
    "a | incorrect | number > string | wrongValue | 0 | type_coercion_failed",
    "b | exact | string > string | - | 0 | -",
  ]);
});

test("scoreExtraction() returns output hash and field values only for runs with repeats", () => {
  const sample = aSample({ rows: [{ n: 1 }, { n: 2 }], t: "x", u: true });
  const options = { ...defaultOptions, repeats: 2 };
  const score = (output: string, own = options) => scored(sample, anAnswer(output), own).detail;
  const shuffled = score('{"u": null, "t": "y", "rows": [{"n": 2}, {"n": 1}, {"m": [1]}]}');
  expect(shuffled.fieldValues).toEqual({
    "rows[0].n": 1,
    "rows[1].n": 2,
    "rows[2].m": "[1]",
    t: '"y"',
  });
  expect(score('{"t": 1, "a": 2}').outputHash).toBe(score('{"a": 2.0, "t": 1}').outputHash);
  expect(score('{"t": 1}').outputHash).not.toBe(score('{"t": "1"}').outputHash);
  expect(score("no JSON")).toMatchObject({ outputHash: null, fieldValues: {} });
  expect(score('{"t": 1}', defaultOptions)).not.toHaveProperty("outputHash");
});
