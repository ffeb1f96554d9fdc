import { expect, test } from "vitest";
import { draftOf, keywords } from "./schema-keywords.ts";

test.each([
  [undefined, "2020-12"],
  ["http://json-schema.org/draft-07/schema#", "7"],
  ["http://json-schema.org/draft-07/schema", "7"],
  ["https://json-schema.org/draft/2019-09/schema", "2019-09"],
  ["https://json-schema.org/draft/2020-12/schema", "2020-12"],
  ["http://json-schema.org/draft/2020-12/schema", null],
  ["http://json-schema.org/draft-04/schema#", null],
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
])("keyword %s with %j is allowed: %s", (name, value, allowed) => {
  const keyword = keywords.get(name);
  expect(keyword?.holds === "value" && keyword.allows(value)).toBe(allowed);
});
