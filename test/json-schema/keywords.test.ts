import { type SchemaDraft, Validator } from "@cfworker/json-schema";
import { describe, expect, test } from "vitest";
import type { Json } from "../../shared/contracts/json.ts";
import { reasonsOf } from "../../shared/measures/json-schema/__fixtures__/reasons-of.ts";
import { readSchema } from "../../shared/measures/json-schema/read-schema.ts";
import { casesOf, drafts } from "./cases-of.ts";
import { dated, draftAddresses, type KeywordCase } from "./keyword-case.ts";

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

  test("has valid and invalid cases for each topic, except topics that only annotate", () => {
    const cases = casesOf(draft);
    for (const topic of [...commonTopics, ...topicsOf[draft]]) {
      const own = cases.filter(([of]) => of === topic).map(([, one]) => one);
      expect(own.flatMap(({ valid }) => valid ?? []).length, topic).toBeGreaterThan(0);
      if (topic === "format" || topic === "content") continue;
      expect(own.flatMap(({ invalid }) => invalid ?? []).length, topic).toBeGreaterThan(0);
    }
  });
});

const libraryDrafts = { "draft-07": "7", "2019-09": "2019-09", "2020-12": "2020-12" } as const;

function libraryIsRight(one: KeywordCase, draft: (typeof drafts)[number]): boolean {
  const {
    schema,
    known,
    valid = [],
    invalid = [],
  } = JSON.parse(JSON.stringify(one)) as KeywordCase;
  try {
    const name: SchemaDraft = libraryDrafts[draft];
    const validator = new Validator(dated(schema, draftAddresses[draft]), name);
    for (const [address, other] of Object.entries(known ?? {})) {
      if (typeof other !== "boolean") validator.addSchema(other, address);
    }
    const isValid = (value: unknown) => validator.validate(value).valid;
    return valid.every(isValid) && !invalid.some(isValid);
  } catch {
    return false;
  }
}

/** Topics of our cases that `@cfworker/json-schema` alone gets wrong. */
const gaps = {
  "draft-07": ["pattern", "format", "ref", "definitions", "contains"],
  "2019-09": ["pattern", "format", "unevaluatedItems", "recursiveRef", "ref", "defs"],
  "2020-12": ["pattern", "format", "dynamicRef", "unevaluatedProperties", "ref", "defs"],
};

test.each(drafts)("@cfworker/json-schema alone fails the listed topics of %s", (draft) => {
  const failed = casesOf(draft).filter(([, one]) => !libraryIsRight(one, draft));
  expect([...new Set(failed.map(([topic]) => topic))]).toEqual(gaps[draft]);
});
