import { describe, expect, test } from "vitest";
import type { Json } from "../../shared/contracts/json.ts";
import { reasonsOf } from "../../shared/measures/json-schema/__fixtures__/reasons-of.ts";
import { readSchema } from "../../shared/measures/json-schema/read-schema.ts";
import { casesOf, drafts } from "./cases-of.ts";
import { dated, draftAddresses } from "./keyword-case.ts";

/** The topics of the official suite's required files in every draft, then those of each draft. */
const commonTopics = [
  "additionalProperties",
  "allOf",
  "anyOf",
  "boolean_schema",
  "const",
  "contains",
  "default",
  "enum",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "format",
  "if-then-else",
  "infinite-loop-detection",
  "items",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minItems",
  "minLength",
  "minProperties",
  "minimum",
  "multipleOf",
  "not",
  "oneOf",
  "pattern",
  "patternProperties",
  "properties",
  "propertyNames",
  "ref",
  "refRemote",
  "required",
  "type",
  "uniqueItems",
];
const topicsSince2019 = [
  "anchor",
  "content",
  "defs",
  "dependentRequired",
  "dependentSchemas",
  "maxContains",
  "minContains",
  "unevaluatedItems",
  "unevaluatedProperties",
  "vocabulary",
];
const topicsOf = {
  "draft-07": ["additionalItems", "definitions", "dependencies"],
  "2019-09": [...topicsSince2019, "additionalItems", "recursiveRef"],
  "2020-12": [...topicsSince2019, "dynamicRef", "prefixItems"],
} as const;

describe.each(drafts)("JSON Schema %s", (draft) => {
  test.each(casesOf(draft))("%s: $schema", (_, { schema, valid, invalid, known }) => {
    const address = draftAddresses[draft];
    const others = Object.entries(known ?? {});
    const prepared = readSchema(dated(schema, address), false, new Map(others));
    expect(prepared.flaw).toBeNull();
    const reasons = (value: Json) => expect(reasonsOf(prepared, value), JSON.stringify(value));
    for (const value of valid ?? []) reasons(value).toEqual([]);
    for (const value of invalid ?? []) reasons(value).not.toEqual([]);
  });

  test("has cases for each topic, accepting and refusing where the topic can refuse", () => {
    const cases = casesOf(draft);
    for (const topic of [...commonTopics, ...topicsOf[draft]]) {
      const own = cases.filter(([of]) => of === topic).map(([, one]) => one);
      expect(own.flatMap(({ valid }) => valid ?? []).length, topic).toBeGreaterThan(0);
      if (topic === "format" || topic === "content") continue;
      expect(own.flatMap(({ invalid }) => invalid ?? []).length, topic).toBeGreaterThan(0);
    }
  });
});
