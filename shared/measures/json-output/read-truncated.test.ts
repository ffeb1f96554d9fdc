import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../contracts/json.ts";
import { closeTruncated } from "./read-truncated.ts";

function readTruncated(text: string): Json | null | undefined {
  const closed = closeTruncated(text);
  return typeof closed === "string" ? (JSON.parse(closed) as Json) : closed;
}

test.each<[string, Json | null]>([
  ['{"a": 1, "pho', { a: 1 }],
  ['{"a": 1, "phone"', { a: 1 }],
  ['{"a": 1, "phone" : ', { a: 1 }],
  ['{"a": 1,', { a: 1 }],
  ['{"a": 1', { a: 1 }],
  ['{"a": "x, y,', { a: "x, y," }],
  ['{"a": "x/', { a: "x/" }],
  ['{"a": "', { a: "" }],
  ['{"a": "x\\', { a: "x" }],
  ['{"a": "x\\u00e', { a: "x" }],
  ['{"a": "x\\u00e9', { a: "xé" }],
  ['{"a": "x\\\\', { a: "x\\" }],
  ['{"a": "x\\ud83d', { a: "x" }],
  ['{"a": "x\\ud83d\\ude0', { a: "x" }],
  ['{"a": "x\\ud83d\\ude00', { a: "x😀" }],
  ['{"a": "x\ud83d', { a: "x" }],
  ['{"a": [1, tru', { a: [1] }],
  ['{"a": [1, true', { a: [1, true] }],
  ['{"a": [1, -', { a: [1] }],
  ['{"a": [1, 2.', { a: [1] }],
  ['{"a": [1, 2.5e', { a: [1] }],
  ['{"a": [1, 2.5e-', { a: [1] }],
  ['{"a": [1, 2.5e-1', { a: [1, 0.25] }],
  ['{"a": [{"n": 1}, {"n', { a: [{ n: 1 }] }],
  ['{"a": [{"n": 1}, {', { a: [{ n: 1 }] }],
  ['{"a": [{}, []', { a: [{}, []] }],
  ['{"a": 1, "a": ', { a: 1 }],
  ['{"a": 1, "a": "x', { a: "x" }],
  ['{"a": 1, "b": {"c": [{"d":', { a: 1 }],
  ['{"compa', null],
  ['{"a": [[{"b": nul', null],
  ["[", null],
])("closeTruncated(%j) is %j", (text, kept) => {
  expect(readTruncated(text)).toEqual(kept);
});

test.each([
  "",
  " ",
  '"text',
  "tru",
  "1",
  "{}",
  '{"a": 1}',
  "[1] and",
  "[1]]",
  "{'a': 1",
  "{a: 1",
  '{"a": 1 "b"',
  '{"a" 1',
  '{"a": 1,, "b',
  "[,",
  "[1,]",
  "[01",
  "[1.e",
  "[nulll",
  "[tru,",
  '["\\x',
  '["\\u12g',
  '["a\nb',
  "{,",
  '{"a":}',
  '["a":',
  "[1}",
  '{"a": [1}',
  "[+1",
  "{]",
])("closeTruncated(%j) is not the beginning of a JSON object or array", (text) => {
  expect(readTruncated(text)).toBeUndefined();
});

/** A value as written, with its position: from it follows what is complete at a cut. */
interface Written {
  start: number;
  end: number;
  members: { name: Written | null; value: Written }[] | null;
}

const blank = fc.constantFrom("", "", " ", "\n  ", "\t", "\r\n");
const piece = fc.constantFrom(
  "a",
  "B",
  " ",
  ",",
  "/",
  ":",
  "]",
  "}",
  "'",
  "é",
  "😀",
  "\u007f",
  "\\n",
  '\\"',
  "\\\\",
  "\\/",
  "\\u00e9",
  "\\u0000",
  "\\ud83d\\ude00",
  "\\uD83D\\uDE00",
  "\\u2028",
  "true",
  "\\b",
);
const anyString = fc.array(piece, { maxLength: 6 }).map((pieces) => `"${pieces.join("")}"`);
const anyNumber = fc.constantFrom(
  "0",
  "-0",
  "7",
  "-12",
  "10.25",
  "1e5",
  "1E+2",
  "-2.5e-3",
  "120000",
  "0.5",
);
const scalar = fc.oneof(anyString, anyNumber, fc.constantFrom("true", "false", "null"));
const anyName = fc.constantFrom(
  '"a"',
  '"b"',
  '"\\u0061"',
  '"é, "',
  '""',
  '"\\"]\\n"',
  '"\\ud83d\\ude00/"',
);

