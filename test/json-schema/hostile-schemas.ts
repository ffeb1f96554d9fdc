import type { Json, JsonObject } from "../../shared/contracts/json.ts";

/** A schema, and in some cases a value, designed to keep a validator busy. */
interface HostileCase {
  schema: JsonObject;
  value: Json;
  /** Whether the value is valid; null if the sample must be refused. */
  valid: boolean | null;
}

const list = <T>(length: number, make: (i: number) => T): T[] =>
  Array.from({ length }, (_, i) => make(i));

/** Properties p0, p1, … */
const many = (count: number, make: (i: number) => Json): JsonObject =>
  Object.fromEntries(list(count, (i) => [`p${i}`, make(i)]));

const nested = <T>(levels: number, wrap: (inner: T) => T, innermost: T): T =>
  list(levels, () => 0).reduce((inner) => wrap(inner), innermost);

/** Each of `levels` definitions refers to the next one twice, so 2^levels paths lead to the last. */
const diamond = (levels: number, keyword: string, last: Json): JsonObject => {
  const way = (i: number) => ({ $ref: `#/$defs/p${i + 1}` });
  const $defs = many(levels, (i) => ({ [keyword]: [way(i), way(i)] }));
  return { $ref: "#/$defs/p0", $defs: { ...$defs, [`p${levels}`]: last } };
};

const text = { type: "string" };

/** Schemas that are recursive, deep, wide or have exponentially many paths. */
const hostileSchemas: Record<string, HostileCase> = {
  "a self-reference": { schema: { $ref: "#" }, value: 1, valid: null },
  "a self-reference in a branch": {
    schema: { anyOf: [text, { $ref: "#" }] },
    value: "a",
    valid: null,
  },
  "two definitions that refer to each other": {
    schema: { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
    value: 1,
    valid: null,
  },
  "a self-reference for 400 levels of the value": {
    schema: { type: "array", items: { $ref: "#" } },
    value: nested<Json>(400, (inner) => [inner], []),
    valid: true,
  },
  "10,000 levels": {
    schema: nested<JsonObject>(10_000, (inner) => ({ properties: { a: inner } }), {}),
    value: {},
    valid: null,
  },
  "a chain of 20,000 references": {
    schema: { $ref: "#/$defs/p0", $defs: many(20_000, (i) => ({ $ref: `#/$defs/p${i + 1}` })) },
    value: 1,
    valid: null,
  },
  "50,000 properties": {
    schema: { properties: many(50_000, () => text) },
    value: { p49999: 1 },
    valid: false,
  },
  "50,000 properties with invalid types": {
    schema: { properties: many(50_000, () => ({ type: "text" })) },
    value: { p49999: 1 },
    valid: true,
  },
  "20,000 references": {
    schema: {
      properties: many(20_000, () => ({ $ref: "#/$defs/p1" })),
      $defs: many(9, () => text),
    },
    value: { p1: 1 },
    valid: false,
  },
  "20,000 alternatives": {
    schema: { anyOf: list(20_000, (i) => ({ required: [`p${i}`] })) },
    value: {},
    valid: false,
  },
  "2^30 paths of anyOf": { schema: diamond(30, "anyOf", text), value: 1, valid: false },
  "2^60 paths of allOf": { schema: diamond(60, "allOf", text), value: "a", valid: true },
  "2^40 paths of oneOf": { schema: diamond(40, "oneOf", text), value: 1, valid: false },
  "2^30 paths to an evaluated property": {
    schema: { ...diamond(30, "anyOf", { properties: { a: {} } }), unevaluatedProperties: false },
    value: { a: 1, b: 1 },
    valid: false,
  },
  "unevaluatedProperties on 100 levels": {
    schema: nested<JsonObject>(
      100,
      (inner) => ({ anyOf: [inner, {}], unevaluatedProperties: false }),
      text,
    ),
    value: { a: 1 },
    valid: false,
  },
  "addresses on 200 levels": {
    schema: nested<JsonObject>(200, (inner) => ({ $id: "a/", properties: { a: inner } }), {}),
    value: {},
    valid: true,
  },
};

/** Schemas with keywords that are costly for some values. */
const hostileKeywords: Record<string, HostileCase> = {
  "(a+)+$": { schema: { pattern: "^(a+)+$" }, value: `${"a".repeat(50_000)}!`, valid: false },
  "(x+x+)+y": { schema: { pattern: "(x+x+)+y" }, value: "x".repeat(50_000), valid: false },
  "a lookahead at each position of a long text": {
    schema: { pattern: "(?=(a+)+$)b" },
    value: "a".repeat(50_000),
    valid: null,
  },
  "a lookahead over a short text": {
    schema: { pattern: "^(?=(a+)+$)b" },
    value: "a".repeat(1_000),
    valid: false,
  },
  "names of a package": {
    schema: { pattern: "^(?!org\\.)([a-z]+\\.)*[a-z]+$" },
    value: `${"com.".repeat(10_000)}!`,
    valid: false,
  },
  "a back reference with endless backtracking": {
    schema: { pattern: "^((a+)+)\\2!$" },
    value: `${"a".repeat(60)}b`,
    valid: null,
  },
  "a back reference": {
    schema: { pattern: "^(['\"]).*\\1$" },
    value: `"${"x".repeat(5_000)}'`,
    valid: false,
  },
  "a repeat count that is too large to expand": {
    schema: { pattern: "^((a{1,1000}){1,1000}){1,1000}$" },
    value: "b",
    valid: false,
  },
  "a name with endless backtracking by a back reference": {
    schema: { patternProperties: { "^((a+)+)\\2!$": { type: "string" } } },
    value: { [`${"a".repeat(60)}b`]: 1 },
    valid: null,
  },
  "a name with exponential backtracking": {
    schema: { patternProperties: { "^(a|aa)+$": false } },
    value: { [`${"a".repeat(20_000)}!`]: 1 },
    valid: true,
  },
  "1,000 patterns on 5,000 names": {
    schema: { patternProperties: many(1_000, () => false) },
    value: Object.fromEntries(list(5_000, (i) => [`q${i}`, 1])),
    valid: null,
  },
  "an enum of 100,000 objects": {
    schema: { items: { enum: list(100_000, (a) => ({ a })) } },
    value: list(5_000, (i) => ({ a: i === 4_999 ? -1 : i })),
    valid: false,
  },
  "100,000 different elements": {
    schema: { uniqueItems: true },
    value: list(100_000, (i) => ({ i })),
    valid: true,
  },
  "100,000 elements, two of them equal": {
    schema: { uniqueItems: true },
    value: list(100_000, (i) => ({ i: i % 99_999 })),
    valid: false,
  },
  "a multiple of the smallest number": {
    schema: { multipleOf: Number.MIN_VALUE },
    value: Number.MAX_VALUE,
    valid: true,
  },
  "1e308 and 1e-300": { schema: { multipleOf: 1e-300 }, value: 1e308, valid: true },
  "a million characters": {
    schema: { minLength: 600_000 },
    value: "😀".repeat(500_000),
    valid: false,
  },
};

export const hostileCases: Record<string, HostileCase> = { ...hostileSchemas, ...hostileKeywords };
