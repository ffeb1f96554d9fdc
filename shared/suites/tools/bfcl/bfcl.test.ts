import { describe, expect, it, test } from "vitest";
import type { Json, JsonObject } from "../../../contracts/json.ts";
import { allowedNames, bfclSample, expectedOf } from "./bfcl.ts";
import { type BfclReason, jsonSchemaOf } from "./bfcl-schema.ts";

const dict = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: "dict",
  properties,
  required,
});
const text = { type: "string", description: "A text" };
const ride = { name: "taxi.ride", description: "Orders a ride.", parameters: dict({ to: text }) };
const ping = { name: "ping", description: "Pings a host.", parameters: dict({ host: text }) };
const turn = [{ role: "user", content: "A ride to the harbour, please" }];
const row = {
  id: "live_simple_7-3-0",
  question: [turn],
  function: [ride],
  ground_truth: [{ "taxi.ride": { to: ["harbour", "the harbour"] } }],
} satisfies JsonObject;

function imported(change: JsonObject, answer?: Json) {
  const result = bfclSample({ ...row, ...change }, answer);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

describe("bfclSample()", () => {
  it("imports a case with one function, and renames functions that OpenAI refuses in tools and calls", () => {
    expect(imported({})).toMatchObject({
      sample: {
        id: "live_simple_7-3-0",
        difficulty: "easy",
        messages: turn,
        tools: [
          {
            type: "function",
            function: {
              name: "taxi_ride",
              description: "Orders a ride.",
              parameters: { type: "object", properties: { to: text }, required: ["to"] },
            },
          },
        ],
        expected_calls: [
          { name: "taxi_ride", arguments: { to: { any_of: ["harbour", "the harbour"] } } },
        ],
        tags: { source: "bfcl", category: "live_simple", kind: "single" },
      },
      renamed: [{ from: "taxi.ride", to: "taxi_ride" }],
      warnings: [],
    });
  });

  it("accepts the ground truth from another file", () => {
    const { ground_truth: _, ...alone } = row;
    const result = bfclSample(alone, row.ground_truth);
    expect(result).toEqual(bfclSample(row));
  });

  const calls = (...names: string[]) => names.map((name) => ({ [name]: {} }));
  it.each<[string, JsonObject, string, string]>([
    ["one call of one function", { ground_truth: calls("taxi.ride") }, "easy", "single"],
    [
      "one call with two functions",
      { function: [ride, ping], ground_truth: calls("ping") },
      "medium",
      "choice",
    ],
    ["two of one function", { ground_truth: calls("taxi.ride", "taxi.ride") }, "easy", "parallel"],
    [
      "two of two functions",
      { function: [ride, ping], ground_truth: calls("ping", "taxi.ride") },
      "hard",
      "several",
    ],
    ["no call with one function", { id: "irrelevance_0" }, "easy", "irrelevance"],
    [
      "no call with two functions",
      { id: "live_irrelevance_0-0-0", function: [ride, ping] },
      "medium",
      "irrelevance",
    ],
  ])("derives level and kind for %s", (_, change, difficulty, kind) => {
    const { sample } = imported(change);
    expect([sample.difficulty, sample.tags["kind"]]).toEqual([difficulty, kind]);
    expect(sample.expected_calls.length === 0).toBe(kind === "irrelevance");
  });

  it("uses the row's category, or else reads it from the id", () => {
    expect(imported({ category: "live_irrelevance" }).sample.expected_calls).toEqual([]);
    expect(imported({ id: "parallel_multiple_12" }).sample.tags["category"]).toBe(
      "parallel_multiple",
    );
  });

  it("warns about more than five tools, and about an empty list of accepted values", () => {
    const six = Array.from({ length: 6 }, (_, i) => ({ ...ping, name: `ping${i}` }));
    expect(imported({ function: six, ground_truth: calls("ping3") }).warnings).toEqual([
      "manyTools",
    ]);
    const list = { name: "note", parameters: dict({ words: { type: "array", items: text } }) };
    const { sample, warnings } = imported({
      function: [list],
      ground_truth: [{ note: { words: [] } }],
    });
    expect(warnings).toEqual(["emptyList"]);
    expect(sample.expected_calls[0]?.arguments).toEqual({ words: { any_of: [[], ""] } });
  });

  it("accepts a case whose accepted values do not fit the function's schema, with a warning", () => {
    const { sample, warnings } = imported({
      function: [{ ...ping, parameters: dict({ seconds: { type: "float" } }) }],
      ground_truth: [{ ping: { seconds: ["N/A"] } }],
    });
    expect(warnings).toEqual(["doubtfulCall"]);
    expect(sample.expected_calls[0]?.arguments).toEqual({ seconds: "N/A" });
  });

  it.each<[BfclReason, unknown]>([
    ["relevance", { ...row, id: "live_relevance_3-3-0", ground_truth: undefined }],
    ["severalTurns", { ...row, question: [turn, turn] }],
    ["otherWorld", { ...row, id: "memory_0-customer-0", function: undefined }],
    ["noFunctions", { ...row, id: "live_irrelevance_1-1-0", function: [] }],
    ["otherLanguage", { ...row, id: "simple_javascript_3" }],
    ["noAnswer", { ...row, ground_truth: undefined }],
    ["noAcceptedValue", { ...row, ground_truth: [{ "taxi.ride": { to: [] } }] }],
    ["malformed", { ...row, ground_truth: [["cd(folder='a')"]] }],
    ["malformed", { ...row, ground_truth: [{ "taxi.ride": { to: "harbour" } }] }],
    ["malformed", { ...row, ground_truth: [{ fly: {} }] }],
    ["malformed", { ...row, ground_truth: [{ "taxi.ride": null }] }],
    ["malformed", { ...row, function: [ride, ride] }],
    ["malformed", { ...row, function: [{ description: "no name" }] }],
    ["malformed", { ...row, question: "A ride, please" }],
    ["malformed", { ...row, question: [[{ role: "user" }]] }],
    ["malformed", { question: [turn] }],
    ["malformed", null],
  ])("refuses with the reason %s: %j", (reason, given) => {
    const result = bfclSample(given);
    expect(result.ok ? null : result.error.reason).toBe(reason);
  });

  it("accepts old files, which have no list of turns and a single function", () => {
    const { sample } = imported({ question: turn, function: ride });
    expect([sample.messages, sample.tools.length]).toEqual([turn, 1]);
  });

  it("never throws on deeply nested rows", () => {
    let deep: Json = [];
    let schema: Json = {};
    for (let i = 0; i < 3_000; i++) [deep, schema] = [[{ x: deep }], dict({ x: schema })];
    const tool = { name: "taxi.ride", parameters: schema };
    const result = bfclSample({
      ...row,
      function: [tool],
      ground_truth: [{ "taxi.ride": { x: deep } }],
    });
    expect(result.ok ? null : result.error.reason).toBe("malformed");
  });
});

test("allowedNames() keeps allowed names, and replaces others without collisions", () => {
  const long = "very".repeat(20);
  const names = [...allowedNames(["a.b", "a_b", "a/b", "été", `${long}.1`, `${long}.2`, "a.b"])];
  expect(names.map(([, to]) => to)).toEqual([
    "a_b_2",
    "a_b",
    "a_b_3",
    "_t_",
    long.slice(0, 64),
    `${long.slice(0, 62)}_2`,
  ]);
});

test("jsonSchemaOf() maps types in properties and items at any depth", () => {
  const point = { type: "tuple", items: { type: "float" } };
  const type = { type: "any", description: "whatever" };
  expect(
    jsonSchemaOf(
      dict({ type, lists: { type: "array", items: dict({ point, raw: { type: "array" } }) } }),
    ),
  ).toEqual({
    type: "object",
    required: ["type", "lists"],
    properties: {
      type: { description: "whatever" },
      lists: {
        type: "array",
        items: {
          type: "object",
          required: ["point", "raw"],
          properties: {
            point: { type: "array", items: { type: "number" } },
            raw: { type: "array", items: {} },
          },
        },
      },
    },
  });
});

describe("expectedOf()", () => {
  const list = { type: "array", items: { type: "string" } };
  const place = { type: "object", properties: { x: { type: "number" }, tags: list } };
  it.each<[string, Json[], JsonObject, Json]>([
    ["one value", [5], {}, 5],
    ["several values", ["NYC", "New York"], {}, { any_of: ["NYC", "New York"] }],
    ["only the empty string", [""], {}, { any_of: [""] }],
    ["null", [null], {}, { any_of: [null] }],
    ["a list", [["a", "b"]], list, ["a", "b"]],
    ["lists", [["a"], ["b"], ""], list, { any_of: [["a"], ["b"], ""] }],
    ["a list of lists", [[[1], [2]]], {}, [[1], [2]]],
    ["an object", [{ a: [1], b: ["", "x"] }], {}, { a: 1, b: { any_of: ["", "x"] } }],
    ["an optional object", ["", {}], {}, { any_of: ["", {}] }],
    ["objects", [{ a: [1] }, { a: [2] }], {}, { any_of: [{ a: 1 }, { a: 2 }] }],
    [
      "a list of objects",
      [[{ a: [1] }, { a: [2, 3] }]],
      list,
      [{ a: 1 }, { a: { any_of: [2, 3] } }],
    ],
    ["a list in an object", [{ tags: [["a", "b"]] }], place, { tags: ["a", "b"] }],
    ["a key whose value is not a list", [{ a: "x" }], {}, { a: "x" }],
    [
      "a nested object, unchanged",
      [{ at: [{ x: 1.5, tags: ["a"] }] }],
      { properties: { at: place } },
      { at: { x: 1.5, tags: ["a"] } },
    ],
    [
      "accepted values in a nested object",
      [{ at: [{ x: [1, 2] }] }],
      { properties: { at: place } },
      { at: { x: { any_of: [1, 2] } } },
    ],
  ])("converts %s", (_, accepted, schema, expected) => {
    expect(expectedOf(accepted, schema)).toEqual(expected);
  });

  it("is null if no value is accepted, except for arrays", () => {
    expect(expectedOf([], { type: "string" })).toBeNull();
    expect(expectedOf([], list)).toEqual({ any_of: [[], ""] });
  });
});
