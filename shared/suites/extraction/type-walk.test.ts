import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../contracts/json.ts";
import { prepareSchema } from "./prepare-schema.ts";

const schema: JsonObject = {
  properties: {
    level: { enum: ["low", "high"] },
    count: { type: "integer" },
    either: { anyOf: [{ type: "string" }, { type: "number", minimum: 10 }] },
    person: { $ref: "#/$defs/person", properties: { age: { type: "integer" } } },
    tuple: { prefixItems: [{ type: "string" }], items: { type: "number" } },
    free: { description: "anything" },
  },
  patternProperties: { "^x_": { type: "boolean" } },
  additionalProperties: { type: "number" },
  $defs: { person: { properties: { name: { type: "string" } } } },
};

test.each<[(string | number)[], Json, boolean | null]>([
  [["level"], "low", true],
  [["level"], "mid", false],
  [["count"], 5.0, true],
  [["count"], 5.5, false],
  [["either"], 3, true],
  [["either"], true, false],
  [["person", "name"], "Ada", true],
  [["person", "age"], "36", false],
  [["tuple", 0], "a", true],
  [["tuple", 1], "a", false],
  [["tuple", 7], 1, true],
  [["free"], {}, null],
  [["x_1"], true, true],
  [["other"], "a", false],
  [["constructor"], 1, true],
  [["free", "deeper"], 1, null],
])("TypeWalk at %j accepts %j: %s", (path, value, accepted) => {
  let walk = prepareSchema(schema, false).types;
  for (const step of path) {
    walk = typeof step === "string" ? walk.property(step) : walk.element(step);
  }
  expect(walk.accepts(value)).toBe(accepted);
});

test("TypeWalk follows a recursive schema as far as a value goes", () => {
  const tree = { properties: { child: { $ref: "#" }, name: { type: "string" } } };
  let walk = prepareSchema(tree, false).types;
  for (let i = 0; i < 50; i++) walk = walk.property("child");
  expect(walk.property("name").accepts(1)).toBe(false);
});
