import type { RegexProgram, Step } from "./schema-regex-program.ts";

/** Steps between two calls of `spend`. */
const stepsPerReport = 1_000;

/** Value of an empty register. */
const unset = -1;

/** Numbers stored for backtracking: about 200,000 characters of one repeat, a fraction of a Worker's memory. */
const maxKept = 2_000_000;

/** Target of a step that does not match. */
const failed = -1;

/**
 * Whether a part of `text` matches `program`. `spend` receives the number of steps at least once every thousand
 * steps, and throws to end the match. Backtracks as ECMA-262 specifies. If the state is only a step and a position,
 * no pair is tried twice, so the steps are linear in the text unless the pattern has lookarounds. `anchored`: a match
 * can only start at the start of the text. `from`: where the search starts.
 * Source: ECMA-262, section 22.2.2; Davis, Servant and Lee, "Using selective memoization to defeat regular
 * expression denial of service", IEEE S&P 2021.
 * @example matches(regexProgram(node, true), "ba", false, () => {})
 */
export function matches(
  program: RegexProgram,
  text: string,
  anchored: boolean,
  spend: (steps: number) => void,
  from = 0,
): boolean {
  return new Machine(program, text, spend).search(anchored, from);
}

class Machine {
  readonly #steps: readonly Step[];
  readonly #unicode: boolean;
  readonly #text: string;
  readonly #spend: (steps: number) => void;
  #unreported = 0;
  /** Backtrack points, three numbers each: step, position, and length of the trail to keep. */
  readonly #open: number[] = [];
  readonly #registers: Int32Array;
  /** Previous register values for backtracking: register and value. */
  readonly #trail: number[] = [];
  /** Without registers: the positions where a split failed or is being tried, one bit each. */
  readonly #tried = new Map<number, Uint8Array>();
  /** The positions in it that were marked by lookarounds in progress: step and position. */
  readonly #marks: number[] = [];
  /** Lookarounds in progress. */
  #depth = 0;
  #at = 0;

  constructor(
    { steps, registers, unicode }: RegexProgram,
    text: string,
    spend: (steps: number) => void,
  ) {
    this.#steps = steps;
    this.#unicode = unicode;
    this.#text = text;
    this.#spend = spend;
    this.#registers = new Int32Array(registers).fill(unset);
  }

  search(anchored: boolean, from: number): boolean {
    const { length } = this.#text;
    let found = this.#run(0, from);
    for (let at = from; !found && !anchored && at < length; ) {
      at += this.#after(at).length;
      found = this.#run(0, at);
    }
    this.#report();
    return found;
  }

  /** Whether the steps from `start` on lead to a match from `place` on. */
  #run(start: number, place: number): boolean {
    const base = this.#open.length;
    const kept = this.#trail.length;
    let next = start;
    this.#at = place;
    while (true) {
      if (++this.#unreported >= stepsPerReport) this.#report();
      const step = this.#steps[next]!;
      if (step.op === "match") {
        this.#open.length = base;
        return true;
      }
      next = this.#take(step, next);
      if (next !== failed) continue;
      if (this.#open.length === base) break;
      this.#goBack(this.#open.pop()!);
      this.#at = this.#open.pop()!;
      next = this.#open.pop()!;
    }
    this.#goBack(kept);
    return false;
  }

  /** The target of `step`, which has index `index`. */
  #take(step: Exclude<Step, { op: "match" }>, index: number): number {
    switch (step.op) {
      case "char":
        return this.#takeChar(step, index);
      case "boundary":
        return this.#isBoundary(step) ? index + 1 : failed;
      case "split":
        return this.#takeSplit(step, index);
      case "jump":
        return step.to;
      case "look":
        return this.#look(step, index) ? step.to : failed;
      case "save":
        return this.#set(step.register, this.#at, index + 1);
      case "reset":
        return this.#set(step.register, 0, index + 1);
      case "reference":
        return this.#takeReference(step) ? index + 1 : failed;
      case "loop":
        return this.#takeLoop(step, index);
      case "enter":
        return this.#enter(step, index);
      case "again":
        return this.#again(step);
    }
  }

