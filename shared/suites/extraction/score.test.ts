import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../contracts/json.ts";
import { anAnswer, aSample, detailOf } from "./__fixtures__/build.ts";
import { defaultOptions } from "./options.ts";
import { scoreExtraction } from "./score.ts";

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

test("scoreExtraction() gives the expected output as an answer 1 in everything", () => {
  fc.assert(
    fc.property(value, (gold) => {
      const { eqs, strictF1, exactMatch, hallucinationRate } = detailOf(gold, gold);
      expect({ eqs, strictF1, exactMatch, hallucinationRate }).toEqual({
        ...{ eqs: 1, strictF1: 1, exactMatch: true, hallucinationRate: 0 },
      });
    }),
  );
});

test("scoreExtraction() keeps every metric within 0 and 1", () => {
  fc.assert(
    fc.property(value, value, (expected, predicted) => {
      const {
        fields: _,
        fieldsLeftOut: __,
        schemaErrors: ___,
        ...detail
      } = detailOf(expected, predicted);
      for (const name of Object.keys(detail).filter((key) =>
        /F1|Precision|Recall|Rate|Accuracy|eqs/.test(key),
      )) {
        const metric = detail[name as "eqs"];
        expect(metric, name).toBeGreaterThanOrEqual(0);
        expect(metric, name).toBeLessThanOrEqual(1 + 1e-12);
      }
    }),
  );
});

test("scoreExtraction() takes objects of an array in any order for each field", () => {
  const items = fc.uniqueArray(fc.record({ id: fc.uuid(), n: fc.integer() }), {
    ...{ selector: ({ id }) => id, minLength: 1, maxLength: 6 },
  });
  const shuffled = items.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  );
  fc.assert(
    fc.property(shuffled, ([items, order]) => {
      expect(detailOf({ items }, { items: order }).strictF1).toBe(1);
    }),
  );
});

test("scoreExtraction() never gains from a field that nothing asked for", () => {
  fc.assert(
    fc.property(object, object, leaf, (expected, predicted, extra) => {
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
