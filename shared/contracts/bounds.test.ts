import { describe, expect, it } from "vitest";
import { boundedAnswer, emptyAnswer, mostToolCalls } from "./answer.ts";
import { bounds, cutText, holdsMoreValues } from "./bounds.ts";

it.each([
  ["", 3, ""],
  ["abc", 3, "abc"],
  ["abcd", 3, "ab…"],
  ["a🦙bc", 4, "a🦙…"],
  ["a🦙bc", 3, "a…"],
])("cutText(%j, %d) is %j", (text, max, cut) => {
  expect(cutText(text, max)).toBe(cut);
});

it.each([
  ["[1, [2]]".padEnd(20), 4, false],
  ["[1, [2]]".padEnd(20), 3, true],
  ['{"a": {"b": ",[{,[{\\",[{"}}', 3, false],
  ['{"a": 1, "b": 2, "c": 3}', 3, true],
  ["[1]", 1, true],
  ["[1]", 2, false],
])("holdsMoreValues(%j, %d) is %j", (text, most, holds) => {
  expect(holdsMoreValues(text, most)).toBe(holds);
});

const long = "x".repeat(3_000_000);

describe("boundedAnswer()", () => {
  it("cuts long strings, except the texts that the model wrote", () => {
    const given = {
      ...emptyAnswer,
      output: long,
      refusal: long,
      finishReason: long,
      source: long,
      servedModel: long,
      error: { class: "bad_request" as const, message: long },
      toolCalls: [{ name: long, arguments: {} }],
      // A field that a later version adds is cut, too.
      later: long,
    };
    const { output, refusal, ...rest } = boundedAnswer(given);
    expect([output?.length, refusal?.length]).toEqual([long.length, long.length]);
    expect(JSON.stringify(rest).length).toBeLessThan(2_500);
    expect(rest.servedModel).toBe(`${"x".repeat(bounds.servedModel - 1)}…`);
    expect(rest.error?.message).toBe(`${"x".repeat(bounds.message - 1)}…`);
  });

  it.each([
    ["other\u202egnp", "other\ufffdgnp"],
    ["m\u0000\u200b", "m\ufffd\ufffd"],
    [`${"x".repeat(250)}\u202e`, `${"x".repeat(199)}…`],
    ["", undefined],
    [" \n".repeat(3), "\ufffd \ufffd \ufffd"],
    ["   ", undefined],
  ])("stores the model name %j as %j", (servedModel, shown) => {
    const answer = boundedAnswer({ ...emptyAnswer, servedModel });
    expect(answer).toEqual({ ...emptyAnswer, ...(shown !== undefined && { servedModel: shown }) });
    expect("servedModel" in answer).toBe(shown !== undefined);
  });

  it("keeps the first tool calls and counts the others", () => {
    const toolCalls = Array.from({ length: mostToolCalls + 5 }, () => ({
      name: "f",
      arguments: {},
    }));
    const bounded = boundedAnswer({ ...emptyAnswer, toolCalls }).toolCalls;
    expect(bounded).toHaveLength(mostToolCalls);
    expect(bounded?.at(-1)).toEqual({ name: "… 6 more calls", arguments: {} });
    const fits = toolCalls.slice(0, mostToolCalls);
    expect(boundedAnswer({ ...emptyAnswer, toolCalls: fits }).toolCalls).toEqual(fits);
  });

  it("replaces text in a number field by null", () => {
    const given = { ...emptyAnswer, inputTokens: "[redacted]" as never };
    expect(boundedAnswer(given).inputTokens).toBeNull();
  });
});
