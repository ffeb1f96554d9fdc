import { Validator } from "@cfworker/json-schema";
import { expect, test } from "vitest";
import { answerSchema } from "./answer-schema.ts";

const schema = answerSchema({ basic_info: ["name", "age"], mood: [] });
const validator = new Validator(schema);

test.each([
  [{}, true],
  [{ basic_info: {} }, true],
  [{ basic_info: { name: "Ada" } }, true],
  [{ basic_info: { name: ["Ada", "A."], age: "36" }, mood: {} }, true],
  [{ basic_info: { age: 36 } }, false],
  [{ basic_info: { size: "3" } }, false],
  [{ pets: {} }, false],
  [{ mood: { now: "glad" } }, false],
  [{ basic_info: "Ada" }, false],
  [[], false],
])("answerSchema() lets %j be: %s", (answer, valid) => {
  expect(validator.validate(answer).valid).toBe(valid);
});
