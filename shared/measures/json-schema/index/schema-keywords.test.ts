import { expect, test } from "vitest";
import type { Json } from "../../../contracts/json.ts";
import { draftOf, keywordOf } from "./schema-keywords.ts";

test.each([
  [undefined, "2020-12"],
  ["http://json-schema.org/draft-07/schema#", "7"],
  ["http://json-schema.org/draft-07/schema", "7"],
  ["https://json-schema.org/draft/2019-09/schema", "2019-09"],
  ["https://json-schema.org/draft/2020-12/schema", "2020-12"],
  ["http://json-schema.org/draft/2020-12/schema", null],
  ["http://json-schema.org/draft-04/schema#", "7"],
  ["http://json-schema.org/draft-03/schema", "7"],
  ["http://json-schema.org/draft-02/schema#", null],
  [7, null],
])("draftOf(%j) is %s", (address, draft) => {
  expect(draftOf(address)).toBe(draft);
});

test.each([
  ["type", ["string", "null"], true],
  ["type", "any", false],
  ["type", [], false],
  ["required", ["a"], true],
  ["required", true, false],
  ["required", ["a", "a"], false],
  ["exclusiveMinimum", true, false],
  ["multipleOf", 0, false],
  ["minLength", 1.5, false],
  ["enum", "a", false],
  ["$anchor", "a b", false],
  ["$dynamicAnchor", "node", true],
])("keyword %s with %j is allowed: %s", (name, value, allowed) => {
  const keyword = keywordOf(name, value, "2020-12");
  expect(keyword?.holds === "value" && keyword.allows(value)).toBe(allowed);
});

test.each([
  ["items", [true], "7", "schemas"],
  ["items", [true], "2020-12", "schema"],
  ["prefixItems", [true], "2019-09", undefined],
  ["additionalItems", true, "2020-12", undefined],
  ["unevaluatedItems", true, "7", undefined],
  ["dependencies", {}, "7", "schema-map"],
  ["dependentSchemas", {}, "2019-09", "schema-map"],
  ["title", "T", "7", undefined],
] as const)("keywordOf(%j, %j, %j) holds %s", (name, value, draft, holds) => {
  expect(keywordOf(name, value as Json, draft)?.holds).toBe(holds);
});
