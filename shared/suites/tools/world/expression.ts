import { isJsonObject, type Json } from "../../../contracts/json.ts";
import {
  calledFunction,
  calledMethod,
  ExpressionError,
  isTrue,
  type Lambda,
  type Node,
  type Scope,
  shownValue,
} from "./functions.ts";
import { binding, numberIn, operation } from "./operators.ts";

/** Limits of an expression: characters of its text, and its depth. */
const mostCharacters = 2_000;
const mostDepth = 40;

type Argument = { kind: "value"; of: Node } | { kind: "lambda"; name: string; of: Node };

/** A parsed expression; `place` is where a value can be set, if it names a member. */
export interface Expression {
  value: Node;
  place: { of: Node; key: Node } | null;
}

/**
 * Reads an expression in a subset of JavaScript without side effects: literals, members, indices, operators, `?:`,
 * lists, objects, spreads, and the methods and functions of `functions.ts`; `==` compares JSON values. A missing member
 * is null. Names are looked up in the scope. Throws `ExpressionError`. Linear in the text; evaluation is bounded.
 * @example readExpression("args.amount * 2").value({ names: { args: { amount: 2 } }, budget: new Budget() }) // 4
 */
export function readExpression(text: string): Expression {
  if (text.length > mostCharacters)
    throw new ExpressionError(`an expression has at most ${mostCharacters} characters`);
  return new Reader(text).whole();
}

const tokenPattern =
  /\s*(?:(\d+(?:\.\d+)?)|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|([A-Za-z_$][\w$]*)|(=>|===|!==|==|!=|<=|>=|&&|\|\||\?\?|\.\.\.|[-+*/%<>!?:.,()[\]{}]))/y;

interface Token {
  kind: "number" | "text" | "name" | "sign" | "end";
  text: string;
}

const words: Readonly<Record<string, Json>> = { true: true, false: false, null: null };

class Reader {
  readonly #tokens: Token[];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  whole(): Expression {
    const read = this.#conditional();
    if (this.#next.kind !== "end") throw this.#unexpected();
    return read;
  }

