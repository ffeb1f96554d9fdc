import { matches } from "./schema-regex-machine.ts";
import { parseRegex, type RegexNode } from "./schema-regex-parse.ts";
import { type RegexProgram, regexProgram } from "./schema-regex-program.ts";

/** A regular expression with a limit on its steps. */
export interface Pattern {
  /**
   * Whether a part of `text` matches. `spend` receives the number of steps before they are taken; it throws to refuse
   * them.
   */
  test(text: string, spend: (steps: number) => void): boolean;
}

/**
 * Characters that the engine may examine in one match, about a millisecond. For more, our own matcher is used: about
 * twenty times slower for each character, but it counts its steps.
 */
const maxNativeCost = 100_000;

const compiled = new Map<string, Pattern | null>();

let keptLength = 0;

/** Cached patterns, and total characters of them: more than schemas have, but few enough for memory. */
const maxKept = 1_000;
const maxKeptLength = 200_000;

/** Longest pattern: several times a list of all airports, within a Worker's memory. */
const maxLength = 100_000;

/**
 * Compiles `pattern` with the flag `u`, or without it if that fails; null if it is invalid. Never throws; compiled
 * once. A pattern that could be slow in the engine is matched step by step: linear in the text without lookarounds
 * and back references, and never more steps than `spend` allows.
 * Source: docs/spec/extraction.md, section 5; JSON Schema 2020-12 core, section 6.4.
 * @example compilePattern("^(a+)+$")?.test("aa", () => {}) // true
 */
export function compilePattern(pattern: string): Pattern | null {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  keptLength += pattern.length;
  if (compiled.size >= maxKept || keptLength > maxKeptLength) {
    compiled.clear();
    keptLength = pattern.length;
  }
  const made = compile(pattern);
  compiled.set(pattern, made);
  return made;
}

function compile(pattern: string): Pattern | null {
  const unicode = regexOf(pattern, "u");
  const regex = unicode ?? regexOf(pattern, "");
  if (regex !== null && pattern.length > maxLength) return unread;
  try {
    const node = regex && parseRegex(pattern, unicode !== null);
    return node && bounded(regex, node, unicode !== null);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return unread;
  }
}

function bounded(regex: RegExp, node: RegexNode, unicode: boolean): Pattern {
  const harmless = harmlessLength(node);
  let program: RegexProgram | null = null;
  return {
    test(text, spend) {
      if (text.length <= harmless) return regex.test(text);
      program ??= regexProgram(node, unicode);
      return matches(program, text, isAnchored(node), spend);
    },
  };
}

/** A pattern that is too long or too deeply nested to parse: its steps are unknown. */
const unread: Pattern = {
  test(_, spend) {
    spend(Number.POSITIVE_INFINITY);
    return false;
  },
};

function regexOf(pattern: string, flags: string): RegExp | null {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return null;
  }
}

/**
 * Maximum length of texts for which the engine is always fast: a power of two; 0 if there is none.
 * @example harmlessLength(parseRegex("^(a+)+$", true)!) // 8
 */
export function harmlessLength(node: RegexNode): number {
  const cost = (of: number) => searchCost(node, of);
  let length = 1;
  while (length < 2 ** 24 && cost(length * 2) <= maxNativeCost) length *= 2;
  return cost(length) <= maxNativeCost ? length : 0;
}

/** Upper bounds for a backtracking engine at one position of a text. */
interface Cost {
  /** Ways to match, each of which it may backtrack to. */
  ways: number;
  /** Characters that are examined. */
  work: number;
}

/**
 * Upper bound for the characters that a backtracking engine examines when it fails to find `node` in a text of
 * `length`; often far too high; Infinity if there is no practical bound. Linear in the expression.
 * Source: each way of one part is tried with each way of the next; a quantifier over a part with
 * several ways has exponentially many.
 * @example searchCost({ kind: "atom", source: "a" }, 10) // 10
 */
export function searchCost(node: RegexNode, length: number): number {
  const starts = isAnchored(node) ? 1 : length + 1;
  return starts * costOf(node, length).work;
}

function costOf(node: RegexNode, length: number): Cost {
  switch (node.kind) {
    case "atom":
    case "boundary":
      return { ways: 1, work: 1 };
    case "reference":
      return { ways: 1, work: length };
    case "look":
      return { ways: 1, work: costOf(node.body, length).work };
    case "group":
      return costOf(node.body, length);
    case "choice": {
      const costs = node.options.map((option) => costOf(option, length));
      return { ways: sum(costs.map((c) => c.ways)), work: sum(costs.map((c) => c.work)) };
    }
    case "sequence":
      return inSequence(node.parts.map((part) => costOf(part, length)));
    case "repeat":
      return repeated(costOf(node.body, length), node.min, Math.min(node.max, length + 1));
  }
}

function inSequence(costs: readonly Cost[]): Cost {
  let ways = 1;
  let work = 0;
  for (const cost of costs) {
    work += ways * cost.work;
    ways *= cost.ways;
  }
  return { ways, work: Math.max(1, work) };
}

/** A body with `w` ways is started 1 + w + … + w^(max − 1) times, and ends in w times as many ways. */
function repeated({ ways, work }: Cost, min: number, max: number): Cost {
  const most = Math.max(min, max);
  if (ways === 1) return { ways: most - min + 1, work: Math.max(1, most) * work };
  const begun = (times: number) => (ways ** times - 1) / (ways - 1);
  return { ways: begun(most + 1), work: Math.max(1, begun(most)) * work };
}

/**
 * Whether a match can only start at the start of the text.
 * @example isAnchored(parseRegex("^a|^b", true)!) // true
 */
function isAnchored(node: RegexNode): boolean {
  if (node.kind === "boundary") return node.edge === "start" && !node.flags.includes("m");
  if (node.kind === "group") return isAnchored(node.body);
  if (node.kind === "choice") return node.options.every(isAnchored);
  return node.kind === "sequence" && node.parts[0] !== undefined && isAnchored(node.parts[0]);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
