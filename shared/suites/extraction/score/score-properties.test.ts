import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../../contracts/json.ts";
import {
  aLeaf,
  anAnswerTo,
  anObject,
  aSchema,
  aSchemaOf,
  aValue,
} from "../__fixtures__/arbitrary.ts";
import { anAnswer, aSample, detailOf, scored } from "../__fixtures__/build.ts";
import { checkSample } from "../sample.ts";
import type { DiagnosedField } from "./fields/diagnosed-field.ts";
import type { ExtractionDetail } from "./score.ts";

const aPair = aValue.chain((gold) => fc.tuple(fc.constant(gold), anAnswerTo(gold)));

/** The scoring of a valid output, or of an invalid one as if it were valid. */
const counted = (detail: ExtractionDetail): Counted => detail.salvage ?? detail;
type Counted = NonNullable<ExtractionDetail["salvage"]>;

const perfect = {
  eqs: 1,
  exactMatch: true,
  typeAccuracy: 1,
  hallucinationRate: 0,
  omissionRate: 0,
  strictPrecision: 1,
  strictRecall: 1,
  strictF1: 1,
  partialPrecision: 1,
  partialRecall: 1,
  partialF1: 1,
  lenientPrecision: 1,
  lenientRecall: 1,
  lenientF1: 1,
};

test("the expected output as an answer scores 1, even with a flawed schema", () => {
  let warnings = 0;
  fc.assert(
    fc.property(
      aValue.chain((gold) => fc.tuple(fc.constant(gold), aSchemaOf(gold))),
      ([gold, schema]) => {
        const checked = checkSample({ id: "a", text: "", schema, expected_output: gold });
        if (!checked.ok) return expect.unreachable(checked.error);
        warnings += checked.value.warnings.length;
        const { detail } = scored(checked.value.sample, anAnswer(JSON.stringify(gold)));
        expect(detail).toMatchObject({ ...perfect, valid: true, schemaErrors: [] });
      },
    ),
  );
  expect(warnings).toBeGreaterThan(0);
});

test("every metric is within 0 and 1, and an invalid output scores 0", () => {
  fc.assert(
    fc.property(aPair, aSchema, ([gold, predicted], schema) => {
      const detail = detailOf(gold, predicted, { schema, text: JSON.stringify(gold) });
      for (const score of [detail, counted(detail)]) {
        for (const [name, metric] of Object.entries(score)) {
          if (!/F1|Precision|Recall|Rate|Accuracy|eqs/.test(name) || metric === null) continue;
          expect(metric, name).toBeGreaterThanOrEqual(0);
          expect(metric, name).toBeLessThanOrEqual(1 + 1e-12);
        }
      }
      if (!detail.valid) expect(detail).toMatchObject({ eqs: 0, partialF1: 0, typeAccuracy: 0 });
    }),
  );
});

/** Leaves by the specification's count, for a value without nulls and empty objects or lists. */
function leavesOf(value: Json): number {
  if (typeof value !== "object" || value === null) return 1;
  const parts = Object.values(value);
  const isScalars = Array.isArray(value) && parts.every((part) => typeof part !== "object");
  return isScalars ? 1 : parts.reduce((sum: number, part) => sum + leavesOf(part), 0);
}

function filled(value: Json): Json {
  if (value === null) return "nothing";
  if (typeof value !== "object") return value;
  if (Object.keys(value).length === 0) return Array.isArray(value) ? ["none"] : { a: "none" };
  if (Array.isArray(value)) return value.map(filled);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, filled(part)]));
}

test("the categories add up to the expected and the predicted fields", () => {
  fc.assert(
    fc.property(aPair, ([gold, predicted]) => {
      const { exact, partial, incorrect, missed, spurious } = detailOf(
        filled(gold),
        filled(predicted),
      );
      const matched = exact + partial + incorrect;
      expect(matched + missed).toBe(leavesOf(filled(gold)));
      expect(matched + spurious).toBe(leavesOf(filled(predicted)));
    }),
  );
});

test("the listed fields match the counts, and each has the parts of its diagnosis", () => {
  fc.assert(
    fc.property(aPair, aSchema, ([gold, predicted], schema) => {
      const detail = detailOf(gold, predicted, { schema, text: JSON.stringify(gold) });
      for (const score of [detail, counted(detail)]) expectInBalance(score);
    }),
  );
});

function expectInBalance(score: Counted): void {
  const { exact, partial, incorrect, missed, spurious, identical, lenient, fields } = score;
  const count = (holds: (field: DiagnosedField) => boolean) => fields.filter(holds).length;
  expect(count((field) => field.expected !== undefined)).toBe(exact + partial + incorrect + missed);
  expect(count((field) => field.predicted !== undefined)).toBe(
    exact + partial + incorrect + spurious,
  );
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

test("the score of an answer does not depend on earlier answers to the sample", () => {
  fc.assert(
    fc.property(aPair, aSchema, ([gold, predicted], schema) => {
      const sample = aSample(gold, { schema });
      scored(sample, anAnswer(JSON.stringify(gold)));
      scored(sample, anAnswer("no JSON"));
      const again = scored(sample, anAnswer(JSON.stringify(predicted)));
      expect(again.detail).toEqual(detailOf(gold, predicted, { schema }));
    }),
  );
});

const anItem = fc.record({
  id: fc.uuid(),
  n: fc.integer({ min: 0, max: 99 }),
  note: fc.lorem({ maxCount: 4 }),
  more: fc.dictionary(fc.string(), aLeaf, { maxKeys: 2 }),
});

/** Objects with unique ids, the same objects with a model's mistakes, and these in another order. */
const anArray = fc
  .uniqueArray(anItem, { selector: ({ id }) => id, minLength: 1, maxLength: 6 })
  .chain((items) => {
    const changed = fc.tuple(
      ...items.map((item) =>
        fc.constantFrom(item, { ...item, n: item.n + 1 }, { ...item, note: `${item.note} or so` }),
      ),
    );
    return changed.chain((answered) =>
      fc.tuple(
        fc.constant(items as Json),
        fc.constant(answered as Json),
        fc.shuffledSubarray(answered, { minLength: items.length }) as fc.Arbitrary<Json>,
      ),
    );
  });

test("the order of objects in an array does not affect scores", () => {
  fc.assert(
    fc.property(anArray, ([items, answered, shuffled]) => {
      const inOrder = detailOf({ items }, { items: answered });
      const { eqs, fields } = detailOf({ items }, { items: shuffled });
      expect(JSON.stringify(fields)).toBe(JSON.stringify(inOrder.fields));
      expect(eqs).toBe(inOrder.eqs);
    }),
  );
});

test("an unexpected field never raises EQS", () => {
  fc.assert(
    fc.property(anObject, anObject, aSchema, aValue, (expected, predicted, schema, extra) => {
      const before = detailOf(expected, predicted, { schema });
      const after = detailOf(expected, { ...predicted, unasked: extra }, { schema });
      expect(after.eqs).toBeLessThanOrEqual(before.eqs + 1e-12);
      expect(counted(after).eqs).toBeLessThanOrEqual(counted(before).eqs + 1e-12);
    }),
  );
});
