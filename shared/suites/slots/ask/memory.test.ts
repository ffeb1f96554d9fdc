import { expect, test } from "vitest";
import { anAnswer } from "../__fixtures__/build.ts";
import { storedText } from "./memory.ts";

const replies = [
  anAnswer('{"a": {"b": "1", "c": ["2", "3"]}}'),
  anAnswer("I can't."),
  anAnswer(null, { error: { class: "timeout", message: "" } }),
  anAnswer('{"d": {"e": "4"}, "a": {"b": ["5"], "c": null}}'),
];

test("storedText() shows the latest value of each slot, including slots of earlier replies", () => {
  expect(JSON.parse(storedText(replies, "json"))).toEqual({
    a: { b: "5", c: ["2", "3"] },
    d: { e: "4" },
  });
});

test("storedText() writes lines in the format lines", () => {
  const lines = [anAnswer("a::b::1\na::c::2, 3"), anAnswer("a::b::4 (5, 6)")];
  expect(storedText(lines, "lines")).toBe("a::c::2, 3\na::b::4 (5, 6)");
});

test("storedText() writes an empty object or NONE if nothing is stored", () => {
  expect(storedText([], "json")).toBe("{}");
  expect(storedText([anAnswer("")], "lines")).toBe("NONE");
});

test("storedText() keeps the latest slots if the memory exceeds its limits", () => {
  const reply = (from: number, value: string) => {
    const fields = Array.from({ length: 1_000 }, (_, i) => [`f${from + i}`, value]);
    return anAnswer(JSON.stringify({ t: Object.fromEntries(fields) }));
  };
  const kept = JSON.parse(storedText([reply(0, "x"), reply(1_000, "y")], "json")).t;
  expect(Object.keys(kept)).toHaveLength(500);
  expect(Object.keys(kept).at(-1)).toBe("f1999");
  const long = storedText([reply(0, "x".repeat(1_000))], "json");
  expect(long.length).toBeLessThan(25_000);
  expect(storedText([anAnswer(JSON.stringify({ t: { f: "x".repeat(1e6) } }))], "json")).toBe("{}");
});
