import type { RegexNode } from "./schema-regex-parse.ts";

type Boundary = "^" | "$" | "\\b" | "\\B";

/** A state goes on for free to `next`, where its boundary holds, or by a character to the one next. */
interface State {
  atom?: (character: string) => boolean;
  boundary?: Boundary;
  next: number[];
}

/** States of one expression; `(a{1,1000}){1,1000}` would have a million. */
const maxStates = 5_000;

/**
 * A regular expression that is matched in time linear in the text, whatever the expression: all ways
 * are followed at once. It knows no lookaround and no back references.
 * Source: Thompson, "Regular expression search algorithm", CACM 11 (6), 1968.
 */
export class RegexAutomaton {
  readonly #states: State[] = [{ next: [] }];
  readonly #unicode: boolean;
  readonly #atoms = new Map<string, (character: string) => boolean>();
  #start = 0;

  private constructor(unicode: boolean) {
    this.#unicode = unicode;
  }

  /**
   * The automaton of `node`; null for one with parts it does not know, or too many states.
   * @example RegexAutomaton.of({ kind: "atom", source: "a" }, true)?.test("ba", () => {}) // true
   */
  static of(node: RegexNode, unicode: boolean): RegexAutomaton | null {
    const automaton = new RegexAutomaton(unicode);
    const start = automaton.#build(node, 0);
    if (start === null) return null;
    automaton.#start = start;
    return automaton;
  }

  /** Whether a part of `text` matches; `spend` is told of each state that a character meets. */
  test(text: string, spend: (steps: number) => void): boolean {
    const characters = this.#unicode ? [...text] : text.split("");
    let current: number[] = [];
    for (let at = 0; at <= characters.length; at++) {
      const reached = this.#closure([...current, this.#start], characters, at);
      if (reached === null) return true;
      spend(reached.length);
      if (at === characters.length) return false;
      current = [];
      for (const index of reached) {
        const state = this.#states[index]!;
        if (state.atom?.(characters[at]!)) current.push(state.next[0]!);
      }
    }
    return false;
  }

  /** The states reached for free; null once the final one, which is the first, is among them. */
  #closure(from: number[], characters: readonly string[], at: number): number[] | null {
    const reached = new Set<number>();
    const open = from;
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (index === 0) return null;
      if (reached.has(index)) continue;
      reached.add(index);
      const { atom, boundary, next } = this.#states[index]!;
      if (atom === undefined && (!boundary || holds(boundary, characters, at))) open.push(...next);
    }
    return [...reached];
  }

  /** Adds the states of `node` that go on to `next`; the first of them, or null. */
  #build(node: RegexNode, next: number): number | null {
    switch (node.kind) {
      case "atom":
        return this.#add({ atom: this.#atom(node.source), next: [next] });
      case "boundary":
        return this.#add({ boundary: node.source as Boundary, next: [next] });
      case "sequence":
        return node.parts.reduceRight<number | null>(
          (to, part) => (to === null ? null : this.#build(part, to)),
          next,
        );
      case "choice": {
        const starts = node.options.map((option) => this.#build(option, next));
        return starts.includes(null) ? null : this.#add({ next: starts as number[] });
      }
      case "repeat":
        return this.#repeat(node.body, node.min, node.max, next);
      default:
        return null;
    }
  }

  #repeat(body: RegexNode, min: number, max: number, next: number): number | null {
    let start: number | null = next;
    if (max === Number.POSITIVE_INFINITY) {
      const loop = this.#add({ next: [next] });
      const again = loop === null ? null : this.#build(body, loop);
      if (loop === null || again === null) return null;
      this.#states[loop]!.next.push(again);
      start = loop;
    }
    const optional = max === Number.POSITIVE_INFINITY ? 0 : max - min;
    for (let i = 0; i < optional && start !== null; i++) {
      const once = this.#build(body, start);
      start = once === null ? null : this.#add({ next: [once, next] });
    }
    for (let i = 0; i < min && start !== null; i++) {
      const once: number | null = this.#build(body, start);
      if (once === start) break;
      start = once;
    }
    return start;
  }

  #add(state: State): number | null {
    if (this.#states.length >= maxStates) return null;
    return this.#states.push(state) - 1;
  }

  #atom(source: string): (character: string) => boolean {
    let test = this.#atoms.get(source);
    if (test === undefined) {
      const regex = new RegExp(`^(?:${source})$`, this.#unicode ? "u" : "");
      test = (character) => regex.test(character);
      this.#atoms.set(source, test);
    }
    return test;
  }
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /^\w$/.test(character);
}

function holds(boundary: Boundary, characters: readonly string[], at: number): boolean {
  if (boundary === "^") return at === 0;
  if (boundary === "$") return at === characters.length;
  const edge = isWord(characters[at - 1]) !== isWord(characters[at]);
  return edge === (boundary === "\\b");
}
