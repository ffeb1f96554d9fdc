import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../contracts/json.ts";
import { readCalls } from "../read.ts";
import { failuresOf } from "./failures.ts";
import { isArgumentMet, matchCalls, surplusArguments } from "./match-calls.ts";

const call = (name: string, args: JsonObject = {}) => ({ name, arguments: args });

function failures(
  expected: ReturnType<typeof call>[],
  predicted: { name: string; arguments: JsonObject | null }[],
  strictArguments = false,
) {
  const rules = { textRules: "spec", strictArguments } as const;
  const found = failuresOf(expected, predicted, matchCalls(expected, predicted, rules), rules);
  return found.map((one) => [one.class, one.function, one.argument]);
}

describe("failuresOf()", () => {
  it("returns no failures if all calls match", () => {
    expect(failures([call("ping")], [call("ping")])).toEqual([]);
    expect(failures([], [])).toEqual([]);
  });

  it("distinguishes missing calls, extra calls and wrong functions", () => {
    expect(failures([call("a"), call("b")], [call("c")])).toEqual([
      ["wrongFunction", "a", null],
      ["missingCall", "b", null],
    ]);
    expect(failures([], [call("c"), call("c")])).toEqual([
      ["extraCall", "c", null],
      ["extraCall", "c", null],
    ]);
  });

  it("names wrong, missing, surplus and malformed arguments", () => {
    const expected = [call("a", { x: 1, y: "two" })];
    expect(failures(expected, [call("a", { x: 2 })])).toEqual([
      ["wrongArgument", "a", "x"],
      ["missingArgument", "a", "y"],
    ]);
    expect(failures(expected, [{ name: "a", arguments: null }])).toEqual([
      ["malformedArguments", "a", null],
    ]);
    expect(failures(expected, [call("a", { x: 1, y: " TWO ", z: 3 })], true)).toEqual([
      ["surplusArgument", "a", "z"],
    ]);
  });

  it("compares an unmatched call with the remaining expected call of its function", () => {
    const expected = [call("a", { x: 1 }), call("a", { x: 2 })];
    expect(failures(expected, [call("a", { x: 2 }), call("a", { x: 3 })])).toEqual([
      ["wrongArgument", "a", "x"],
    ]);
  });
});

describe("isArgumentMet()", () => {
  it.each<[string, Parameters<typeof isArgumentMet>[0], JsonObject, boolean]>([
    ["one of several values", { any_of: ["NYC", "New York"] }, { v: "new york" }, true],
    ["none of several values", { any_of: ["NYC", "New York"] }, { v: "Boston" }, false],
    ["a missing optional argument", { any_of: ["NYC", ""] }, {}, true],
    ["a missing required argument", { any_of: ["NYC"] }, {}, false],
    ["a value within an object", { city: { any_of: ["X", "Y"] } }, { v: { city: "y" } }, true],
    ["an object with an additional property", { city: "X" }, { v: { city: "X", zip: 1 } }, false],
    ["a list in order", [1, "a"], { v: [1, "A"] }, true],
    ["a list in another order", [1, "a"], { v: ["a", 1] }, false],
    ["a number as text", 7, { v: "7" }, false],
    ["true as 1", true, { v: 1 }, false],
    ["a key of the prototype", "x", JSON.parse('{"__proto__": "x"}'), false],
  ])("handles %s", (_, expected, given, met) => {
    expect(isArgumentMet(expected, given, "v", { textRules: "spec" })).toBe(met);
  });

  it.each<[string, Parameters<typeof isArgumentMet>[0], JsonObject, boolean]>([
    ["a text with other punctuation and blanks", "April 1, 2024", { v: "april 1 2024" }, true],
    ["other quotes", "say 'hi'", { v: 'say "hi"' }, true],
    ["a list of texts", ["a-b", 1], { v: ["A B", 1] }, true],
    ["texts in an object", { city: "New York" }, { v: { city: "new-york" } }, true],
    ["texts in objects in a list", [{ city: "New York" }], { v: [{ city: "newyork" }] }, true],
    ["a list within a list, exactly", [["a b"]], { v: [["ab"]] }, false],
    ["an object within an object, exactly", { a: { b: "X" } }, { v: { a: { b: "x" } } }, false],
    ["an empty list for an optional argument", { any_of: ["NYC", ""] }, { v: [] }, true],
    ["null for an optional argument", { any_of: ["NYC", ""] }, { v: null }, false],
  ])("handles by BFCL's rules: %s", (_, expected, given, met) => {
    expect(isArgumentMet(expected, given, "v", { textRules: "bfcl" })).toBe(met);
  });

  it("surplusArguments() compares only names", () => {
    expect(surplusArguments({ a: 1 }, { a: 2, b: 1 })).toEqual(["b"]);
  });
});

describe("readCalls()", () => {
  const output = 'Sure:\n```json\n[{"name": "ping", "arguments": {"n": 1}}]\n```';

  it("reads a list from the text only in prompt mode", () => {
    expect(readCalls({ toolCalls: null, output }, "prompt")).toMatchObject({
      from: "content",
      calls: [{ name: "ping", arguments: { n: 1 } }],
    });
    expect(readCalls({ toolCalls: null, output }, "native")).toMatchObject({ from: "none" });
  });

  it.each(["no calls here", "[1, 2", "[".repeat(50_000)])("never throws: %#", (text) => {
    expect(readCalls({ toolCalls: null, output: text }, "prompt").from).toBe("unreadable");
  });

  it("reads the first 256 calls and counts the rest", () => {
    const toolCalls = Array.from({ length: 300 }, () => ({ name: "ping", arguments: "{}" }));
    const { calls, leftOut } = readCalls({ toolCalls, output: null }, "native");
    expect([calls.length, leftOut]).toEqual([256, 44]);
  });
});
