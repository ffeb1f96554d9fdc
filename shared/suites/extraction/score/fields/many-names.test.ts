import { expect, test } from "vitest";
import type { JsonObject } from "../../../../contracts/json.ts";
import { aDiagnosis, answered } from "../../__fixtures__/answered.ts";
import { detailOf } from "../../__fixtures__/build.ts";
import { defaultOptions } from "../../options.ts";
import { extractionReport } from "../../report/report.ts";
import { breakdownSchema, type ExtractionBreakdown } from "../../sum/breakdown/breakdown.ts";
import { addAnswer, noAnswers } from "../../sum/state.ts";
import { summarize } from "../../sum/summarize.ts";
import type { DiagnosedField } from "./diagnosed-field.ts";

type Scored = Parameters<typeof addAnswer>[1];

const run = {
  runId: "run-1",
  options: defaultOptions,
  prices: null,
  wallMs: 1000,
  points: null,
  timeline: null,
};
const stateOf = (samples: readonly Scored[]) => samples.reduce(addAnswer, noAnswers());
const summaryOf = (samples: readonly Scored[]) => summarize(stateOf(samples), run);
const breakdownOf = (samples: readonly Scored[]): ExtractionBreakdown =>
  breakdownSchema.parse(summaryOf(samples).breakdown);
const times = <Item>(length: number, make: (k: number) => Item) =>
  Array.from({ length }, (_, k) => make(k));

const city = aDiagnosis("city", {
  category: "incorrect",
  predictedType: "string",
  composite: 0.1,
  typeCorrect: true,
  hallucination: "wrongValue",
  pattern: "hallucinated_value",
});
const invented = (path: string, openAt: string): DiagnosedField =>
  aDiagnosis(path, {
    openAt,
    category: "spurious",
    expectedType: null,
    predictedType: "string",
    required: null,
    typeCorrect: false,
    hallucination: "fabricated",
    pattern: "extra_field",
  });
const mapKey = (path: string, openAt: string): DiagnosedField =>
  aDiagnosis(path, { openAt, pattern: "missing_value" });

/** Each answer has names that the model invented, and a map key that only its expected value has. */
const wild = times(1500, (seq) =>
  answered(
    seq,
    [
      city,
      aDiagnosis(`common${seq % 12}`, { pattern: "missing_required_field" }),
      invented(`new${seq}`, ""),
      mapKey(`scores.of${seq}`, "scores"),
      ...times(5, (k) => invented(`items[].${k === 0 ? "note" : `x${seq}-${k}`}`, "items[]")),
    ],
    { tags: { doc: `d${seq}`, lang: ["en", "de", "fr", "pt"][seq % 4]!, kind: "abc"[seq % 3]! } },
  ),
);
const { fields, errorAnalysis, tags } = breakdownOf(wild);

test("thousands of invented names hide neither the schemas' paths nor errors at them", () => {
  expect(fields.byPath.map(({ name, n }) => [name, n])).toEqual([
    ["city", 1500],
    ...times(12, (k) => [`common${k}`, 125]).sort(([a], [b]) => (a! < b! ? -1 : 1)),
  ]);
  const [first, ...rest] = errorAnalysis.common;
  expect(first).toMatchObject({ pattern: "hallucinated_value", path: "city", count: 1500 });
  expect(rest.map(({ count }) => count)).toEqual(times(9, () => 125));
  expect(errorAnalysis.left).toEqual({ errors: 0, pairs: 0, crowds: 0 });
});

test("names at a place with too many of them are counted together", () => {
  expect(fields.crowds).toMatchObject([
    { at: "scores", side: "expected", moreThan: 500, missed: 1500, spurious: 0 },
    { at: "", side: "invented", moreThan: 200, missed: 0, spurious: 1500 },
    { at: "items[]", side: "invented", moreThan: 200, spurious: 7500 },
  ]);
  expect(fields.pathsLeft).toEqual({ rare: 0, rareFields: 0, paths: 0, fields: 0 });
  expect(
    errorAnalysis.crowds.map(({ pattern, path, count, example }) => [
      pattern,
      path,
      count,
      example?.id,
    ]),
  ).toEqual([
    ["extra_field", "items[]", 7500, "s0"],
    ["missing_value", "scores", 1500, "s0"],
    ["extra_field", "", 1500, "s0"],
  ]);
});

