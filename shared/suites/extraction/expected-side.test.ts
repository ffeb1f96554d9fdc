import { expect, test } from "vitest";
import { aSample, defaultRules, detailOf } from "./__fixtures__/build.ts";
import { expectedSide } from "./expected-side.ts";
import { prepareSchema } from "./prepare-schema.ts";

const sample = aSample({ a: 1, b: null, rows: [{ n: 1 }, { n: 2 }] }, { schema: { title: "T" } });
const schema = prepareSchema(sample.schema, false);

test("expectedSide() is kept while schema and rules stay", () => {
  const side = expectedSide(sample, schema, defaultRules);
  expect(expectedSide(sample, schema, { ...defaultRules })).toBe(side);
  const other = expectedSide(sample, schema, { ...defaultRules, caseSensitive: true });
  expect(other).not.toBe(side);
  expect(expectedSide(sample, prepareSchema({}, false), defaultRules)).not.toBe(other);
});

test.each([
  [{ rows: [{ n: 1 }, { n: 2 }], b: null, a: 1 }, true],
  [{ rows: [{ n: 1 }, { n: 2 }], a: 1 }, false],
  [{ rows: [{ n: 2 }, { n: 1 }], b: null, a: 1 }, false],
])("isMetBy(%j) is %s", (value, isMet) => {
  expect(expectedSide(sample, schema, defaultRules).isMetBy(value)).toBe(isMet);
});

test("met() counts what matching field by field counts", () => {
  const { tally, fields, errors } = expectedSide(sample, schema, defaultRules).met();
  expect(tally).toMatchObject({ exact: 3, identical: 3, lenient: 3, typeCorrect: 3, missed: 0 });
  expect(fields.map(({ path }) => path)).toEqual(["a", "rows[0].n", "rows[1].n"]);
  expect(errors).toEqual([]);
});

test("the fields of one answer are not those of another, though they are equal", () => {
  const first = detailOf({ a: 1 }, { a: 1 });
  first.fields.pop();
  expect(detailOf({ a: 1 }, { a: 1 }).fields).toHaveLength(1);
});
