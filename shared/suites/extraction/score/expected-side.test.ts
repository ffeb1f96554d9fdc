import { expect, test } from "vitest";
import { aSample, detailOf } from "../__fixtures__/build.ts";
import { defaultOptions, type ExtractionOptions } from "../options.ts";
import { expectedSide } from "./expected-side.ts";

const sample = aSample({ a: 1, b: null, rows: [{ n: 1 }, { n: 2 }] }, { schema: { title: "T" } });
const side = () => expectedSide(sample, defaultOptions);

test("expectedSide() is cached until an option that it depends on changes", () => {
  const first = side();
  expect(expectedSide(sample, { ...defaultOptions, repeats: 2 } as ExtractionOptions)).toBe(first);
  const other = expectedSide(sample, { ...defaultOptions, fieldCaseSensitive: true });
  expect(other).not.toBe(first);
  expect(expectedSide(sample, { ...defaultOptions, assertFormats: true })).not.toBe(other);
});

test("met() counts every field as exact", () => {
  const { tally, fields, errors } = side().met();
  expect(tally).toMatchObject({ exact: 3, identical: 3, lenient: 3, typeCorrect: 3, missed: 0 });
  expect(fields.map(({ path }) => path)).toEqual(["a", "rows[0].n", "rows[1].n"]);
  expect(errors).toEqual([]);
});

test("missed() returns a diagnosis for every expected field", () => {
  const { tally, fields } = side().missed();
  expect(tally).toMatchObject({ missed: 3, exact: 0, spurious: 0 });
  expect(fields.map(({ pattern }) => pattern)).toEqual(Array(3).fill("missing_value"));
});

test("equal answers do not share their lists of fields", () => {
  const first = detailOf({ a: 1 }, { a: 1 });
  first.fields.pop();
  expect(detailOf({ a: 1 }, { a: 1 }).fields).toHaveLength(1);
});
