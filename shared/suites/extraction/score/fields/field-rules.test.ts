import { describe, expect, it, test } from "vitest";
import { emptyAnswer } from "../../../../contracts/answer.ts";
import type { Json, JsonObject } from "../../../../contracts/json.ts";
import { scoringVersionOf } from "../../../../contracts/judging/scoring-version.ts";
import { defaultOptions, extractionOptionsSchema } from "../../options.ts";
import { checkSample, type ExtractionSample } from "../../sample.ts";
import { extraction } from "../../suite.ts";
import { type ExtractionDetail, scoreExtraction } from "../score.ts";
import { ignoredRules, schemaRules, withoutIgnored, withSticklerRules } from "./field-rules.ts";

function sampleOf(expected: Json, schema: object = {}): ExtractionSample {
  const checked = checkSample({ id: "a", text: "x", schema, expected_output: expected });
  if (!checked.ok) throw new Error(checked.error);
  return checked.value.sample;
}

function scored(expected: Json, predicted: Json, options: object, schema: object = {}) {
  const answer = { ...emptyAnswer, output: JSON.stringify(predicted) };
  const parsed = extractionOptionsSchema.parse(options);
  return scoreExtraction(sampleOf(expected, schema), answer, parsed).detail as ExtractionDetail;
}

const categoryOf = (expected: Json, predicted: Json, rule: object) =>
  scored({ f: expected }, { f: predicted }, { fieldRules: { f: rule } }).fields[0]?.category;

describe("a field with a rule", () => {
  test.each<[rule: object, expected: Json, predicted: Json, category: string]>([
    [{}, "Ada", "ada", "exact"],
    [{ compare: "exact" }, "Ada", "Ada", "exact"],
    [{ compare: "exact" }, "Ada", "ada", "incorrect"],
    [{ compare: "exact" }, 5, 5.0000001, "incorrect"],
    [{ compare: "number" }, 100, 101, "partial"],
    [{ compare: "number", tolerance: 1 }, 100, 101, "exact"],
    [{ compare: "number", relativeTolerance: 0.01 }, 100, 101, "exact"],
    [{ compare: "number", partial: false }, 100, 101, "incorrect"],
    [{ compare: "number", tolerance: 0.01 }, 1200.5, "1,200.50", "exact"],
    [{ compare: "date" }, "2026-05-01", "1 May 2026", "exact"],
    [{ compare: "date" }, "2026-05-01", "May 1st, 2026", "exact"],
    [{ compare: "date" }, "2026-05-01", "01.05.2026", "exact"],
    [{ compare: "date" }, "2026-05-01", "2026-05-02", "incorrect"],
    [{ compare: "date" }, "2026-05-01", "2026-05-01T10:00:00Z", "exact"],
    [{ compare: "date" }, "2026-05-01", "2026-05-01 or maybe 2026-06-01", "partial"],
    [{ compare: "date" }, "2026-02-30", "30 Feb 2026", "incorrect"],
    [{ compare: "number" }, "9".repeat(400), "9".repeat(400), "exact"],
    [{ compare: "number" }, "9".repeat(400), 5, "incorrect"],
    [{ compare: "date" }, "soon", "soon", "exact"],
    [{ compare: "set" }, [1, 2, 3], [3, 2, 1], "exact"],
    [{ compare: "list" }, [1, 2, 3], [3, 2, 1], "incorrect"],
    [{ compare: "list" }, [1, 2, 3], [1, 2, 4], "partial"],
    [{ compare: "number", threshold: 0.9 }, 100, 101, "partial"],
    [{ compare: "date" }, "2024-03-03", "3. März 2024", "exact"],
    [{ compare: "date" }, "2024-03-03", "3 de marzo de 2024", "exact"],
    [{ threshold: 0.5 }, "new york city", "new york", "exact"],
    [{ partial: false }, "new york city", "new york", "incorrect"],
  ])("%j compares %j and %j as %s", (rule, expected, predicted, category) => {
    expect(categoryOf(expected, predicted, rule)).toBe(category);
  });
});

it("ignored fields are removed from both sides at any depth", () => {
  const expected = { a: 1, items: [{ id: 7, name: "x" }] };
  const predicted = { a: 1, items: [{ id: 8, name: "x" }], more: 2 };
  const rules = { "items[].id": { compare: "ignore" }, more: { compare: "ignore" } };
  const { eqs, exactMatch, fields } = scored(expected, predicted, { fieldRules: rules });
  expect([eqs, exactMatch, fields.map(({ path }) => path)]).toEqual([
    1,
    true,
    ["a", "items[0].name"],
  ]);
  expect(withoutIgnored(predicted, new Set())).toBe(predicted);
});

