import { expect, test } from "vitest";
import { pointerStep, pointerSteps, schemaAddress } from "./schema-address.ts";

const base = "https://a.example/dir/a.json";

test.each([
  ["#/x", base, ["https://a.example/dir/a.json", "/x"]],
  ["#", base, [base, ""]],
  ["b.json#anchor", base, ["https://a.example/dir/b.json", "anchor"]],
  ["/c", base, ["https://a.example/c", ""]],
  ["#/a%25b", base, [base, "/a%b"]],
  ["urn:example:x#/y", base, ["urn:example:x", "/y"]],
  ["#/y", "urn:example:x", ["urn:example:x", "/y"]],
])("schemaAddress(%j, %j)", (reference, from, [resource, fragment]) => {
  expect(schemaAddress(reference, from)).toEqual({ resource, fragment });
});

test.each(["http://[", "#/%"])("schemaAddress(%j) is null for an invalid address", (reference) => {
  expect(schemaAddress(reference, base)).toBeNull();
});

test.each([
  ["", []],
  ["/", [""]],
  ["/a~1b/~01", ["a/b", "~1"]],
  ["a", null],
])("pointerSteps(%j) is %j", (pointer, steps) => {
  expect(pointerSteps(pointer)).toEqual(steps);
  if (steps) expect(steps.map((step) => `/${pointerStep(step)}`).join("")).toBe(pointer);
});
