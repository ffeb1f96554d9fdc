import { expect, test } from "vitest";
import { compilePattern, patternProblem } from "./compile-pattern.ts";

const uncounted = () => {};

test.each([
  ["^[a-z]+$", "ab", true],
  ["^[a-z]+$", "a1", false],
  ["^\\p{L}$", "é", true],
  ["^.$", "😀", true],
  // Valid only without the flag `u`.
  ["^[A-Z\\-\\_]+$", "A_", true],
  ["^\\@{$", "@{", true],
])("compilePattern(%j) matches %j: %s", (pattern, text, matches) => {
  expect(compilePattern(pattern)?.test(text, uncounted)).toBe(matches);
});

test.each([
  ["(", "invalid"],
  ["[z-a]", "invalid"],
  ["(?=(a+)+$)b", "costly"],
  ["((a+)+)\\1$", "costly"],
  ["(a{1,100}){1,100}", "costly"],
  ["^(?=.*[A-Z])(?=.*\\d).{8,}$", null],
  ["^(\\d+)-\\1$", null],
  ["^(a+)+$", null],
])("patternProblem(%j) is %j", (pattern, problem) => {
  expect(patternProblem(pattern)).toBe(problem);
  expect(compilePattern(pattern) === null).toBe(problem !== null);
});

test.each([
  "^(a+)+$",
  "(x+x+)+y",
  "^(a|aa)+$",
  "(.*a){12}b",
  "([a-z]+)*\\d",
  "a*a*a*a*a*c",
  "\\s+$",
])("compilePattern(%j) stays linear in the text", (pattern) => {
  const stepsFor = (length: number) => {
    let steps = 0;
    const text = `${"a x".repeat(length / 3)}${"a".repeat(length)}!`;
    compilePattern(pattern)?.test(text, (more) => {
      steps += more;
    });
    return steps;
  };
  expect(stepsFor(40_000)).toBeLessThanOrEqual(2.2 * Math.max(stepsFor(20_000), 40_000));
});

test("compilePattern() tells what it is about to spend before the engine starts", () => {
  const refuse = (steps: number) => {
    throw new Error(`asked for ${steps}`);
  };
  const pattern = compilePattern("^(?=.*a)(?=.*b).*c$");
  expect(pattern?.test("ab".repeat(20), refuse)).toBe(false);
  expect(() => pattern?.test("ab".repeat(200_000), refuse)).toThrow(/asked for/);
});