it("weights affect the F1 and EQS of a sample, but not counts", () => {
  const rules = { fieldRules: { id: { weight: 3 } } };
  const right = scored({ id: 1, name: "a" }, { id: 1, name: "zzz" }, rules);
  expect(right.partialF1).toBeCloseTo(3 / 4);
  expect([right.exact, right.incorrect]).toEqual([1, 1]);
  expect(right.eqs - scored({ id: 1, name: "a" }, { id: 1, name: "zzz" }, {}).eqs).toBeCloseTo(
    0.5 * (3 / 4 - 1 / 2),
  );
  const wrong = scored({ id: 1, name: "a" }, { id: 5, name: "a", extra: 1 }, rules);
  expect(wrong.partialF1).toBeCloseTo((2 * 1) / (4 + 5));
  const none = { fieldRules: { id: { weight: 0 }, name: { weight: 0 } } };
  expect(scored({ id: 1, name: "a" }, { id: 5, name: "b" }, none).partialF1).toBe(1);
});

it("rules also affect which elements of a list are paired", () => {
  const expected = {
    items: [
      { sku: "A-1", note: "red" },
      { sku: "A-2", note: "blue" },
    ],
  };
  const predicted = {
    items: [
      { sku: "A-2", note: "red" },
      { sku: "A-1", note: "blue" },
    ],
  };
  const rules = { "items[].sku": { compare: "exact" }, "items[].note": { compare: "ignore" } };
  expect(scored(expected, predicted, { fieldRules: rules }).eqs).toBe(1);
});

const schema = {
  type: "object",
  properties: {
    id: {
      type: "string",
      "x-aws-stickler-comparator": "ExactComparator",
      "x-aws-stickler-weight": 2,
    },
    total: {
      type: "number",
      "x-aws-stickler-comparator": "NumericComparator",
      "x-aws-stickler-comparator-config": { tolerance: 0.5 },
      "x-aws-stickler-clip-under-threshold": true,
    },
    items: {
      type: "array",
      items: {
        type: "object",
        properties: { when: { type: "string", "x-assay-rule": { compare: "date" } } },
      },
    },
    tags: { type: "array", items: { type: "string" }, "x-aws-stickler-weight": "much" },
  },
};

it("schemaRules() reads Stickler's keywords and our own", () => {
  expect(Object.fromEntries(schemaRules(schema))).toEqual({
    id: { compare: "exact", weight: 2 },
    total: { compare: "number", tolerance: 0.5, partial: false },
    "items[].when": { compare: "date" },
  });
});

it("ignoredRules() names invalid rules in a schema; their valid parts are still read", () => {
  const property = (rule: JsonObject) => ({ properties: { f: rule } });
  const sampleWarnings = checkSample({ id: "a", text: "x", schema, expected_output: {} });
  const warning = 'rule ignored for tags: weight: must be a number, not "much"';
  expect(sampleWarnings).toMatchObject({ ok: true, value: { warnings: [warning] } });
  expect(ignoredRules(schema)).toEqual([warning]);
  expect(ignoredRules(property({ "x-assay-rule": 5 }))).toEqual([
    "rule ignored for f: must be an object, not 5",
  ]);
  expect(ignoredRules(property({ "x-assay-rule": { wieght: 1 } }))).toEqual([
    expect.stringContaining('rule ignored for f: wieght: there is no field "wieght" here'),
  ]);
  const half = property({
    "x-aws-stickler-comparator": "ExactComparator",
    "x-aws-stickler-weight": "much",
    "x-aws-stickler-clip-under-threshold": true,
  });
  expect(Object.fromEntries(schemaRules(half))).toEqual({
    f: { compare: "exact", partial: false },
  });
  expect(ignoredRules(half)[0]).toMatch(/^rule ignored in part for f: weight: /);
  const properties = Array.from({ length: 100 }, (_, i) => [`f${i}`, { "x-assay-rule": i }]);
  expect(ignoredRules({ properties: Object.fromEntries(properties) })).toHaveLength(20);
});

it("ignoredRules() names unsupported keywords and comparators of Stickler", () => {
  const keys = (of: JsonObject) =>
    Object.fromEntries(Object.entries(of).map(([key, value]) => [`x-aws-stickler-${key}`, value]));
  const stickler = {
    ...keys({ "match-threshold": 0.8, "model-name": "Bill" }),
    properties: {
      a: keys({ comparator: "ExactComparator", "comparator-config": { case_sensitive: false } }),
      b: keys({ comparator: "LLMComparator" }),
      c: keys({ aggregate: true }),
      d: keys({ comparator: "ExactComparator", "comparator-config": { case_sensitive: true } }),
      e: { type: "array", items: { type: "object", ...keys({ "match-threshold": 0.5 }) } },
    },
  };
  expect(ignoredRules(stickler)).toEqual([
    "rule ignored for the whole schema: x-aws-stickler-match-threshold is not read",
    "rule ignored in part for a: case_sensitive: false is not read",
    "rule ignored in part for b: LLMComparator is not available, so the field is compared as text",
    "rule ignored for c: x-aws-stickler-aggregate is not read",
    "rule ignored for e[]: x-aws-stickler-match-threshold is not read",
  ]);
  const { schema: written } = withSticklerRules(
    { properties: { f: {} } },
    { f: { compare: "exact" } },
  );
  expect(ignoredRules(written)).toEqual([]);
});

