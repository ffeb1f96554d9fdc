import { expect, test } from "vitest";
import { readLines } from "./read-lines.ts";

const plain = (text: string) => {
  const { slots, ...lines } = readLines(text);
  return { slots: [...slots].map(([topic, fields]) => [topic, [...fields]]), ...lines };
};

test("readLines() takes topic, field and values, and passes blank lines over", () => {
  expect(plain("basic_info::age::34\r\n\n interests :: food :: ramen (hot, mild), tea\n")).toEqual({
    slots: [
      ["basic_info", [["age", ["34"]]]],
      ["interests", [["food", ["ramen (hot, mild)", "tea"]]]],
    ],
    slotLines: 2,
    otherLines: 0,
  });
});

test.each([
  ["- a::b::c", 1],
  ["* a::b::c", 1],
  ["12. a::b::c", 1],
  ["3) a::b::c", 1],
  ["-a::b::c", 1],
  ["a::b::", 1],
  ["a::b", 0],
  ["a:b:c", 0],
  ["::b::c", 0],
  ["- ::b::c", 0],
  ["a:: ::c", 0],
  ["Here you are:", 0],
])("readLines() of %j finds %d slot line(s)", (line, slotLines) => {
  expect(readLines(line)).toMatchObject({ slotLines, otherLines: 1 - slotLines });
});

test("readLines() strips list marks, keeps a third :: and joins lines of one slot", () => {
  expect(plain("- a::b::c::d\n2. a::b::e, e\na::g::").slots).toEqual([
    ["a", [["b", ["c::d", "e", "e"]]]],
  ]);
});
