import { Validator } from "@cfworker/json-schema";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../shared/contracts/json.ts";
import { drawsFrom } from "../../../simulator/draws.ts";
import {
  constrainRates,
  type Enforcement,
  type MistakeKind,
  type Mistakes,
  mistakeRates,
} from "../../../simulator/mistakes/mistakes.ts";
import { perturbValue } from "../../../simulator/mistakes/perturb-value.ts";
import { firstRow } from "../support/rows.ts";

const expected = firstRow.expected_output as JsonObject;

function slipsOf(
  rates: Mistakes["rates"],
  seed: number,
  enforcement: Enforcement = "none",
): Mistakes {
  const { schema: root, text } = firstRow;
  return {
    rates: constrainRates(rates, enforcement),
    draws: drawsFrom(seed),
    constrained: enforcement === "schema",
    made: [],
    root,
    text,
  };
}

function perturbed(kind: MistakeKind, value: Json = expected): JsonObject {
  const mistakes = slipsOf({ ...mistakeRates(0), [kind]: 1 }, 1);
  const result = perturbValue(value, firstRow.schema, mistakes);
  expect(new Set(mistakes.made)).toEqual(new Set([kind]));
  return result as JsonObject;
}

describe("perturbValue()", () => {
  it.each<[MistakeKind, (value: JsonObject) => boolean]>([
    ["omit_optional", (value) => !("note" in value) && "name" in value],
    ["omit_required", (value) => !("name" in value) && "note" in value],
    ["wrong_number", (value) => typeof value.total === "number" && value.total !== expected.total],
    ["wrong_boolean", (value) => value.paid === true],
    ["wrong_enum", (value) => ["paid", "overdue"].includes(String(value.status))],
    ["swapped_date", (value) => value.date === "2024-20-01"],
    ["typo", (value) => value.name !== expected.name && String(value.name).length >= 11],
    [
      "cut_string",
      (value) =>
        String(expected.name).startsWith(String(value.name)) && value.name !== expected.name,
    ],
    ["wrong_type", (value) => Array.isArray(value.name) && value.total === "100.5"],
    ["hallucinated_value", (value) => typeof value.reference === "string"],
    ["extra_field", (value) => Object.keys(value).length === 9 && !("reference" in value)],
    [
      "dropped_element",
      (value) => (value.items as Json[]).length === 1 && (value.tags as Json[]).length === 2,
    ],
    [
      "invented_element",
      (value) => (value.items as Json[]).length === 3 && (value.tags as Json[]).length === 4,
    ],
    ["reordered", (value) => (value.tags as Json[]).join() === "light,office,furniture"],
  ])("makes the mistake %s", (kind, holds) => {
    expect(perturbed(kind)).toSatisfy(holds);
  });

  it("makes no mistakes at rate 0, and never changes its input", () => {
    const before = JSON.stringify(expected);
    const mistakes = slipsOf(mistakeRates(0), 1);
    expect(perturbValue(expected, firstRow.schema, mistakes)).toEqual(expected);
    perturbValue(expected, firstRow.schema, slipsOf(mistakeRates(1), 1));
    expect(JSON.stringify(expected)).toBe(before);
  });

  it("follows the schema under constrained decoding", () => {
    const validator = new Validator(firstRow.schema);
    for (let seed = 0; seed < 200; seed += 1) {
      const mistakes = slipsOf(mistakeRates(1), seed, "schema");
      expect(validator.validate(perturbValue(expected, firstRow.schema, mistakes)).valid).toBe(
        true,
      );
    }
  });

  it("accepts any JSON with any schema", () => {
    for (const value of [null, "", 0, [], {}, [[null]], { a: [{}] }]) {
      for (const schema of [
        true,
        {},
        { $ref: "#" },
        { items: [{}] },
        { anyOf: [{ type: "null" }] },
      ]) {
        const mistakes = { ...slipsOf(mistakeRates(1), 1), root: schema as Json };
        expect(() =>
          JSON.stringify(perturbValue(value as Json, schema as Json, mistakes)),
        ).not.toThrow();
      }
    }
  });
});
