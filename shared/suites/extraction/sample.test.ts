import { describe, expect, it, test } from "vitest";
import type { Json, JsonObject } from "../../contracts/json.ts";
import { inMaze, maze } from "../../measures/json-schema/__fixtures__/maze.ts";
import { reasonsOf } from "../../measures/json-schema/__fixtures__/reasons-of.ts";
import { checkSample, prepareSchema } from "./sample.ts";
import { extractionRow } from "./table-row.ts";

const row = { id: "a", text: "t", schema: { type: "object" }, expected_output: {} };
const deepSchema = JSON.parse(`${'{"not":'.repeat(3000)}{}${"}".repeat(3000)}`);
const deep = JSON.parse("[".repeat(3000) + "]".repeat(3000));

test("checkSample() accepts a complete row and adds empty tags", () => {
  const checked = checkSample(row);
  expect(checked).toEqual({ ok: true, value: { sample: { ...row, tags: {} }, warnings: [] } });
});

test.each([
  [null, /not a JSON object/],
  ["text", /not a JSON object/],
  [{ ...row, id: 5 }, /id must be/],
  [{ ...row, text: undefined }, /text must be/],
  [{ ...row, schema: "object" }, /schema must be/],
  [{ ...row, schema: undefined }, /schema must be/],
  [{ id: "a", text: "t", schema: true }, /expected_output is missing/],
  [{ ...row, expected_output: [] }, /not valid against the schema: # type/],
  [{ ...row, schema: true, expected_output: deep }, /nested deeper/],
  [{ ...row, schema: { $ref: "#" } }, /schema can't judge values: a \$ref refers to itself/],
  [{ ...row, schema: { $ref: "https://elsewhere.example/a" } }, /another document/],
  [{ ...row, schema: deepSchema }, /nested deeper/],
  [
    { ...row, schema: maze, expected_output: inMaze(5_000) },
    /schema can't judge expected_output: it takes more than .* steps/,
  ],
  [{ ...row, tags: { n: 1 } }, /tags must be/],
])("checkSample() reports a malformed row %#", (malformed, reason) => {
  const checked = checkSample(malformed);
  expect(checked.ok ? "" : checked.error).toMatch(reason);
});

test.each([
  [{ $schema: "http://json-schema.org/draft/2020-12/schema", type: "object" }],
  [{ properties: { a: { type: "string", required: true } } }],
  [{ properties: { a: { exclusiveMinimum: true } } }],
  [{ properties: { a: { pattern: "(" } } }],
  [{ properties: { a: { $ref: "#/nowhere" } } }],
  [{ $id: "http://[", type: "object" }],
])("checkSample() accepts the flawed schema %j with a warning", (schema) => {
  const checked = checkSample({ ...row, schema, expected_output: { a: "x" } });
  expect(checked.ok && checked.value.warnings.length).toBe(1);
});

describe("extractionRow()", () => {
  it.each<[what: string, columns: JsonObject, row: JsonObject]>([
    ["no columns", {}, {}],
    [
      "columns of paraloq/json_data_extraction",
      {
        title: "A fee",
        topic: "simple",
        item_id: "7",
        medium: "letter",
        text: "EUR 120",
        schema: '{"type": "object", "const": null}',
        item: '{"fee": 120, "note": null}',
      },
      {
        text: "EUR 120",
        schema: { type: "object", const: null },

        expected_output: { fee: 120, note: null },
        tags: { topic: "simple", medium: "letter" },
      },
    ],
    [
      "the suite's own names",
      { id: "a", text: "", schema: true, expected_output: [1], tags: { topic: "law" }, item: "x" },
      { id: "a", text: "", schema: true, expected_output: [1], tags: { topic: "law" } },
    ],
    ["invalid JSON", { schema: "{cut", item: "[1" }, { schema: "{cut", expected_output: "[1" }],
    ["an expected text", { item: "120" }, { expected_output: "120" }],
  ])("converts %s", (_, columns, row) => {
    expect(extractionRow(columns)).toEqual(row);
  });
});

const parsed = (text: string) => JSON.parse(text) as JsonObject;

test("prepareSchema() prepares a schema once for each setting", () => {
  const schema = { type: "string" };
  expect(prepareSchema(schema, false)).toBe(prepareSchema(schema, false));
  expect(prepareSchema(schema, false)).not.toBe(prepareSchema(schema, true));
});

test("prepareSchema() prepares equal schemas once", () => {
  const text = '{"properties": {"a": {"type": "string"}}}';
  expect(prepareSchema(parsed(text), false)).toBe(prepareSchema(parsed(text), false));
  const other = parsed('{"properties": {"b": {"type": "string"}}}');
  expect(prepareSchema(parsed(text), false)).not.toBe(prepareSchema(other, false));
});

test.each<[string, string, Json]>([
  // A number beyond the range of doubles is Infinity, which JSON writes as null; a null limit is ignored.
  ['{"exclusiveMaximum": 1e999}', '{"exclusiveMaximum": null}', Number.POSITIVE_INFINITY],
  ['{"enum": [1e999]}', '{"enum": [null]}', null],
])("prepareSchema() distinguishes %s from %s", (one, other, value) => {
  const reasons = [one, other].map((text) => reasonsOf(prepareSchema(parsed(text), false), value));
  expect(reasons.map((found) => found.length)).toEqual([1, 0]);
});

test("prepareSchema() evicts the least recently used schema", () => {
  const numbered = (i: number) => prepareSchema({ minimum: i }, false);
  const first = numbered(0);
  for (let i = 1; i < 256; i++) numbered(i);
  expect(numbered(0)).toBe(first);
  const second = numbered(1);
  for (let i = 2; i <= 256; i++) numbered(i);
  expect(numbered(1)).toBe(second);
  for (let i = 300; i < 556; i++) numbered(i);
  expect(numbered(1)).not.toBe(second);
});

test("prepareSchema() accepts schemas of any depth and size", () => {
  const deep = parsed(`${'{"items":'.repeat(20_000)}{}${"}".repeat(20_000)}`);
  expect(prepareSchema(deep, false).flaw).toMatch(/nested deeper/);
  const long = () => ({ enum: ["a".repeat(100_000)] });
  expect(prepareSchema(long(), false)).not.toBe(prepareSchema(long(), false));
});
