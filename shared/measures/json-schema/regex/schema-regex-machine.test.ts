import fc from "fast-check";
import { expect, test } from "vitest";
import { matches } from "./schema-regex-machine.ts";
import { parseRegex } from "./schema-regex-parse.ts";
import { regexProgram } from "./schema-regex-program.ts";

function search(source: string, flags: string, text: string, spend = (_: number) => {}): boolean {
  const unicode = flags === "u";
  return matches(regexProgram(parseRegex(source, unicode)!, unicode), text, false, spend);
}

const letters = ["a", "b", "_", " ", "😀", "é", "\n", "A", "\ud83d"];
const text = fc.array(fc.constantFrom(...letters), { maxLength: 7 }).map((some) => some.join(""));

/** Random expressions with every feature of ECMA-262, including references to later and missing groups. */
const { regex } = fc.letrec<{ regex: string }>((tie) => {
  const atoms = ["a", "b", ".", "\\w", "\\s", "[^a]", "[ab😀]", "\\u0061", "[]", "[^]", "é", "\\W"];
  const edges = ["\\b", "\\B", "^", "$", "(?m:^)", "(?m:$)"];
  const leaf = fc.constantFrom(...atoms, ...edges, "\\1", "\\2", "\\k<n>");
  const opening = fc.constantFrom(
    "(",
    "(",
    "(",
    "(?:",
    "(?=",
    "(?!",
    "(?<=",
    "(?<!",
    "(?i:",
    "(?s-i:",
    "(?<n>",
  );
  const group = fc.tuple(opening, tie("regex")).map(([open, inner]) => `${open}${inner})`);
  const part = fc.oneof({ maxDepth: 3 }, leaf, group, group);
  const sign = fc.constantFrom(
    "",
    "",
    "*",
    "+",
    "?",
    "*?",
    "+?",
    "??",
    "{2}",
    "{0,2}",
    "{1,}",
    "{2,3}?",
    "{0}",
  );
  const repeated = fc.tuple(part, sign).map(([one, many]) => one + many);
  const sequence = fc.array(repeated, { maxLength: 4 }).map((parts) => parts.join(""));
  return {
    regex: fc.array(sequence, { minLength: 1, maxLength: 2 }).map((some) => some.join("|")),
  };
});

function native(source: string, flags: string): RegExp | null {
  try {
    return new RegExp(source, flags);
  } catch {
    return null;
  }
}

test.each(["", "u"])("matches() agrees with the engine, flags %j", (flags) => {
  let tried = 0;
  fc.assert(
    fc.property(regex, fc.array(text, { minLength: 3, maxLength: 3 }), (source, texts) => {
      const engine = native(source, flags);
      if (engine === null || parseRegex(source, flags === "u") === null) return;
      tried++;
      expect(texts.map((one) => search(source, flags, one))).toEqual(
        texts.map((one) => engine.test(one)),
      );
    }),
    { numRuns: 3000 },
  );
  expect(tried).toBeGreaterThan(500);
});

test.each([
  ["\\c", "\\c", true],
  ["\\18", "\u00018", true],
  ["a{,2}", "a{,2}", true],
  ["(?=a)*b", "b", true],
  ["\\k<n>", "k<n>", true],
  ["(?:(?=(a))a)*\\1b", "aaab", true],
  ["(?<=(a+)b)\\1", "aaba", false],
  ["(?<=(a+?)b)\\1", "aaba", true],
  ["(?:(a)|b)*\\1c", "abc", true],
  ["^(?i:(é))\\1$", "éé", true],
  ["(?i:(a)\\1)", "aA", true],
  ["((){99999}){99999}a", "a", true],
  ["(a{1,1000}){1,1000}b", "aab", true],
  ["(a*)*c", "aab", false],
  ["", "", true],
])("matches(%j, %j) is %s, like the engine", (source, value, found) => {
  expect(new RegExp(source).test(value) || source.includes("99999")).toBe(found);
  expect(search(source, "", value)).toBe(found);
});

const steps = (source: string, value: string): number => {
  let sum = 0;
  search(source, "u", value, (more) => {
    sum += more;
  });
  return sum;
};

test.each(["^(?!org\\.)([a-z]+\\.)*[a-z]+$", "(?=(a+)+$)b", "(?<!x)(a|a)*$", "(a|b|ab)*c"])(
  "matches() of %j takes steps in proportion to the text",
  (source) => {
    const [once, twice] = [20, 40].map((times) => steps(source, `${"a".repeat(50 * times)}!`));
    expect(twice! / once!).toBeLessThan(
      source.startsWith("^") || !source.includes("(?") ? 2.2 : 4.4,
    );
  },
);

test("matches() throws the given error when the steps are used up", () => {
  const refuse = () => {
    throw new Error("enough");
  };
  expect(() => search("^(?:(a+)+\\1)+$", "u", `${"a".repeat(60)}!`, refuse)).toThrow("enough");
});

test("matches() limits the memory for backtracking", () => {
  const spend = (more: number) => {
    if (more === Number.POSITIVE_INFINITY) throw new Error("too much");
  };
  expect(() => search("^(.)*\\1!$", "u", "ab".repeat(1_000_000), spend)).toThrow("too much");
});
