import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../contracts/json.ts";
import { anAnswer, aSample, detailOf } from "./__fixtures__/build.ts";
import type { DiagnosedField } from "./diagnosed-field.ts";
import { defaultOptions } from "./options.ts";
import { type ExtractionDetail, scoreExtraction } from "./score.ts";

const leaf = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.integer({ min: -9, max: 9 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("a", "b", "c", "d.e"), tie("value"), { maxKeys: 4 }),
  ) as fc.Arbitrary<Json>,
}));
const object = fc.dictionary(fc.constantFrom("a", "b", "c"), value) as fc.Arbitrary<JsonObject>;

/** Schemas of every sort for the values above, valid for few of them. */
const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonObject>(
      {},
      { type: "string" },
      { type: ["number", "null"] },
      { enum: ["a", 1] },
    ),
    fc.record(
      {
        type: fc.constantFrom("object", "array", "string"),
        properties: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("schema"), { maxKeys: 3 }),
        required: fc.subarray(["a", "b", "c"]),
        items: tie("schema"),
        additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
        anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
        $ref: fc.constantFrom("#", "#/properties/a"),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<JsonObject>,
  ),
}));

/** A value and what a model might make of it: parts changed, left out, added and moved about. */
const perturbed = value.chain((gold) =>
  fc.tuple(
    fc.constant(gold),
    fc.infiniteStream(fc.nat(20)).map((draws) => altered(gold, () => draws.next().value ?? 0)),
  ),
);

function altered(part: Json, draw: () => number): Json {
  const luck = draw();
  if (luck === 0) return null;
  if (luck === 1) return [part];
  if (luck === 2) return "N/A";
  if (typeof part === "string") return luck < 6 ? `${part} more` : part;
  if (typeof part === "number") return luck < 6 ? part + 1 : part;
  if (typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) {
    const elements = part.map((element) => altered(element, draw));
    return luck < 6 ? elements.slice(1) : luck < 9 ? elements.reverse() : elements;
  }
  const kept = Object.entries(part).filter(() => draw() > 2);
  const added = luck < 6 ? [["c", 5] as const] : [];
  return Object.fromEntries([...kept.map(([name, one]) => [name, altered(one, draw)]), ...added]);
}

/** What was scored: a valid output, or an invalid one as if it were valid. */
const counted = (detail: ExtractionDetail): Counted => detail.salvage ?? detail;
type Counted = NonNullable<ExtractionDetail["salvage"]>;

test("scoreExtraction() gives the expected output as an answer 1 in everything", () => {
  fc.assert(
    fc.property(value, schema, (gold, schema) => {
      const detail = detailOf(gold, gold, { schema });
      const { strictF1, exactMatch, hallucinationRate, omissionRate } = counted(detail);
      expect({ strictF1, exactMatch, hallucinationRate, omissionRate }).toEqual({
        ...{ strictF1: 1, exactMatch: true, hallucinationRate: 0, omissionRate: 0 },
      });
      expect(detailOf(gold, gold).eqs).toBe(1);
    }),
  );
});

test("scoreExtraction() keeps every metric within 0 and 1 and its counts in balance", () => {
  fc.assert(
    fc.property(perturbed, schema, ([gold, predicted], schema) => {
      const detail = detailOf(gold, predicted, { schema, text: JSON.stringify(gold) });
      for (const score of [detail, counted(detail)]) expectInBalance(score);
      expect(detail.eqs).toBe(detail.valid ? detail.eqs : 0);
    }),
  );
});

function expectInBalance(score: Counted): void {
  for (const [name, metric] of Object.entries(score)) {
    if (!/F1|Precision|Recall|Rate|Accuracy|eqs/.test(name) || metric === null) continue;
    expect(metric, name).toBeGreaterThanOrEqual(0);
    expect(metric, name).toBeLessThanOrEqual(1 + 1e-12);
  }
  const { exact, partial, incorrect, missed, spurious, identical, lenient, fields } = score;
  const count = (holds: (field: DiagnosedField) => boolean) => fields.filter(holds).length;
  expect(count((field) => field.expected !== undefined)).toBe(exact + partial + incorrect + missed);
  expect(count((field) => "predicted" in field)).toBe(exact + partial + incorrect + spurious);
  expect(count((field) => field.category === "exact")).toBe(exact);
  expect(count((field) => field.expectedType === null)).toBe(spurious);
  expect(
    new Set(fields.map(({ path, category }) => `${category === "spurious"} ${path}`)).size,
  ).toBe(fields.length);
  expect(identical).toBeLessThanOrEqual(exact);
  expect(lenient).toBeLessThanOrEqual(exact + partial + incorrect);
  expect(
    count((field) => field.category !== "exact" && field.pattern === null),
  ).toBeLessThanOrEqual(spurious);
  expect(count((field) => field.category === "spurious" && field.hallucination === null)).toBe(0);
  expect(count((field) => field.category === "missed" && field.pattern === null)).toBe(0);
}