type Part = string | Node;
type Node = { parts: Part[]; isObject: boolean };
const { node } = fc.letrec<{ node: Node; value: Part }>((tie) => ({
  value: fc.oneof({ maxDepth: 3, withCrossShrink: true }, scalar, tie("node")),
  node: fc.boolean().chain((isObject) =>
    fc
      .array(
        fc
          .tuple(blank, anyName, blank, blank, tie("value"), blank)
          .map(([a, name, b, c, value, d]): Part[] =>
            isObject ? [a, name, b, ":", c, value, d] : [a, value, d],
          ),
        { maxLength: 4 },
      )
      .map((members): Node => {
        const separated = members.flatMap((member, i) => (i === 0 ? member : [",", ...member]));
        const [open, close] = isObject ? ["{", "}"] : ["[", "]"];
        return { isObject, parts: [open, ...separated, close] };
      }),
  ),
}));

/** Writes a node and records the position of each name and value, but not of punctuation and blanks. */
function write(part: Part, from: number): { text: string; written: Written } {
  if (typeof part === "string") {
    return { text: part, written: { start: from, end: from + part.length, members: null } };
  }
  let text = "";
  const found: Written[] = [];
  for (const inner of part.parts) {
    const { text: more, written } = write(inner, from + text.length);
    text += more;
    if (typeof inner !== "string" || /^[^\s,:{}[\]]/.test(inner)) found.push(written);
  }
  const members = part.isObject
    ? found.flatMap((name, i) => (i % 2 === 0 ? [{ name, value: found[i + 1]! }] : []))
    : found.map((value) => ({ name: null, value }));
  return { text, written: { start: from, end: from + text.length, members } };
}

const nothing = Symbol("nothing");

/** The part of a value that the specification keeps when its text ends at `cut`, found with JSON.parse. */
function keptOf(
  text: string,
  { start, end, members }: Written,
  cut: number,
): Json | typeof nothing {
  const part = text.slice(start, Math.min(end, cut));
  if (start >= cut || end <= cut || (members === null && part[0] !== '"')) return parsed(part);
  if (members !== null) return keptMembers(text, members, cut);
  for (let length = part.length; ; length--) {
    const value = parsed(`${part.slice(0, length)}"`);
    if (typeof value === "string" && !/[\ud800-\udbff]$/.test(value)) return value;
  }
}

function keptMembers(text: string, members: NonNullable<Written["members"]>, cut: number) {
  const kept = members.flatMap(({ name, value }) => {
    const one = keptOf(text, value, cut);
    return one === nothing ? [] : [[name, one] as const];
  });
  if (kept.length === 0) return nothing;
  if (kept[0]![0] === null) return kept.map(([, value]) => value);
  return Object.fromEntries(
    kept.map(([name, value]) => [JSON.parse(text.slice(name!.start, name!.end)), value]),
  ) as Json;
}

function parsed(text: string): Json | typeof nothing {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return nothing;
  }
}

describe("closeTruncated() of a JSON text cut at every position", () => {
  test("keeps exactly what is complete there", () => {
    fc.assert(
      fc.property(node, (root) => {
        const { text, written } = write(root, 0);
        const cuts = Array.from({ length: text.length - 1 }, (_, i) => i + 1);
        const kept = cuts.map((cut) => keptOf(text, written, cut));
        expect(cuts.map((cut) => readTruncated(text.slice(0, cut)))).toEqual(
          kept.map((value) => (value === nothing ? null : value)),
        );
        expect(readTruncated(text)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });
});
