import type { Json, JsonObject } from "../../../contracts/json.ts";

/** A call in Python's syntax: arguments by position, and by name. */
export interface PythonCall {
  name: string;
  positional: Json[];
  named: JsonObject;
}

/** Deeper values are not read, because recursion must be bounded. */
const mostDepth = 64;

/**
 * Reads calls in Python's syntax: one call, or a list in brackets. Values are literals: texts, numbers, True, False,
 * None, lists, tuples and dictionaries. Null for anything else, such as prose. Never throws. Linear.
 * Source: BFCL v4, `possible_answer` of cases with several turns, and results of prompted models.
 * @example pythonCalls("cd(folder='a')")?.[0] // { name: "cd", positional: [], named: { folder: "a" } }
 */
export function pythonCalls(text: string): PythonCall[] | null {
  try {
    return new Reader(text).calls();
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

class Unreadable extends Error {}

const constants: Readonly<Record<string, Json>> = {
  True: true,
  true: true,
  False: false,
  false: false,
  None: null,
  null: null,
};

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\n": "" };

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  calls(): PythonCall[] {
    const isList = this.#takes("[");
    const calls: PythonCall[] = [];
    while (!(isList && this.#takes("]"))) {
      calls.push(this.#call());
      if (!isList) break;
      if (!this.#takes(",") && this.#peek() !== "]") throw new Unreadable();
    }
    if (this.#peek() !== "") throw new Unreadable();
    return calls;
  }

  /** The next non-blank character; empty at the end. */
  #peek(): string {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at++;
    return this.#text[this.#at] ?? "";
  }

  #takes(sign: string): boolean {
    if (this.#peek() !== sign) return false;
    this.#at++;
    return true;
  }

  #needs(sign: string): void {
    if (!this.#takes(sign)) throw new Unreadable();
  }

  #match(pattern: RegExp): string | null {
    this.#peek();
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    this.#at += found?.length ?? 0;
    return found;
  }

  #call(): PythonCall {
    const name = this.#match(/[A-Za-z_][\w.]*/y);
    if (name === null) throw new Unreadable();
    this.#needs("(");
    const call: PythonCall = { name, positional: [], named: {} };
    const named: [string, Json][] = [];
    while (!this.#takes(")")) {
      const key = this.#match(/[A-Za-z_]\w*(?=\s*=(?!=))/y);
      if (key === null) call.positional.push(this.#value());
      else {
        this.#needs("=");
        named.push([key, this.#value()]);
      }
      if (!this.#takes(",") && this.#peek() !== ")") throw new Unreadable();
    }
    return { ...call, named: Object.fromEntries(named) };
  }

  #value(): Json {
    this.#depth++;
    if (this.#depth > mostDepth) throw new Unreadable();
    const value = this.#literal();
    this.#depth--;
    return value;
  }

  #literal(): Json {
    const next = this.#peek();
    if (next === "'" || next === '"') return this.#texts();
    if (next === "[" || next === "(") return this.#list(next === "[" ? "]" : ")");
    if (next === "{") return this.#dictionary();
    const number = this.#match(/[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y);
    if (number !== null) return Number(number.replaceAll("_", ""));
    const word = this.#match(/[A-Za-z]+/y);
    if (word === null || !Object.hasOwn(constants, word)) throw new Unreadable();
    return constants[word]!;
  }

  /** Adjacent texts are concatenated. */
  #texts(): string {
    let text = "";
    for (let quote = this.#peek(); quote === "'" || quote === '"'; quote = this.#peek()) {
      text += this.#string(quote);
    }
    return text;
  }

  #string(quote: string): string {
    const isLong = this.#text.startsWith(quote.repeat(3), this.#at);
    const end = isLong ? quote.repeat(3) : quote;
    this.#at += end.length;
    let text = "";
    while (!this.#text.startsWith(end, this.#at)) {
      const char = this.#text[this.#at++];
      if (char === undefined) throw new Unreadable();
      text += char === "\\" ? this.#escaped() : char;
    }
    this.#at += end.length;
    return text;
  }

  #escaped(): string {
    const code = /x([\da-f]{2})|u([\da-f]{4})/iy;
    code.lastIndex = this.#at;
    const found = code.exec(this.#text);
    if (found !== null) {
      this.#at += found[0].length;
      return String.fromCharCode(Number.parseInt(found[1] ?? found[2] ?? "", 16));
    }
    const char = this.#text[this.#at++] ?? "";
    if (/['"\\]/.test(char)) return char;
    return Object.hasOwn(escapes, char) ? escapes[char]! : `\\${char}`;
  }

  /** A tuple becomes a list; a single value in parentheses is not a tuple. */
  #list(end: "]" | ")"): Json {
    this.#at++;
    const values: Json[] = [];
    let isTuple = end === "]";
    while (!this.#takes(end)) {
      values.push(this.#value());
      if (this.#takes(",")) isTuple = true;
      else if (this.#peek() !== end) throw new Unreadable();
    }
    return isTuple || values.length === 0 ? values : values[0]!;
  }

  #dictionary(): Json {
    this.#at++;
    const entries: [string, Json][] = [];
    while (!this.#takes("}")) {
      const key = this.#value();
      this.#needs(":");
      entries.push([typeof key === "string" ? key : JSON.stringify(key), this.#value()]);
      if (!this.#takes(",") && this.#peek() !== "}") throw new Unreadable();
    }
    return Object.fromEntries(entries);
  }
}
