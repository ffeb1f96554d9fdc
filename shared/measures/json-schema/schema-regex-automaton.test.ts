import fc from "fast-check";
import { expect, test } from "vitest";
import { RegexAutomaton } from "./schema-regex-automaton.ts";
import { parseRegex } from "./schema-regex-parse.ts";

function automatonOf(source: string, unicode = true): RegexAutomaton | null {
  const node = parseRegex(source, unicode);
  return node && RegexAutomaton.of(node, unicode);
}

const uncounted = () => {};
const letters = ["a", "b", "_", " ", "😀", "é", "\n"];
const text = fc.array(fc.constantFrom(...letters), { maxLength: 5 }).map((some) => some.join(""));

const { regex } = fc.letrec<{ regex: string }>((tie) => {
  const leaf = fc.constantFrom("a", "b", ".", "\\w", "\\s", "[^a]", "[ab😀]", "\\b", "^", "$");
  const group = tie("regex").map((inner) => `(${inner})`);
  const part = fc.oneof({ maxDepth: 2 }, leaf, group);
  const sign = fc.constantFrom("", "*", "+", "?", "*?", "{2}", "{0,2}", "{1,}");
  const repeated = fc
    .tuple(part, sign)
    .map(([one, many]) => (/^(\\[bB]|[$^])$/.test(one) ? one : one + many));
  const sequence = fc.array(repeated, { maxLength: 3 }).map((parts) => parts.join(""));
  return {
    regex: fc.array(sequence, { minLength: 1, maxLength: 2 }).map((some) => some.join("|")),
  };
});

test.each([true, false])("RegexAutomaton agrees with the engine, flag u %s", (unicode) => {
  fc.assert(
    fc.property(regex, text, (source, value) => {
      const expected = new RegExp(source, unicode ? "u" : "").test(value);
      expect(automatonOf(source, unicode)?.test(value, uncounted)).toBe(expected);
    }),
    { numRuns: 1000 },
  );
});

test.each(["(?=a)b", "(a)\\1", "(a{1,1000}){1,1000}"])("RegexAutomaton knows no %j", (source) => {
  expect(automatonOf(source)).toBeNull();
});

test.each([
  ["a\\Bb", "ab", true],
  ["a\\B", "a b", false],
  ["\\B", "", true],
])("RegexAutomaton of %j matches %j: %s", (source, value, matches) => {
  expect(automatonOf(source)?.test(value, uncounted)).toBe(matches);
});

test("RegexAutomaton takes an empty group repeated without end", () => {
  expect(automatonOf("^((){99999}){99999}a$")?.test("a", uncounted)).toBe(true);
  expect(automatonOf("^(a*)*$")?.test("aab", uncounted)).toBe(false);
});