test("scoreExtraction() is the same for an answer as for any other sample that is equal", () => {
  fc.assert(
    fc.property(perturbed, schema, ([gold, predicted], schema) => {
      const sample = aSample(gold, { schema });
      const output = JSON.stringify(predicted);
      scoreExtraction(sample, anAnswer(JSON.stringify(gold)), defaultOptions);
      const again = scoreExtraction(sample, anAnswer(output), defaultOptions);
      expect(again.detail).toEqual(detailOf(gold, predicted, { schema }));
    }),
  );
});

test("scoreExtraction() takes objects of an array in any order for each field", () => {
  const item = fc.record({
    id: fc.uuid(),
    n: fc.integer(),
    more: fc.dictionary(fc.string(), leaf),
  });
  const items = fc.uniqueArray(item, { selector: ({ id }) => id, minLength: 1, maxLength: 6 });
  const shuffled = items.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  );
  fc.assert(
    fc.property(shuffled, ([items, order]) => {
      const detail = detailOf({ items }, { items: order } as Json);
      expect(detail.strictF1).toBe(1);
      const inOrder = detailOf({ items }, { items });
      expect(JSON.stringify(detail.fields)).toBe(JSON.stringify(inOrder.fields));
    }),
  );
});

test("scoreExtraction() never gains from a field that nothing asked for", () => {
  fc.assert(
    fc.property(object, object, value, (expected, predicted, extra) => {
      const before = detailOf(expected, predicted).eqs;
      const after = detailOf(expected, { ...predicted, unasked: extra }).eqs;
      expect(after).toBeLessThanOrEqual(before + 1e-12);
    }),
  );
});

const invalid = { eqs: 0, partialF1: 0, typeAccuracy: 0, hallucinationRate: null, missed: 1 };

test.each([
  ["refused", anAnswer(null, { refusal: "no" }), true],
  ["empty", anAnswer(""), true],
  ["answered", anAnswer("no JSON"), true],
  ["error", anAnswer(null, { error: { class: "timeout", message: "" } }), false],
] as const)(
  "scoreExtraction() of an answer %s is 0, all fields missed",
  (status, answer, covered) => {
    const score = scoreExtraction(aSample({ a: 1 }), answer, defaultOptions);
    expect(score).toMatchObject({ status: "scored", score: 0, covered });
    expect(score.detail).toMatchObject({ ...invalid, status, valid: false, exactMatch: false });
    expect(score.detail.salvage).toBeUndefined();
  },
);

test("scoreExtraction() shows what an invalid output would have earned", () => {
  const schema = { properties: { a: { type: "integer" } } };
  const detail = detailOf({ a: 1, b: "x" }, { a: "1", b: "x" }, { schema });
  expect(detail).toMatchObject({ ...invalid, missed: 2, valid: false, parse: "clean" });
  expect(detail.salvage).toMatchObject({ exact: 1, incorrect: 1, typeAccuracy: 0.5 });
  expect(detail.schemaErrors[0]).toMatch(/^#\/a type:/);
});

test("scoreExtraction() of an invalid output is 0 even where nothing was expected", () => {
  const { detail } = scoreExtraction(aSample(null), anAnswer("?"), defaultOptions);
  expect(detail).toMatchObject({
    eqs: 0,
    partialF1: 0,
    typeAccuracy: 0,
    missed: 0,
    omissionRate: 0,
  });
});

test("scoreExtraction() weighs the components as it is told", () => {
  const weights = { validity: 0, partialF1: 1, typeAccuracy: 0, noHallucination: 0 };
  expect(detailOf({ a: 1, b: 2 }, { a: 1 }, {}, { weights }).eqs).toBeCloseTo(2 / 3, 12);
});
