import { expect, test } from "vitest";
import { compilePattern, searchCost } from "./compile-pattern.ts";
import { parseRegex } from "./schema-regex-parse.ts";

const uncounted = () => {};

test.each([
  ["^[a-z]+$", "ab", true],
  ["^[a-z]+$", "a1", false],
  ["^\\p{L}$", "é", true],
  ["^.$", "😀", true],
  // Valid only without the flag `u`.
  ["^[A-Z\\-\\_]+$", "A_", true],
  ["^\\@{$", "@{", true],
  ["^(?!org\\.)([a-z]+\\.)*[a-z]+$", "com.example.some.package", true],
  ["^(?!org\\.)([a-z]+\\.)*[a-z]+$", "org.example", false],
  ["^(?=(a+)+$)a", `${"a".repeat(5_000)}!`, false],
  ["((a+)+)\\1$", "aaaa", true],
  ["(a{1,100}){1,100}", `b${"a".repeat(5_000)}`, true],
  ["^(?=.*[A-Z])(?=.*\\d).{8,}$", `${"a".repeat(50_000)}A1`, true],
  ["^(\\d+)-\\1$", `${"12".repeat(500)}-${"12".repeat(500)}`, true],
])("compilePattern(%j) matches %j: %s", (pattern, text, matches) => {
  expect(compilePattern(pattern)?.test(text, uncounted)).toBe(matches);
});

test.each(["(", "[z-a]", "(?<n>(?<n>))"])("compilePattern(%j) is null", (pattern) => {
  expect(compilePattern(pattern)).toBeNull();
});

const stepsFor = (pattern: string, text: string): number => {
  let steps = 0;
  compilePattern(pattern)?.test(text, (more) => {
    steps += more;
  });
  return steps;
};

test.each([
  "^(a+)+$",
  "(x+x+)+y",
  "^(a|aa)+$",
  "(.*a){12}b",
  "([a-z]+)*\\d",
  "a*a*a*a*a*c",
  "\\s+$",
  "^(?!org\\.)([a-z]+\\.)*[a-z]+$",
  "^(?=(a+)+$)b",
  "^(?:(?!--)[a-z !])+$",
])("compilePattern(%j) stays linear in the text", (pattern) => {
  const textOf = (length: number) => `${"a x".repeat(length / 3)}${"a".repeat(length)}!`;
  const once = stepsFor(pattern, textOf(20_000));
  expect(stepsFor(pattern, textOf(40_000))).toBeLessThanOrEqual(2.2 * Math.max(once, 40_000));
});

test("compilePattern() spends steps on a pattern that backtracks exponentially, and stops if refused", () => {
  let left = 2_000_000;
  const refuse = (steps: number) => {
    left -= steps;
    if (left < 0) throw new Error("no more steps");
  };
  const pattern = compilePattern("^((a+)+)\\2!$");
  expect(pattern?.test("aab!", refuse)).toBe(false);
  expect(() => pattern?.test(`${"a".repeat(200)}b`, refuse)).toThrow("no more steps");
});

test("compilePattern() accepts a list of 10,000 names, and rejects huge patterns", () => {
  const names = Array.from({ length: 10_000 }, (_, i) => `n${i}`).join("|");
  expect(compilePattern(`^(?!x)(${names})$`)?.test("n9999", uncounted)).toBe(true);
  expect(stepsFor("a|".repeat(1_000_000), "b")).toBe(Number.POSITIVE_INFINITY);
});

test.each([
  ["^abc$", 0, 0.1],
  ["abc", 1, 1],
  ["^a*$", 1, 1],
  ["a*$", 2, 2],
  ["^.*a.*b$", 2, 2],
  ["^(?=.*a)(?=.*b)c", 1, 1],
  ["(.*a){3}", 4, 4],
  ["^(\\d{1,3}\\.){3}\\d{1,3}$", 0, 0.1],
])("searchCost() of %j grows with the length to the power %d to %d", (source, least, most) => {
  const cost = (length: number) => searchCost(parseRegex(source, true)!, length);
  const power = Math.log10(cost(10_000) / cost(1_000));
  expect(power).toBeGreaterThan(least - 0.1);
  expect(power).toBeLessThan(most + 0.1);
});

test.each(["^(a+)+$", "(a|b)*c", "^([a-z]+-)*x", "(a|a){60}"])(
  "searchCost() of %j has no bound in practice",
  (source) => {
    expect(searchCost(parseRegex(source, true)!, 100)).toBeGreaterThan(1e15);
  },
);
