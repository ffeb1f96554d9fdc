import { expect, test } from "vitest";
import { parseRegex, type RegexNode } from "./schema-regex-parse.ts";

const atom = (source: string): RegexNode => ({ kind: "atom", source });
const sequence = (...parts: RegexNode[]): RegexNode => ({ kind: "sequence", parts });
const repeat = (body: RegexNode, min: number, max: number): RegexNode => {
  return { kind: "repeat", body, min, max };
};

test.each<[string, RegexNode | null]>([
  ["", sequence()],
  ["ab", sequence(atom("a"), atom("b"))],
  ["a|b", { kind: "choice", options: [sequence(atom("a")), sequence(atom("b"))] }],
  ["(?:a)+?", sequence(repeat(sequence(atom("a")), 1, Number.POSITIVE_INFINITY))],
  ["(?<year>\\d{4})", sequence(sequence(repeat(atom("\\d"), 4, 4)))],
  ["[^\\]a]{2,}", sequence(repeat(atom("[^\\]a]"), 2, Number.POSITIVE_INFINITY))],
  ["\\u{1F600}\\p{L}", sequence(atom("\\u{1F600}"), atom("\\p{L}"))],
  ["\\ud83d\\ude00?", sequence(repeat(atom("\\ud83d\\ude00"), 0, 1))],
  [
    "^\\b$",
    sequence(...["^", "\\b", "$"].map((s): RegexNode => ({ kind: "boundary", source: s }))),
  ],
  ["(?<!a)", sequence({ kind: "look", body: sequence(atom("a")) })],
  ["(a)\\1", sequence(sequence(atom("a")), { kind: "reference" })],
  [`${"(".repeat(60)}a${")".repeat(60)}`, null],
  ["(?i:a)", null],
])("parseRegex(%j) reads it", (source, node) => {
  expect(parseRegex(source, true)).toEqual(node);
});

test("parseRegex() without the flag u takes braces and brackets for themselves", () => {
  const parts = ["{", "]", "\\_", "}"].map(atom);
  expect(parseRegex("{]\\_}", false)).toEqual(sequence(...parts));
});