it("schemaRules() reads rules in anyOf, oneOf and allOf, which Pydantic uses for optional models", () => {
  const part = (rule: JsonObject) => ({
    type: "object",
    properties: { id: { "x-assay-rule": rule } },
  });
  const optional = { anyOf: [{ $ref: "#/$defs/part" }, { type: "null" }] };
  const rules = schemaRules({
    $defs: {
      part: part({ compare: "exact" }),
      endless: { anyOf: Array(9).fill({ $ref: "#/$defs/endless" }) },
    },
    properties: {
      vendor: optional,
      items: { type: "array", items: optional },
      either: { oneOf: [part({ weight: 2 }), part({ weight: 3 })] },
      scalar: {
        anyOf: [{ type: "string", "x-assay-rule": { compare: "date" } }, { type: "null" }],
      },
      words: { type: "array", items: { anyOf: [{ type: "string" }, { type: "null" }] } },
      endless: { $ref: "#/$defs/endless" },
    },
    allOf: [{ properties: { total: { "x-assay-rule": { compare: "number" } } } }],
  });
  expect(Object.fromEntries(rules)).toEqual({
    "vendor.id": { compare: "exact" },
    "items[].id": { compare: "exact" },
    "either.id": { weight: 2 },
    scalar: { compare: "date" },
    total: { compare: "number" },
  });
});

it("datasetNote() mentions ignored rules only if the run uses rules of the schema", () => {
  const noteWith = (options: object, warnings: string[]) =>
    extraction.datasetNote?.(extractionOptionsSchema.parse(options), warnings);
  const warnings = ignoredRules(schema);
  expect(noteWith({ schemaRules: true }, warnings)).toContain("some rules of fields");
  expect(noteWith({ schemaRules: true }, ["$ref x has no target"])).toBeNull();
  expect(noteWith({}, warnings)).toBeNull();
});

it("rules in a schema apply only with the option schemaRules, and fieldRules take precedence", () => {
  const scoredBy = (options: object) => scored({ id: "A" }, { id: "a" }, options, schema);
  expect(scoredBy({}).fields[0]?.category).toBe("exact");
  expect(scoredBy({ schemaRules: true }).fields[0]?.category).toBe("incorrect");
  const own = { schemaRules: true, fieldRules: { id: { compare: "text" } } };
  expect(scoredBy(own).fields[0]?.category).toBe("exact");
});

it("the scoring version is unchanged without rules, and differs with rules", () => {
  const { fieldRules: _, schemaRules: __, ...before } = defaultOptions;
  const version = scoringVersionOf(extraction, defaultOptions);
  expect(Object.keys(extraction.scoringOptions(defaultOptions) as object)).not.toContain(
    "fieldRules",
  );
  const set = extractionOptionsSchema.parse({ ...before, fieldRules: { a: { weight: 2 } } });
  expect(scoringVersionOf(extraction, set)).not.toBe(version);
});

it.each([
  { fieldRules: { a: { compare: "fuzzy" } } },
  { fieldRules: { a: { weight: -1 } } },
  { fieldRules: { a: { wieght: 1 } } },
  { fieldRules: Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`f${i}`, {}])) },
])("extractionOptionsSchema refuses invalid rules %#", (options) => {
  expect(extractionOptionsSchema.safeParse(options).success).toBe(false);
});

describe("withSticklerRules()", () => {
  const schema = {
    properties: {
      id: { type: "string" },
      lines: { items: { type: "object", properties: { price: { type: "number" } } } },
      notes: { type: "string" },
    },
  };
  const rules = {
    id: { compare: "exact", weight: 3, partial: false },
    "lines[].price": { compare: "number", tolerance: 0.01, relativeTolerance: 0.1 },
    notes: { compare: "ignore" },
    absent: { weight: 2 },
  } as const;

  it("writes rules that schemaRules() reads back", () => {
    const { schema: made, left } = withSticklerRules(schema, rules);
    expect(made).toMatchObject({
      properties: {
        id: {
          type: "string",
          "x-aws-stickler-comparator": "ExactComparator",
          "x-aws-stickler-weight": 3,
          "x-aws-stickler-clip-under-threshold": true,
        },
      },
    });
    expect(left).toEqual(["notes", "absent"]);
    const { notes: _, absent: __, ...kept } = rules;
    expect(Object.fromEntries(schemaRules(made))).toEqual(kept);
  });
});

it("schemaRules() follows references, which may be recursive", () => {
  const schema = {
    $defs: {
      amount: { type: "number", "x-assay-rule": { compare: "number", tolerance: 1 } },
      node: {
        type: "object",
        properties: {
          value: { $ref: "#/$defs/amount" },
          exact: { $ref: "#/$defs/amount", "x-assay-rule": { compare: "exact" } },
          next: { $ref: "#/$defs/node" },
          lost: { $ref: "#/$defs/nowhere" },
        },
      },
    },
    properties: { nodes: { type: "array", items: { $ref: "#/$defs/node" } } },
  };
  const rules = schemaRules(schema);
  expect(rules.get("nodes[].value")).toEqual({ compare: "number", tolerance: 1 });
  expect(rules.get("nodes[].exact")).toEqual({ compare: "exact" });
  expect(rules.get("nodes[].next.value")).toEqual({ compare: "number", tolerance: 1 });
  expect(rules.size).toBeLessThanOrEqual(500);
});
