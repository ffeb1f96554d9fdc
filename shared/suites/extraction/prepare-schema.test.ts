import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../contracts/json.ts";
import { reasonsOf } from "../../measures/json-schema/__fixtures__/reasons-of.ts";
import { prepareSchema } from "./prepare-schema.ts";

const parsed = (text: string) => JSON.parse(text) as JsonObject;

test("prepareSchema() prepares a schema once for each setting", () => {
  const schema = { type: "string" };
  expect(prepareSchema(schema, false)).toBe(prepareSchema(schema, false));
  expect(prepareSchema(schema, false)).not.toBe(prepareSchema(schema, true));
});

test("prepareSchema() prepares schemas that say the same once", () => {
  const text = '{"properties": {"a": {"type": "string"}}}';
  expect(prepareSchema(parsed(text), false)).toBe(prepareSchema(parsed(text), false));
  const other = parsed('{"properties": {"b": {"type": "string"}}}');
  expect(prepareSchema(parsed(text), false)).not.toBe(prepareSchema(other, false));
});

test.each<[string, string, Json]>([
  // A number beyond doubles is infinite, and written as null; as such a limit is ignored.
  ['{"exclusiveMaximum": 1e999}', '{"exclusiveMaximum": null}', Number.POSITIVE_INFINITY],
  ['{"enum": [1e999]}', '{"enum": [null]}', null],
])("prepareSchema() tells %s from %s", (one, other, value) => {
  const reasons = [one, other].map((text) => reasonsOf(prepareSchema(parsed(text), false), value));
  expect(reasons.map((found) => found.length)).toEqual([1, 0]);
});

test("prepareSchema() forgets the schema that was least recently asked for", () => {
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

test("prepareSchema() takes schemas of any depth and size", () => {
  const deep = parsed(`${'{"items":'.repeat(20_000)}{}${"}".repeat(20_000)}`);
  expect(prepareSchema(deep, false).flaw).toMatch(/nested deeper/);
  const long = () => ({ enum: ["a".repeat(100_000)] });
  expect(prepareSchema(long(), false)).not.toBe(prepareSchema(long(), false));
});
