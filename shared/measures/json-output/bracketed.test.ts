import fc from "fast-check";
import { expect, test } from "vitest";
import { bracketed } from "./bracketed.ts";

test.each([
  ["none", []],
  ['see {"a": [1]}.', ['{"a": [1]}']],
  ['{"a": "}"} x', ['{"a": "}"}']],
  ["{'a': 'x } y', 'b': [1]} x", ["{'a': 'x } y', 'b': [1]}"]],
  ["{'a': 'it's } fine'} x", ["{'a': 'it's } fine'}"]],
  ["{“a”: “x } y”} z", ["{“a”: “x } y”}"]],
  ["{a: isn't} {b}", ["{a: isn't}", "{b}"]],
  ['{"a": "say "hi } or" now", "b": 1} x', ['{"a": "say "hi } or" now", "b": 1}']],
  ["as in [1], {2} and [3]", ["[1]", "{2}", "[3]"]],
  ['{"a": [1, 2} and {3}', ['{"a": [1, 2}', "{3}"]],
  ['{"a": 1], "b": 2}', ['{"a": 1], "b": 2}']],
])("bracketed(%j) is %j", (text, found) => {
  const pieces = [...bracketed(text)];
  expect(pieces.map(({ start, end }) => text.slice(start, end))).toEqual(found);
  expect(pieces.every(({ closed }) => closed)).toBe(true);
});

test.each(['{"a": "\\"}"', "[[1]", "{'a': 'it", "{"])("bracketed(%j) is unclosed", (text) => {
  const piece = { start: 4, end: text.length + 4, closed: false, tooDeep: false };
  expect([...bracketed(`1 2 ${text}`)]).toEqual([piece]);
});

test("bracketed() stops at the maximum nesting depth", () => {
  const [piece] = bracketed("[".repeat(501) + "]".repeat(501));
  expect(piece).toMatchObject({ closed: false, tooDeep: true });
});

test("bracketed() finds any JSON object in prose, whole", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), (value, indented) => {
      const json = JSON.stringify(value, null, indented ? 2 : 0);
      const [piece, ...others] = bracketed(`Sure: ${json} That's it.`);
      expect([piece?.start, piece?.end, others]).toEqual([6, 6 + json.length, []]);
    }),
  );
});
