import fc from "fast-check";
import type { Json, JsonObject } from "../../../contracts/json.ts";
import { prepareSchema } from "../sample.ts";

export const aLeaf: fc.Arbitrary<Json> = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.integer({ min: -9, max: 9 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);

const names = ["a", "b", "c"] as const;

/** Any JSON value with a few levels. */
export const { aValue } = fc.letrec<{ aValue: Json }>((tie) => ({
  aValue: fc.oneof(
    { maxDepth: 3 },
    aLeaf,
    fc.array(tie("aValue"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names, "d.e"), tie("aValue"), { maxKeys: 4 }),
  ) as fc.Arbitrary<Json>,
}));

export const anObject = fc.dictionary(
  fc.constantFrom(...names),
  aValue,
) as fc.Arbitrary<JsonObject>;

const { part } = fc.letrec<{ part: JsonObject }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonObject>(
      {},
      { type: "string" },
      { type: ["number", "null"] },
      { enum: ["a", 1] },
    ),
    fc.record(
      {
        type: fc.constantFrom("object", "array", "string"),
        properties: fc.dictionary(fc.constantFrom(...names), tie("part"), { maxKeys: 3 }),
        required: fc.subarray([...names]),
        items: tie("part"),
        additionalProperties: fc.boolean(),
        anyOf: fc.array(tie("part"), { minLength: 1, maxLength: 2 }),
        $ref: fc.constantFrom("#", "#/properties/a"),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<JsonObject>,
  ),
}));

/** Usable schemas of every kind; few of the values above are valid against them. */
export const aSchema = part.filter((schema) => prepareSchema(schema, false).flaw === null);

/** Flaws of real schemas, which are ignored with or without a warning. */
const flaws: readonly JsonObject[] = [
  { $schema: "http://json-schema.org/draft/2020-12/schema" },
  { $schema: "http://json-schema.org/draft-04/schema#", id: "x" },
  { exclusiveMinimum: true },
  { pattern: "(" },
  { patternProperties: { "[": false } },
  { $ref: "#/definitions/Nothing" },
  { format: 5, minLength: "1" },
];

/** A schema against which `value` is valid, with flaws that a strict compiler refuses. */
export function aSchemaOf(value: Json): fc.Arbitrary<JsonObject> {
  return fc.infiniteStream(fc.nat(99)).map((draws) => {
    const draw = () => draws.next().value ?? 0;
    return sloppySchemaOf(value, draw);
  });
}

function sloppySchemaOf(value: Json, draw: () => number): JsonObject {
  const flaw = draw() < 40 ? (flaws[draw() % flaws.length] ?? {}) : {};
  return { ...schemaOf(value, draw), ...flaw };
}

function schemaOf(value: Json, draw: () => number): JsonObject {
  if (value === null || typeof value !== "object") {
    return draw() < 80 ? { type: value === null ? "null" : typeof value } : {};
  }
  if (Array.isArray(value)) {
    return { type: "array", prefixItems: value.map((one) => sloppySchemaOf(one, draw)) };
  }
  const parts = Object.entries(value).map(([name, one]) => [name, sloppySchemaOf(one, draw)]);
  const required = draw() < 50 ? Object.keys(value) : draw() < 50;
  return { type: "object", properties: Object.fromEntries(parts), required };
}

/** A possible model output for `gold`: with changed, missing, added and moved parts. */
export function anAnswerTo(gold: Json): fc.Arbitrary<Json> {
  return fc.infiniteStream(fc.nat(20)).map((draws) => altered(gold, () => draws.next().value ?? 0));
}

/** A longer text or a larger number; any other value is not changed. */
function increased(value: Json): Json {
  if (typeof value === "string") return `${value} more`;
  return typeof value === "number" ? value + 1 : value;
}

function altered(value: Json, draw: () => number): Json {
  const luck = draw();
  if (luck === 0) return null;
  if (luck === 1) return [value];
  if (luck === 2) return "N/A";
  if (typeof value !== "object" || value === null) return luck < 6 ? increased(value) : value;
  if (Array.isArray(value)) {
    const elements = value.map((element) => altered(element, draw));
    return luck < 6 ? elements.slice(1) : luck < 9 ? elements.reverse() : elements;
  }
  const kept = Object.entries(value).filter(() => draw() > 2);
  const added = luck < 6 ? [["c", 5] as const] : [];
  return Object.fromEntries([...kept.map(([name, one]) => [name, altered(one, draw)]), ...added]);
}
