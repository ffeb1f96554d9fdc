import { type RegexNode, underFlags } from "./schema-regex-parse.ts";

/** Whether a character matches. */
type CharTest = (character: string) => boolean;

/** A step of a match; without a target it continues with the next step. */
export type Step =
  | { op: "char"; test: CharTest; backward: boolean }
  | { op: "boundary"; edge: "start" | "end" | "word"; negate: boolean; test: CharTest }
  /** Tries `first`, and if that fails `second`. */
  | { op: "split"; first: number; second: number }
  | { op: "jump"; to: number }
  /** Whether the steps after it, up to `match`, match here; then continues at `to`. */
  | { op: "look"; negate: boolean; to: number }
  | { op: "save"; register: number }
  | {
      op: "reference";
      groups: number[];
      same: (a: string, b: string) => boolean;
      backward: boolean;
    }
  /** A loop: `rounds` counts its rounds, and each round begins at `startedAt`. */
  | { op: "loop"; rounds: number; min: number; max: number; greedy: boolean; exit: number }
  | { op: "reset"; register: number }
  | { op: "enter"; rounds: number; startedAt: number; groups: number[] }
  | { op: "again"; rounds: number; startedAt: number; min: number; loop: number }
  | { op: "match" };

/** An expression as steps. */
export interface RegexProgram {
  steps: Step[];
  /** Registers that the steps use; 0 if earlier matches do not affect later steps. */
  registers: number;
  unicode: boolean;
}

/** Maximum number of steps with expanded repeats; `(a{1,1000}){1,1000}` would have a million. */
const maxWrittenOut = 5_000;

/**
 * Compiles `node` to steps. Repeats are expanded, so that a step and a position are the whole state of a match.
 * Expressions with back references, and those that would become too long, count their rounds instead. Linear in the
 * size of the expanded expression.
 * @example regexProgram({ kind: "atom", source: "a" }, true).steps.length // 2
 */
export function regexProgram(node: RegexNode, unicode: boolean): RegexProgram {
  const written = hasReference(node) ? null : new Writer(unicode, false).write(node);
  return written ?? new Writer(unicode, true).write(node)!;
}

/**
 * Steps that try all alternatives of a backtracking engine, so that they count its work; `ignoresCase`: the flag `i`.
 * Linear in the size of the expression.
 * @example countingProgram({ kind: "atom", source: "a" }, true, false).registers // 1
 */
export function countingProgram(
  node: RegexNode,
  unicode: boolean,
  ignoresCase: boolean,
): RegexProgram {
  const written = new Writer(unicode, true, ignoresCase).write(node)!;
  // With a register, the matcher retries positions that failed, as engines do.
  return { ...written, registers: Math.max(1, written.registers) };
}

function hasReference(node: RegexNode): boolean {
  return node.kind === "reference" || partsOf(node).some(hasReference);
}

function partsOf(node: RegexNode): readonly RegexNode[] {
  if (node.kind === "sequence") return node.parts;
  if (node.kind === "choice") return node.options;
  return "body" in node ? [node.body] : [];
}

function groupsIn(node: RegexNode): number[] {
  const inner = partsOf(node).flatMap(groupsIn);
  return node.kind === "group" ? [node.group, ...inner] : inner;
}

class Writer {
  readonly #steps: Step[] = [];
  readonly #unicode: boolean;
  readonly #counts: boolean;
  readonly #ignoresCase: boolean;
  readonly #tests = new Map<string, CharTest>();
  /** Two for each group, in order; then those of loops. */
  #registers = 0;

  constructor(unicode: boolean, counts: boolean, ignoresCase = false) {
    this.#unicode = unicode;
    this.#counts = counts;
    this.#ignoresCase = ignoresCase;
  }