  #takeChar({ test, backward }: Step & { op: "char" }, index: number): number {
    const character = backward ? this.#before(this.#at) : this.#after(this.#at);
    if (character === "" || !test(character)) return failed;
    this.#at += backward ? -character.length : character.length;
    return index + 1;
  }

  #isBoundary({ edge, negate, test }: Step & { op: "boundary" }): boolean {
    const [before, after] = [this.#before(this.#at), this.#after(this.#at)];
    if (edge === "start") return before === "" || test(before);
    if (edge === "end") return after === "" || test(after);
    const isEdge = (before !== "" && test(before)) !== (after !== "" && test(after));
    return isEdge !== negate;
  }

  #takeSplit({ first, second }: Step & { op: "split" }, index: number): number {
    if (this.#registers.length === 0 && this.#isTried(index)) return failed;
    this.#leaveOpen(second);
    return first;
  }

  /** Whether the split was tried here; marks it as tried. */
  #isTried(index: number): boolean {
    let places = this.#tried.get(index);
    if (places === undefined) {
      const bytes = (this.#text.length >> 3) + 1;
      this.#spend(bytes);
      places = new Uint8Array(bytes);
      this.#tried.set(index, places);
    }
    const [byte, bit] = [this.#at >> 3, 1 << (this.#at & 7)];
    if ((places[byte]! & bit) !== 0) return true;
    places[byte]! |= bit;
    if (this.#depth > 0) this.#marks.push(index, this.#at);
    return false;
  }

  #look({ negate }: Step & { op: "look" }, index: number): boolean {
    const at = this.#at;
    const kept = this.#trail.length;
    const marked = this.#marks.length;
    this.#depth++;
    const found = this.#run(index + 1, at);
    this.#depth--;
    this.#at = at;
    if (found) this.#unmark(marked);
    if (found && negate) this.#goBack(kept);
    if (this.#depth === 0) this.#marks.length = 0;
    return found !== negate;
  }

  /** Unmarks positions tried on the way to a match: they can lead to a match from elsewhere, too. */
  #unmark(from: number): void {
    while (this.#marks.length > from) {
      const at = this.#marks.pop()!;
      this.#tried.get(this.#marks.pop()!)![at >> 3]! &= ~(1 << (at & 7));
    }
  }

  #takeReference({ groups, same, backward }: Step & { op: "reference" }): boolean {
    const group = groups.find(
      (one) => this.#registers[2 * one + 1]! !== unset && this.#registers[2 * one]! !== unset,
    );
    if (group === undefined) return true;
    const wanted = this.#text.slice(this.#registers[2 * group]!, this.#registers[2 * group + 1]!);
    const from = backward ? this.#at - wanted.length : this.#at;
    const found = from < 0 ? "" : this.#text.slice(from, from + wanted.length);
    this.#unreported += wanted.length >> 4;
    if (found.length !== wanted.length || !same(wanted, found)) return false;
    this.#at = backward ? from : from + wanted.length;
    return true;
  }

  #takeLoop({ rounds, min, max, greedy, exit }: Step & { op: "loop" }, index: number): number {
    const count = this.#registers[rounds]!;
    if (count < min) return index + 1;
    if (count >= max) return exit;
    this.#leaveOpen(greedy ? exit : index + 1);
    return greedy ? index + 1 : exit;
  }

  #enter({ rounds, startedAt, groups }: Step & { op: "enter" }, index: number): number {
    for (const group of groups) {
      this.#set(2 * group, unset, index);
      this.#set(2 * group + 1, unset, index);
    }
    this.#set(startedAt, this.#at, index);
    return this.#set(rounds, this.#registers[rounds]! + 1, index + 1);
  }

  /**
   * An empty round fails once there were enough rounds; before that, all remaining required rounds would be like it.
   */
  #again({ rounds, startedAt, min, loop }: Step & { op: "again" }): number {
    if (this.#registers[startedAt] !== this.#at) return loop;
    return this.#registers[rounds]! > min ? failed : this.#set(rounds, min, loop);
  }

  #leaveOpen(step: number): void {
    this.#open.push(step, this.#at, this.#trail.length);
    this.#bound();
  }

  #set(register: number, value: number, next: number): number {
    this.#trail.push(register, this.#registers[register]!);
    this.#registers[register] = value;
    this.#bound();
    return next;
  }

  #bound(): void {
    const kept = this.#open.length + this.#trail.length + this.#marks.length;
    if (kept > maxKept) this.#spend(Number.POSITIVE_INFINITY);
  }

  #goBack(kept: number): void {
    while (this.#trail.length > kept) {
      const value = this.#trail.pop()!;
      this.#registers[this.#trail.pop()!] = value;
    }
  }

  #report(): void {
    const steps = this.#unreported;
    this.#unreported = 0;
    this.#spend(steps);
  }

  /** The character at `at`, empty at the end; with the flag `u` a surrogate pair is one character. */
  #after(at: number): string {
    if (!this.#unicode) return this.#text.charAt(at);
    const point = this.#text.codePointAt(at);
    return point === undefined ? "" : String.fromCodePoint(point);
  }

  #before(at: number): string {
    const unit = this.#text.charAt(at - 1);
    const isPair = this.#unicode && at >= 2 && (this.#text.codePointAt(at - 2) ?? 0) > 0xffff;
    return isPair ? this.#text.slice(at - 2, at) : unit;
  }
}
