import { expect, it } from "vitest";
import { z } from "zod";
import { readStored } from "./read-stored.ts";

const refuse = () => z.number().parse("text");
const crash = () => {
  throw new TypeError("no such table");
};

it.each<[string, string, () => unknown, unknown]>([
  ["the result", "1", () => "read", "read"],
  ["the result for another version", "2", () => "read", "read"],
  ["the fallback if a schema rejects the result", "1", refuse, "older"],
  ["the fallback if another version can't be read", "2", crash, "older"],
])("readStored() returns %s", (_case, suiteVersion, read, given) => {
  expect(readStored({ version: "1" }, { suiteVersion }, read, "older")).toBe(given);
});

it("readStored() rethrows errors for results of the same version", () => {
  expect(() => readStored({ version: "1" }, { suiteVersion: "1" }, crash, null)).toThrow(TypeError);
});