  write(node: RegexNode): RegexProgram | null {
    if (this.#counts) this.#registers = 2 * groupsIn(node).length;
    this.#write(node, false);
    this.#steps.push({ op: "match" });
    if (!this.#counts && this.#steps.length > maxWrittenOut) return null;
    return { steps: this.#steps, registers: this.#registers, unicode: this.#unicode };
  }

  #write(node: RegexNode, backward: boolean): void {
    if (!this.#counts && this.#steps.length > maxWrittenOut) return;
    switch (node.kind) {
      case "atom":
        this.#steps.push({ op: "char", test: this.#test(node.source), backward });
        break;
      case "sequence":
        for (const part of backward ? node.parts.toReversed() : node.parts) {
          this.#write(part, backward);
        }
        break;
      case "choice":
        this.#writeChoice(node.options, backward);
        break;
      case "repeat":
        if (this.#counts) this.#writeLoop(node, backward);
        else this.#writeOut(node, backward);
        break;
      case "group":
        this.#writeGroup(node, backward);
        break;
      case "boundary":
        this.#writeBoundary(node);
        break;
      case "look":
        this.#writeLook(node);
        break;
      case "reference": {
        const isFolded = this.#ignoresCase || node.flags.includes("i");
        const same = isFolded ? this.#sameFolded() : isSame;
        this.#steps.push({ op: "reference", groups: node.groups, same, backward });
      }
    }
  }

  /** A word boundary tests word characters; a text boundary tests line terminators if the flag `m` is set. */
  #writeBoundary({ edge, negate, flags }: RegexNode & { kind: "boundary" }): void {
    const lineEnd = flags.includes("m") ? "[\\n\\r\\u2028\\u2029]" : "[]";
    const test = this.#test(underFlags(edge === "word" ? "\\w" : lineEnd, flags));
    this.#steps.push({ op: "boundary", edge, negate, test });
  }

  #writeLook({ body, behind, negate }: RegexNode & { kind: "look" }): void {
    const look = { op: "look" as const, negate, to: 0 };
    this.#steps.push(look);
    this.#write(body, behind);
    this.#steps.push({ op: "match" });
    look.to = this.#steps.length;
  }

  #writeChoice(options: readonly RegexNode[], backward: boolean): void {
    const ends: { op: "jump"; to: number }[] = [];
    for (const [i, option] of options.entries()) {
      if (i === options.length - 1) {
        this.#write(option, backward);
        continue;
      }
      const split = this.#split();
      split.first = this.#steps.length;
      this.#write(option, backward);
      const end = { op: "jump" as const, to: 0 };
      this.#steps.push(end);
      ends.push(end);
      split.second = this.#steps.length;
    }
    for (const end of ends) end.to = this.#steps.length;
  }

  #split(): { op: "split"; first: number; second: number } {
    const split = { op: "split" as const, first: 0, second: 0 };
    this.#steps.push(split);
    return split;
  }

  /** `x{2,}` as `xxx*`, `x{1,3}` as `x(x(x)?)?`; greediness does not change the result. */
  #writeOut({ body, min, max }: RegexNode & { kind: "repeat" }, backward: boolean): void {
    const before = this.#steps.length;
    for (let i = 0; i < min && this.#steps.length <= maxWrittenOut; i++) {
      this.#write(body, backward);
      // A body without steps matches the empty text, however often.
      if (this.#steps.length === before) return;
    }
    if (max === Number.POSITIVE_INFINITY) {
      const at = this.#steps.length;
      const split = this.#split();
      split.first = at + 1;
      this.#write(body, backward);
      this.#steps.push({ op: "jump", to: at });
      split.second = this.#steps.length;
      return;
    }
    const splits: { second: number }[] = [];
    for (let i = min; i < max && this.#steps.length <= maxWrittenOut; i++) {
      const split = this.#split();
      split.first = this.#steps.length;
      splits.push(split);
      this.#write(body, backward);
    }
    for (const split of splits) split.second = this.#steps.length;
  }

  #writeLoop({ body, min, max, greedy }: RegexNode & { kind: "repeat" }, backward: boolean): void {
    const rounds = this.#registers++;
    const startedAt = this.#registers++;
    this.#steps.push({ op: "reset", register: rounds });
    const at = this.#steps.length;
    const loop = { op: "loop" as const, rounds, min, max, greedy, exit: 0 };
    this.#steps.push(loop, { op: "enter", rounds, startedAt, groups: groupsIn(body) });
    this.#write(body, backward);
    this.#steps.push({ op: "again", rounds, startedAt, min, loop: at });
    loop.exit = this.#steps.length;
  }

  #writeGroup({ body, group }: RegexNode & { kind: "group" }, backward: boolean): void {
    const [first, last] = backward ? [2 * group + 1, 2 * group] : [2 * group, 2 * group + 1];
    if (this.#counts) this.#steps.push({ op: "save", register: first });
    this.#write(body, backward);
    if (this.#counts) this.#steps.push({ op: "save", register: last });
  }

  #test(source: string): CharTest {
    let test = this.#tests.get(source);
    if (test === undefined) {
      const flags = `${this.#unicode ? "u" : ""}${this.#ignoresCase ? "i" : ""}`;
      const regex = new RegExp(`^${source}$`, flags);
      test = (character) => regex.test(character);
      this.#tests.set(source, test);
    }
    return test;
  }

  #sameFolded(): (a: string, b: string) => boolean {
    const escaped = (text: string) =>
      text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
    const flags = this.#unicode ? "iu" : "i";
    return (a, b) => a === b || new RegExp(`^(?:${escaped(a)})$`, flags).test(b);
  }
}

const isSame = (a: string, b: string): boolean => a === b;
