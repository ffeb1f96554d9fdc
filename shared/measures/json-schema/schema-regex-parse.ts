/** A regular expression as far as its cost and a linear-time match need it. */
export type RegexNode =
  /** One character; `source` is the expression of it alone. */
  | { kind: "atom"; source: string }
  | { kind: "sequence"; parts: RegexNode[] }
  | { kind: "choice"; options: RegexNode[] }
  | { kind: "repeat"; body: RegexNode; min: number; max: number }
  /** `^`, `$`, `\b` or `\B`. */
  | { kind: "boundary"; source: string }
  | { kind: "look"; body: RegexNode }
  /** A back reference. */
  | { kind: "reference" };

const quantifier = /(?:[*+?]|\{(\d+)(,(\d*))?\})\??/y;
const lookaround = /\(\?<?[=!]/y;
const group = /\((?:\?:|\?<[^>]*>|(?!\?))/y;
const boundary = /[$^]|\\[bB]/y;
const reference = /\\(?:[1-9]\d*|k<[^>]*>)/y;
/** Escapes of several characters, a surrogate pair as one; a class; any other character. */
const unicodeAtom =
  /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u\{[\da-fA-F]+\}|\\[pP]\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[A-Za-z]|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[^\\)|]/uy;
const plainAtom =
  /\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[A-Za-z]|\\0[0-7]{0,2}|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[^\\)|]/y;

/**
 * Reads a regular expression that the engine accepts, with (`unicode`) or without the flag `u`; null
 * where it holds what is not read here, such as inline flags. Linear.
 * Source: ECMA-262, section 22.2.1 and annex B.1.2.
 * @example parseRegex("a|b", true)?.kind // "choice"
 */
export function parseRegex(source: string, unicode: boolean): RegexNode | null {
  const parser = new Parser(source, unicode ? unicodeAtom : plainAtom);
  const node = parser.choice(0);
  return parser.at === source.length ? node : null;
}

/** Groups within groups that are read; the steps on the tree are recursive. */
const maxGroups = 50;

class Parser {
  at = 0;
  readonly #source: string;
  readonly #atom: RegExp;

  constructor(source: string, atom: RegExp) {
    this.#source = source;
    this.#atom = atom;
  }

  choice(depth: number): RegexNode | null {
    const options: RegexNode[] = [];
    do {
      const option = this.#sequence(depth);
      if (option === null) return null;
      options.push(option);
    } while (this.#take(/\|/y) !== undefined);
    return options.length === 1 ? options[0]! : { kind: "choice", options };
  }

  #sequence(depth: number): RegexNode | null {
    const parts: RegexNode[] = [];
    while (this.at < this.#source.length && !/[)|]/.test(this.#source[this.at]!)) {
      const part = this.#part(depth);
      if (part === null) return null;
      parts.push(this.#repeated(part));
    }
    return { kind: "sequence", parts };
  }

  #part(depth: number): RegexNode | null {
    const look = this.#take(lookaround) !== undefined;
    if (look || this.#take(group) !== undefined) {
      const body = depth < maxGroups ? this.choice(depth + 1) : null;
      if (body === null || this.#take(/\)/y) === undefined) return null;
      return look ? { kind: "look", body } : body;
    }
    const edge = this.#take(boundary)?.[0];
    if (edge !== undefined) return { kind: "boundary", source: edge };
    if (this.#take(reference) !== undefined) return { kind: "reference" };
    if (this.#source.startsWith("(", this.at)) return null;
    const atom = this.#take(this.#atom)?.[0];
    return atom === undefined ? null : { kind: "atom", source: atom };
  }

  #repeated(body: RegexNode): RegexNode {
    const taken = this.#take(quantifier);
    if (taken === undefined) return body;
    const [sign, least, range, most] = taken;
    if (least === undefined) {
      const max = sign.startsWith("?") ? 1 : Number.POSITIVE_INFINITY;
      return { kind: "repeat", body, min: sign.startsWith("+") ? 1 : 0, max };
    }
    const unbounded = range !== undefined && most === "";
    const max = unbounded ? Number.POSITIVE_INFINITY : Number(most ?? least);
    return { kind: "repeat", body, min: Number(least), max };
  }

  #take(part: RegExp): RegExpExecArray | undefined {
    part.lastIndex = this.at;
    const taken = part.exec(this.#source);
    if (taken === null) return undefined;
    this.at = part.lastIndex;
    return taken;
  }
}