test("the report links places with too many names to the samples with errors there", () => {
  const blocks = extractionReport(summaryOf(wild), run).flatMap((section) => section.blocks);
  const crowded = blocks.find(({ title }) => title.startsWith("Errors at names"));
  expect(crowded).toMatchObject({
    samples: [
      { pattern: "extra_field", path: "items[].*" },
      { pattern: "missing_value", path: "scores.*" },
      { pattern: "extra_field" },
    ],
  });
});

test("a tag with a unique value per sample hides no other tag, and is listed as left out", () => {
  expect(tags.groups.map(({ key, name, n }) => [key, name, n])).toEqual([
    ...["a", "b", "c"].map((name) => ["kind", name, 500]),
    ...["de", "en", "fr", "pt"].map((name) => ["lang", name, 375]),
  ]);
  expect(tags.left).toEqual({
    small: 0,
    large: 0,
    tags: [{ key: "doc", moreThan: 200, n: 1500 }],
  });
});

test("bins and tags with few values have intervals from all samples in a run of 1,500 samples", () => {
  expect(new Set(tags.groups.map(({ resampled }) => resampled))).toEqual(new Set(["samples"]));
});

test("the report states which tags and names are left out", () => {
  const sections = extractionReport(summaryOf(wild), run);
  const tags = sections.find(({ id }) => id === "tags");
  expect(JSON.stringify(tags?.blocks.at(-1))).toContain(
    "Left out: the tag “doc”, which has more than 200 values.",
  );
  const titles = sections.flatMap(({ blocks }) => blocks.map(({ title }) => title));
  expect(titles).toContain("Names that no schema lists, too many to list");
  expect(titles).toContain("Errors at names that no schema lists, too many to list");
});

test("if schemas have too many paths, a random selection is kept, independent of the order, with counts of the rest", () => {
  const many = times(70, (seq) =>
    answered(
      seq,
      times(100, (k) => aDiagnosis(`p${seq * 100 + k}`)),
    ),
  );
  const { pathsLeft } = breakdownOf(many).fields;
  const { rare, rareFields, paths, fields: left } = pathsLeft;
  expect(rare).toBe(rareFields);
  expect(rare).toBeGreaterThan(2_000);
  expect(rare).toBeLessThanOrEqual(5_000);
  expect(left).toBe(7_000 - rare);
  expect(Math.abs(paths - left)).toBeLessThan(500);
  expect(breakdownOf(many.toReversed()).fields.pathsLeft).toEqual(pathsLeft);
});

test("an expected and an invented value with the same name at the same place share one path", () => {
  const { byPath } = breakdownOf([
    answered(0, [mapKey("scores.a", "scores")]),
    answered(1, [invented("scores.a", "scores")]),
  ]).fields;
  expect(byPath).toMatchObject([{ name: "scores.a", n: 2, missed: 1, spurious: 1 }]);
});

test("scoring distinguishes names in the schema from names of expected and invented values", () => {
  const schema: JsonObject = {
    properties: { city: {}, scores: { properties: { listed: {} } }, tags: { items: {} } },
  };
  const expected = { city: "Oslo", scores: { listed: 1, key: 2 } };
  const predicted = { city: "Oslo", scores: { listed: 1, made: 3 }, tags: ["a"], other: { a: 1 } };
  const { fields: found } = detailOf(expected, predicted, { schema });
  expect(Object.fromEntries(found.map(({ path, openAt }) => [path, openAt]))).toEqual({
    city: undefined,
    "scores.listed": undefined,
    tags: undefined,
    "scores.key": "scores",
    "scores.made": "scores",
    "other.a": "",
  });
});
