import { harmlessLength } from "./compile-pattern.ts";
import { matches } from "./schema-regex-machine.ts";
import { parseRegex } from "./schema-regex-parse.ts";
import { countingProgram, type RegexProgram } from "./schema-regex-program.ts";

/** Maximum steps of all searches by one object: about half a second if counted, far less in the engine. */
const MOST_STEPS = 10_000_000;
const LONGEST_QUOTE = 60;

/** Cost of searches with an expression. */
interface Cost {
  /** Maximum length of texts for which the engine is always fast. */
  harmless: number;
  /** Program that counts the engine's steps for longer texts; null for an expression that can't be parsed. */
  program: RegexProgram | null;
}

/** Costs by expression, because a mapping uses the same expression for many rows. */
const costs = new WeakMap<RegExp, Cost>();

/**
 * A regular expression with any of the flags `g`, `i`, `m` and `u` that throws instead of backtracking for a long time:
 * our own matcher, which tries the same alternatives, counts the steps first.
 * @throws Error that names the expression
 * @example new BoundedRegex(/(a+)+$/g).exec("aaa")?.[0] // "aaa"
 */
export class BoundedRegex extends RegExp {
  readonly #cost: Cost;
  #left = MOST_STEPS;

  constructor(regex: RegExp) {
    super(regex);
    this.#cost = costs.get(regex) ?? costOf(regex);
    costs.set(regex, this.#cost);
  }

  override exec(text: string): RegExpExecArray | null {
    const given = String(text);
    const { harmless, program } = this.#cost;
    if (given.length > harmless) {
      const spend = (steps: number) => this.#spend(steps, given);
      if (program === null) spend(Number.POSITIVE_INFINITY);
      else matches(program, given, false, spend, this.global ? this.lastIndex : 0);
    }
    return super.exec(given);
  }

  #spend(steps: number, { length }: string): void {
    this.#left -= steps;
    if (this.#left >= 0) return;
    throw new Error(
      `the regular expression /${this.source.slice(0, LONGEST_QUOTE)}/ takes too many steps on a text of ${length} characters: simplify it`,
    );
  }
}

function costOf({ source, unicode, ignoreCase, multiline }: RegExp): Cost {
  try {
    const node = parseRegex(source, unicode, multiline ? "m" : "");
    if (node === null) return { harmless: 0, program: null };
    return { harmless: harmlessLength(node), program: countingProgram(node, unicode, ignoreCase) };
  } catch (error) {
    // The expression is nested too deep for the stack.
    if (!(error instanceof RangeError)) throw error;
    return { harmless: 0, program: null };
  }
}
