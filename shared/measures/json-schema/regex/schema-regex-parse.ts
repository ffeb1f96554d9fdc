import { type AST, RegExpParser } from "@eslint-community/regexpp";

/** A regular expression, as detailed as cost estimates and the bounded matcher need. */
export type RegexNode =
  /** One character; `source` is its expression. */
  | { kind: "atom"; source: string }
  | { kind: "sequence"; parts: RegexNode[] }
  | { kind: "choice"; options: RegexNode[] }
  | { kind: "repeat"; body: RegexNode; min: number; max: number; greedy: boolean }
  /** A capturing group, which a back reference names by its number `group`. */
  | { kind: "group"; body: RegexNode; group: number }
  | { kind: "boundary"; edge: "start" | "end" | "word"; negate: boolean; flags: string }
  | { kind: "look"; body: RegexNode; behind: boolean; negate: boolean }
  /** Of several groups with the same name, at most one has matched. */
  | { kind: "reference"; groups: number[]; flags: string };

/**
 * Parses a regular expression with (`unicode`) or without the flag `u`, and with `flags` of `m` and `s`; null if it is
 * invalid by ECMA-262, even if an engine accepts it. Recursive.
 * Source: ECMA-262, section 22.2.1 and annex B.1.2.
 * @throws RangeError when it nests too deep for the stack
 * @example parseRegex("a|b", true)?.kind // "choice"
 */
export function parseRegex(source: string, unicode: boolean, flags = ""): RegexNode | null {
  try {
    const pattern = new RegExpParser().parsePattern(source, undefined, undefined, { unicode });
    return new Reader().choice(pattern.alternatives, flags);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return null;
  }
}

/**
 * The `source` of a character with the flags `i` and `s` of an enclosing group; `m` is about edges only.
 * @example underFlags(".", "sm") // "(?s:.)"
 */
export function underFlags(source: string, given: string): string {
  const flags = given.replace("m", "");
  return flags === "" ? `(?:${source})` : `(?${flags}:${source})`;
}

class Reader {
  readonly #groups = new Map<AST.CapturingGroup, number>();

  choice(alternatives: readonly AST.Alternative[], flags: string): RegexNode {
    const options = alternatives.map(({ elements }): RegexNode => {
      const parts = elements.map((element) => this.#element(element, flags));
      return parts.length === 1 ? parts[0]! : { kind: "sequence", parts };
    });
    return options.length === 1 ? options[0]! : { kind: "choice", options };
  }

  #element(element: AST.Element, flags: string): RegexNode {
    switch (element.type) {
      case "Assertion":
        return this.#assertion(element, flags);
      case "Quantifier": {
        const { min, max, greedy } = element;
        return { kind: "repeat", body: this.#element(element.element, flags), min, max, greedy };
      }
      case "Group":
        return this.choice(element.alternatives, changedFlags(flags, element.modifiers));
      case "CapturingGroup": {
        const body = this.choice(element.alternatives, flags);
        return { kind: "group", group: this.#numberOf(element), body };
      }
      case "Backreference": {
        const groups = [element.resolved].flat().map((group) => this.#numberOf(group));
        return { kind: "reference", groups, flags };
      }
      default:
        // Without the flag `u`, `\\c` without a letter is a backslash and a c.
        return {
          kind: "atom",
          source: underFlags(element.raw === "\\" ? "\\\\" : element.raw, flags),
        };
    }
  }

  #assertion(assertion: AST.Assertion, flags: string): RegexNode {
    switch (assertion.kind) {
      case "lookahead":
      case "lookbehind": {
        const body = this.choice(assertion.alternatives, flags);
        const { kind, negate } = assertion;
        return { kind: "look", body, behind: kind === "lookbehind", negate };
      }
      case "word":
        return { kind: "boundary", edge: "word", negate: assertion.negate, flags };
      default:
        return { kind: "boundary", edge: assertion.kind, negate: false, flags };
    }
  }

  #numberOf(group: AST.CapturingGroup): number {
    const known = this.#groups.get(group) ?? this.#groups.size;
    this.#groups.set(group, known);
    return known;
  }
}

const flagNames = { ignoreCase: "i", multiline: "m", dotAll: "s" } as const;

function changedFlags(flags: string, modifiers: AST.Modifiers | null): string {
  const changed = new Set(flags);
  for (const name of Object.keys(flagNames) as (keyof typeof flagNames)[]) {
    if (modifiers?.add[name]) changed.add(flagNames[name]);
    if (modifiers?.remove?.[name]) changed.delete(flagNames[name]);
  }
  return [...changed].join("");
}
