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
  it("has none where all calls match", () => {
    expect(failures([call("ping")], [call("ping")])).toEqual([]);
    expect(failures([], [])).toEqual([]);
  });

  it("tells missing, extra and wrong calls apart", () => {
    expect(failures([call("a"), call("b")], [call("c")])).toEqual([
      ["wrongFunction", "a", null],
      ["missingCall", "b", null],
    ]);
    expect(failures([], [call("c"), call("c")])).toEqual([
      ["extraCall", "c", null],
      ["extraCall", "c", null],
    ]);
  });

  it("says which argument is wrong, missing or surplus, and which did not parse", () => {
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

  it("holds a call of the right function against the expected one that is left", () => {
    const expected = [call("a", { x: 1 }), call("a", { x: 2 })];
    expect(failures(expected, [call("a", { x: 2 }), call("a", { x: 3 })])).toEqual([
      ["wrongArgument", "a", "x"],
    ]);
  });
});

describe("isArgumentMet()", () => {
  it.each<[string, Parameters<typeof isArgumentMet>[0], JsonObject, boolean]>([
    ["one of several values", { any_of: ["NYC", "New York"] }, { v: "new york" }, true],
    ["none of them", { any_of: ["NYC", "New York"] }, { v: "Boston" }, false],
    ["left out where it may be", { any_of: ["NYC", ""] }, {}, true],
    ["left out where it may not", { any_of: ["NYC"] }, {}, false],
    ["a value within an object", { city: { any_of: ["X", "Y"] } }, { v: { city: "y" } }, true],
    ["an object with more", { city: "X" }, { v: { city: "X", zip: 1 } }, false],
    ["a list in order", [1, "a"], { v: [1, "A"] }, true],
    ["a list turned round", [1, "a"], { v: ["a", 1] }, false],
    ["a number as text", 7, { v: "7" }, false],
    ["true as 1", true, { v: 1 }, false],
    ["a key of the prototype", "x", JSON.parse('{"__proto__": "x"}'), false],
  ])("%s", (_, expected, given, met) => {
    expect(isArgumentMet(expected, given, "v", { textRules: "spec" })).toBe(met);
  });

  it.each<[string, Parameters<typeof isArgumentMet>[0], JsonObject, boolean]>([
    ["a text with other marks and blanks", "April 1, 2024", { v: "april 1 2024" }, true],
    ["other quotes", "say 'hi'", { v: 'say "hi"' }, true],
    ["a list of texts", ["a-b", 1], { v: ["A B", 1] }, true],
    ["texts of an object", { city: "New York" }, { v: { city: "new-york" } }, true],
    ["texts of the objects of a list", [{ city: "New York" }], { v: [{ city: "newyork" }] }, true],
    ["a list within a list, exactly", [["a b"]], { v: [["ab"]] }, false],
    ["an object within an object, exactly", { a: { b: "X" } }, { v: { a: { b: "x" } } }, false],
    ["an empty list where nothing is accepted", { any_of: ["NYC", ""] }, { v: [] }, true],
    ["null where nothing is accepted", { any_of: ["NYC", ""] }, { v: null }, false],
  ])("by the rules of BFCL: %s", (_, expected, given, met) => {
    expect(isArgumentMet(expected, given, "v", { textRules: "bfcl" })).toBe(met);
  });

  it("sees a surplus of names alone", () => {
    expect(surplusArguments({ a: 1 }, { a: 2, b: 1 })).toEqual(["b"]);
  });
});

describe("readCalls()", () => {
  const output = 'Sure:\n```json\n[{"name": "ping", "arguments": {"n": 1}}]\n```';

  it("reads a list from the text in prompt mode alone", () => {
    expect(readCalls({ toolCalls: null, output }, "prompt")).toMatchObject({
      from: "content",
      calls: [{ name: "ping", arguments: { n: 1 } }],
    });
    expect(readCalls({ toolCalls: null, output }, "native")).toMatchObject({ from: "none" });
  });

  it.each(["no calls here", "[1, 2", "[".repeat(50_000)])("never throws: %#", (text) => {
    expect(readCalls({ toolCalls: null, output: text }, "prompt").from).toBe("unreadable");
  });

  it("looks at the first calls of a loop and counts the rest", () => {
    const toolCalls = Array.from({ length: 300 }, () => ({ name: "ping", arguments: "{}" }));
    const { calls, leftOut } = readCalls({ toolCalls, output: null }, "native");
    expect([calls.length, leftOut]).toEqual([256, 44]);
  });
});
