import { RegexAutomaton } from "./schema-regex-automaton.ts";
import { searchCost } from "./schema-regex-cost.ts";
import { parseRegex } from "./schema-regex-parse.ts";

/** A regular expression that takes no more time than it says. */
export interface Pattern {
  /** Whether a part of `text` matches; `spend` is told the steps before they are taken. */
  test(text: string, spend: (steps: number) => void): boolean;
}

/**
 * Characters that the engine may look at in one match: a millisecond or so. Past it the automaton
 * takes over, which needs some twenty times longer a character, but always the same.
 */
const maxNativeCost = 100_000;

/** Length of a text up to which a pattern that has no automaton has to be harmless. */
const harmlessLength = 100;

/** Why a pattern is not used: the engine does not know it, or could be kept busy by it for ever. */
export type PatternProblem = "invalid" | "costly";

const compiled = new Map<string, Pattern | PatternProblem>();

/** Patterns kept compiled: more than any schema has, few enough to stay small. */
const maxKept = 1000;

/**
 * `pattern` as a regular expression with the flag `u`, else without; null for one that is not used.
 * Never throws; compiled once. Matching is bounded: a pattern that backtracking could keep busy is
 * matched by an automaton, in time linear in the text.
 * Source: specification of the extraction suite, section 5; JSON Schema 2020-12 core, section 6.4.
 * @example compilePattern("^(a+)+$")?.test("aa", () => {}) // true
 */
export function compilePattern(pattern: string): Pattern | null {
  const made = kept(pattern);
  return typeof made === "string" ? null : made;
}

/**
 * Why `pattern` is not used; null for one that is.
 * @example patternProblem("(") // "invalid"
 */
export function patternProblem(pattern: string): PatternProblem | null {
  const made = kept(pattern);
  return typeof made === "string" ? made : null;
}

function kept(pattern: string): Pattern | PatternProblem {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (compiled.size >= maxKept) compiled.clear();
  const made = compile(pattern);
  compiled.set(pattern, made);
  return made;
}

function compile(pattern: string): Pattern | PatternProblem {
  const unicode = regexOf(pattern, "u");
  const regex = unicode ?? regexOf(pattern, "");
  if (regex === null) return "invalid";
  const node = parseRegex(pattern, unicode !== null);
  const cost = (length: number) =>
    node === null ? Number.POSITIVE_INFINITY : searchCost(node, length);
  const harmless = harmlessUpTo(cost);
  const automaton = node && RegexAutomaton.of(node, unicode !== null);
  if (automaton === null && harmless < harmlessLength) return "costly";
  return {
    test(text, spend) {
      if (text.length <= harmless) return regex.test(text);
      if (automaton !== null) return automaton.test(text, spend);
      spend(cost(text.length));
      return regex.test(text);
    },
  };
}

function regexOf(pattern: string, flags: string): RegExp | null {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return null;
  }
}

/** The greatest power of two that is a length of text at which the engine stays cheap, less one. */
function harmlessUpTo(cost: (length: number) => number): number {
  let length = 1;
  while (length < 2 ** 24 && cost(length * 2) <= maxNativeCost) length *= 2;
  return cost(length) <= maxNativeCost ? length : 0;
}
