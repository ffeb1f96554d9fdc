import { expect, test } from "vitest";
import { parseRegex, type RegexNode } from "./schema-regex-parse.ts";

const atom = (source: string): RegexNode => ({ kind: "atom", source: `(?:${source})` });
const sequence = (...parts: RegexNode[]): RegexNode => ({ kind: "sequence", parts });
const group = (body: RegexNode, number = 0): RegexNode => ({ kind: "group", body, group: number });
const repeat = (body: RegexNode, min: number, max: number, greedy = true): RegexNode => {
  return { kind: "repeat", body, min, max, greedy };
};

test.each<[string, RegexNode | null]>([
  ["", sequence()],
  ["ab", sequence(atom("a"), atom("b"))],
  ["a|b", { kind: "choice", options: [atom("a"), atom("b")] }],
  ["(?:a)+?", repeat(atom("a"), 1, Number.POSITIVE_INFINITY, false)],
  ["(?<year>\\d{4})", group(repeat(atom("\\d"), 4, 4))],
  ["[^\\]a]{2,}", repeat(atom("[^\\]a]"), 2, Number.POSITIVE_INFINITY)],
  ["\\u{1F600}\\p{L}", sequence(atom("\\u{1F600}"), atom("\\p{L}"))],
  ["\\ud83d\\ude00?", repeat(atom("\\ud83d\\ude00"), 0, 1)],
  ["\\B", { kind: "boundary", edge: "word", negate: true, flags: "" }],
  ["(?m:^)", { kind: "boundary", edge: "start", negate: false, flags: "m" }],
  ["(?i:(?-i:a)b)", sequence(atom("a"), { kind: "atom", source: "(?i:b)" })],
  ["(?<!a)", { kind: "look", body: atom("a"), behind: true, negate: true }],
  ["(a)\\1", sequence(group(atom("a")), { kind: "reference", groups: [0], flags: "" })],
  ["(?<n>(?<n>))", null],
])("parseRegex(%j) reads it", (source, node) => {
  expect(parseRegex(source, true)).toEqual(node);
});

test("parseRegex() throws if the stack is too small", () => {
  const nested = `${"(".repeat(20_000)}a${")".repeat(20_000)}`;
  expect(() => parseRegex(nested, true)).toThrow(RangeError);
});

test("parseRegex() without the flag u reads unmatched braces and brackets as literals", () => {
  const parts = ["{", "]", "\\_", "}"].map(atom);
  expect(parseRegex("{]\\_}", false)).toEqual(sequence(...parts));
});