  get #next(): Token {
    return this.#tokens[this.#at]!;
  }

  #unexpected(): ExpressionError {
    const { kind, text } = this.#next;
    return new ExpressionError(kind === "end" ? "it ends too early" : `unexpected ${text}`);
  }

  #takes(sign: string): boolean {
    const { kind, text } = this.#next;
    if (kind !== "sign" || text !== sign) return false;
    this.#at++;
    return true;
  }

  #needs(sign: string): void {
    if (!this.#takes(sign)) throw this.#unexpected();
  }

  #name(): string {
    const { kind, text } = this.#next;
    if (kind !== "name") throw this.#unexpected();
    this.#at++;
    return text;
  }

  #conditional(): Expression {
    this.#depth++;
    if (this.#depth > mostDepth)
      throw new ExpressionError(`an expression is nested at most ${mostDepth} deep`);
    const test = this.#binary(1);
    let read = test;
    if (this.#takes("?")) {
      const { value: yes } = this.#conditional();
      this.#needs(":");
      const { value: no } = this.#conditional();
      read = valueOnly((scope) => (isTrue(test.value(scope)) ? yes(scope) : no(scope)));
    }
    this.#depth--;
    return read;
  }

  #binary(least: number): Expression {
    let left = this.#unary();
    for (;;) {
      const { kind, text } = this.#next;
      const power = kind === "sign" ? (binding[text] ?? 0) : 0;
      if (power < least) return left;
      this.#at++;
      const [a, b] = [left.value, this.#binary(power + 1).value];
      left = valueOnly(operation(text, a, b));
    }
  }

  #unary(): Expression {
    if (this.#takes("!")) {
      const { value } = this.#deeper(() => this.#unary());
      return valueOnly((scope) => !isTrue(value(scope)));
    }
    if (this.#takes("-")) {
      const { value } = this.#deeper(() => this.#unary());
      return valueOnly((scope) => -numberIn(value(scope), "-"));
    }
    return this.#member(this.#primary());
  }

  #deeper<Read>(read: () => Read): Read {
    this.#depth++;
    if (this.#depth > mostDepth) throw new ExpressionError("an expression is nested too deep");
    const found = read();
    this.#depth--;
    return found;
  }

  #member(start: Expression): Expression {
    let read = start;
    for (;;) {
      const { value: of } = read;
      if (this.#takes(".")) {
        const name = this.#name();
        if (this.#takes("(")) {
          const given = this.#arguments();
          read = valueOnly((scope) =>
            calledMethod(of(scope), name, called(given, scope), scope.budget),
          );
        } else read = memberOf(of, () => name);
      } else if (this.#takes("[")) {
        const { value: key } = this.#conditional();
        this.#needs("]");
        read = memberOf(of, key);
      } else return read;
    }
  }

  #arguments(): Argument[] {
    const given: Argument[] = [];
    while (!this.#takes(")")) {
      if (given.length > 0) this.#needs(",");
      given.push(this.#argument());
    }
    return given;
  }

  #argument(): Argument {
    const isLambda = this.#next.kind === "name" && this.#tokens[this.#at + 1]?.text === "=>";
    if (!isLambda) return { kind: "value", of: this.#conditional().value };
    const name = this.#name();
    this.#needs("=>");
    return { kind: "lambda", name, of: this.#conditional().value };
  }

  #primary(): Expression {
    const { kind, text } = this.#next;
    if (kind === "end") throw this.#unexpected();
    this.#at++;
    if (kind === "number") return constant(Number(text));
    if (kind === "text") return constant(unescaped(text));
    if (kind === "name") return this.#named(text);
    if (text === "(") {
      const inner = this.#conditional();
      this.#needs(")");
      return inner;
    }
    if (text === "[") return this.#list();
    if (text === "{") return this.#object();
    this.#at--;
    throw this.#unexpected();
  }

  #named(name: string): Expression {
    if (Object.hasOwn(words, name)) return constant(words[name]!);
    if (this.#takes("(")) {
      const given = this.#arguments();
      return valueOnly((scope) => calledFunction(name, called(given, scope), scope.budget));
    }
    const value: Node = ({ names, budget }) => {
      budget.spend(1);
      if (!Object.hasOwn(names, name)) throw new ExpressionError(`${name} is not known`);
      return names[name]!;
    };
    return { value, place: null };
  }

  #list(): Expression {
    const parts: { of: Node; isSpread: boolean }[] = [];
    while (!this.#takes("]")) {
      if (parts.length > 0) this.#needs(",");
      const isSpread = this.#takes("...");
      parts.push({ isSpread, of: this.#conditional().value });
    }
    return valueOnly((scope) =>
      parts.flatMap(({ of, isSpread }) => {
        const value = of(scope);
        return isSpread && Array.isArray(value) ? value : [value];
      }),
    );
  }

  #object(): Expression {
    const parts: { key: Node | null; of: Node }[] = [];
    while (!this.#takes("}")) {
      if (parts.length > 0) this.#needs(",");
      if (this.#takes("...")) parts.push({ key: null, of: this.#conditional().value });
      else parts.push(this.#property());
    }
    return valueOnly((scope) => {
      const entries = parts.flatMap(({ key, of }): [string, Json][] => {
        const value = of(scope);
        if (key !== null) return [[keyIn(key(scope)), value]];
        return isJsonObject(value) ? Object.entries(value) : [];
      });
      return Object.fromEntries(entries);
    });
  }

  #property(): { key: Node; of: Node } {
    const { kind, text } = this.#next;
    let key: Node;
    if (this.#takes("[")) {
      key = this.#conditional().value;
      this.#needs("]");
    } else {
      if (kind !== "name" && kind !== "text") throw this.#unexpected();
      this.#at++;
      key = constant(kind === "name" ? text : unescaped(text)).value;
    }
    this.#needs(":");
    return { key, of: this.#conditional().value };
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  tokenPattern.lastIndex = 0;
  while (text.slice(end).trim() !== "") {
    const found = tokenPattern.exec(text);
    if (found === null) {
      const [sign] = text.slice(end).trim();
      throw new ExpressionError(`unexpected ${sign}`);
    }
    const [, number, string, name, sign] = found;
    const [kind, its] =
      number !== undefined
        ? (["number", number] as const)
        : string !== undefined
          ? (["text", string] as const)
          : name !== undefined
            ? (["name", name] as const)
            : (["sign", sign!] as const);
    tokens.push({ kind, text: its });
    end = tokenPattern.lastIndex;
  }
  return [...tokens, { kind: "end", text: "" }];
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t" };

const unescaped = (quoted: string): string =>
  quoted.slice(1, -1).replace(/\\(.)/gs, (_, one: string) => escapes[one] ?? one);

/** An expression whose computed value counts against the budget; members are only looked up. */
const valueOnly = (of: Node): Expression => ({
  value: (scope) => scope.budget.bounded(of(scope)),
  place: null,
});
const constant = (value: Json): Expression => ({ value: () => value, place: null });

const memberOf = (of: Node, key: Node): Expression => ({
  value(scope) {
    scope.budget.spend(1);
    return memberIn(of(scope), key(scope));
  },
  place: { of, key },
});

/** A member of a value; null if it has no such member. */
function memberIn(value: Json, key: Json): Json {
  if (Array.isArray(value) || typeof value === "string") {
    if (key === "length") return value.length;
    return typeof key === "number" ? (value.at(key) ?? null) : null;
  }
  const name = keyIn(key);
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name]! : null;
}

/**
 * The name of a property from a computed key: a text, or a number as text. Throws for others, and for `__proto__`.
 * @example keyIn(7) // "7"
 */
export function keyIn(key: Json): string {
  if (key === "__proto__") throw new ExpressionError("__proto__ is no key");
  if (typeof key === "string" || typeof key === "number") return String(key);
  throw new ExpressionError(`${shownValue(key)} is no key`);
}

function called(given: readonly Argument[], scope: Scope): (Json | Lambda)[] {
  return given.map((one) => {
    if (one.kind === "value") return one.of(scope);
    const { name, of } = one;
    return (value: Json) => of({ ...scope, names: { ...scope.names, [name]: value } });
  });
}
