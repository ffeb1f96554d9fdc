import jsonata from "jsonata";
import type { RowMapping } from "../../contracts/datasets/row-mapping.ts";
import {
  asObject,
  isJsonObject,
  type Json,
  type JsonObject,
  textOrJson,
} from "../../contracts/json.ts";
import { err, ok, type Result } from "../../contracts/result.ts";
import { suggestion } from "../../contracts/text/suggestion.ts";
import { BoundedRegex } from "../json-schema/regex/bounded-regex.ts";

/** Computes fields and tags of a suite's rows from a row of another format. */
export interface RowMapper {
  /** The mapped row, or rows if split. Keeps unmapped fields only if no field is mapped. The error names an expression. */
  rowsOf(row: JsonObject): Promise<Result<JsonObject[], string>>;
  /** The first expression that was undefined in every row so far; null: there is none. */
  unused(): UnusedExpression | null;
}

/** An expression that is probably misspelt. */
export interface UnusedExpression {
  kind: "split" | "map" | "tag";
  name: string;
  /** Kind and name of the expression, and why it is probably misspelt. */
  problem: string;
}

/** Inputs of a mapping in addition to its expressions. */
export interface MappedWith {
  /** Available as variables in expressions. */
  files: JsonObject;
  /** Fields added to every row. */
  fixed: JsonObject;
}

/**
 * Compiles a mapping; the error names an invalid expression.
 * @example rowMapper({ map: { text: "body" }, tags: {}, files: {} }, { files: {}, fixed: {} }).ok // true
 */
export function rowMapper(
  { map, tags, split }: RowMapping,
  { files, fixed }: MappedWith,
): Result<RowMapper, string> {
  const use = new ExpressionUse();
  const parts = evaluators("split", split === undefined ? {} : { split }, files, use);
  if (!parts.ok) return parts;
  const fields = evaluators("map", map, files, use);
  if (!fields.ok) return fields;
  const labels = evaluators("tag", tags, files, use);
  if (!labels.ok) return labels;
  const rowOf = async (row: JsonObject): Promise<Result<JsonObject, string>> => {
    const mapped = fields.value.length === 0 ? ok(row) : await valuesOf(fields.value, row);
    if (!mapped.ok) return mapped;
    const tagged = await valuesOf(labels.value, row);
    if (!tagged.ok) return tagged;
    const all = { ...asObject(mapped.value["tags"]), ...asTexts(tagged.value) };
    const isTagged = labels.value.length > 0 && Object.keys(tagged.value).length > 0;
    return ok({ ...mapped.value, ...fixed, ...(isTagged && { tags: all }) });
  };
  return ok({
    async rowsOf(row) {
      const given = split === undefined ? ok([row]) : rowsIn(await valuesOf(parts.value, row));
      if (!given.ok) return given;
      const rows: JsonObject[] = [];
      for (const one of given.value) {
        const mapped = await rowOf(one);
        if (!mapped.ok) return mapped;
        rows.push(mapped.value);
      }
      return ok(rows);
    },
    unused: () => use.unused(),
  });
}

/** Maximum number of columns in a message. */
const MOST_COLUMNS = 20;

/** Records which expressions had a value so far. */
class ExpressionUse {
  readonly #left = new Set<{ kind: UnusedExpression["kind"]; name: string; expression: string }>();
  readonly #columns = new Set<string>();

  /** Wraps an expression to record its use. */
  of(
    kind: UnusedExpression["kind"],
    name: string,
    expression: string,
    evaluate: Evaluator,
  ): Evaluator {
    const its = { kind, name, expression };
    this.#left.add(its);
    return async (row) => {
      const value = await evaluate(row);
      if (!this.#left.has(its)) return value;
      if (value.ok && value.value !== undefined) this.#left.delete(its);
      else for (const column of Object.keys(row)) this.#columns.add(column);
      return value;
    };
  }

  unused(): UnusedExpression | null {
    const [first] = this.#left;
    if (first === undefined || this.#columns.size === 0) return null;
    const { kind, name, expression } = first;
    const columns = [...this.#columns];
    const more = columns.length > MOST_COLUMNS ? ", …" : "";
    const named = `columns are ${columns.slice(0, MOST_COLUMNS).join(", ")}${more}`;
    const why = /^\w+$/.test(expression)
      ? `no row has ${expression}; ${named}${suggestion(expression, columns)}`
      : `it is undefined in every row; ${named}`;
    const what = kind === "split" ? "split: " : `${kind} ${name}=`;
    return { kind, name, problem: `${what}${expression.slice(0, LONGEST_QUOTE)}: ${why}` };
  }
}

/** JSONata returns a list of one row as that row, and an empty list as undefined. */
function rowsIn(values: Result<JsonObject, string>): Result<JsonObject[], string> {
  if (!values.ok) return values;
  const rows = [values.value["split"] ?? []].flat();
  return rows.every(isJsonObject) ? ok(rows) : err("split: the result is not a list of rows");
}

/** Limits for one expression and row. JSONata checks the time only between steps; a regex search is one step. */
const limits: jsonata.JsonataOptions = {
  timeout: 5_000,
  stack: 500,
  sequence: 1_000_000,
  RegexEngine: BoundedRegex as unknown as RegExpConstructor,
};

/** Limit of `$toMillis`, because a picture becomes a regular expression with a group for each part. */
const MOST_PARTS = 8;
const LONGEST_TIME = 32;
/** Maximum length of an expression in messages, in characters. */
const LONGEST_QUOTE = 200;
const toMillis = jsonata("$toMillis(time, picture)");

/** Compiles an expression with the limits. Throws for signatures, which JSONata converts to regular expressions. */
function bounded(expression: string): jsonata.Expression {
  const parsed = jsonata(expression, limits);
  // Strings of the expression can't match, because their quotes are escaped.
  if (JSON.stringify(parsed.ast()).includes('"signature":{')) {
    throw new Error("functions have no signature here: leave out <…>");
  }
  parsed.registerFunction("eval", () => {
    throw new Error("$eval is not available here: write what it evaluates");
  });
  parsed.registerFunction(
    "toMillis",
    (time: string | undefined, picture: string | undefined) => {
      const parts = (picture?.split("[").length ?? 1) - 1;
      const isLong = parts > MOST_PARTS || (time?.length ?? 0) > LONGEST_TIME;
      if (picture === undefined || !(isLong || /w/i.test(picture))) {
        return toMillis.evaluate({ time, picture });
      }
      throw new Error(
        `$toMillis takes a picture of at most ${MOST_PARTS} parts without words, and a time of at most ${LONGEST_TIME} characters: rearrange it by $replace`,
      );
    },
    "<s-s?:n>",
  );
  return parsed;
}

type Evaluator = (row: JsonObject) => Promise<Result<Json | undefined, string>>;
type Named = readonly (readonly [name: string, evaluate: Evaluator])[];

function evaluators(
  kind: UnusedExpression["kind"],
  given: RowMapping["map"],
  files: JsonObject,
  use: ExpressionUse,
): Result<Named, string> {
  const all: [string, Evaluator][] = [];
  const prefix = kind === "tag" ? "tag " : "";
  for (const [name, expression] of Object.entries(given)) {
    const what = `${prefix}${name}: ${expression.slice(0, LONGEST_QUOTE)}`;
    const read = evaluator(what, expression, files);
    if (!read.ok) return read;
    all.push([name, use.of(kind, name, expression, read.value)]);
  }
  return ok(all);
}

function evaluator(what: string, expression: string, files: JsonObject): Result<Evaluator, string> {
  const why = (error: unknown) =>
    err(`${what}: ${(error as { message?: string }).message ?? error}`);
  let parsed: jsonata.Expression;
  try {
    parsed = bounded(expression);
  } catch (error) {
    return why(error);
  }
  return ok(async (row) => {
    try {
      const value: unknown = await parsed.evaluate(row, files);
      // JSONata's sequences have additional properties, which JSON drops.
      return ok(value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as Json));
    } catch (error) {
      return why(error);
    }
  });
}

async function valuesOf(named: Named, row: JsonObject): Promise<Result<JsonObject, string>> {
  const values: [string, Json][] = [];
  for (const [name, evaluate] of named) {
    const value = await evaluate(row);
    if (!value.ok) return value;
    if (value.value !== undefined && value.value !== null) values.push([name, value.value]);
  }
  return ok(Object.fromEntries(values));
}

const asTexts = (values: JsonObject): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, textOrJson(value)]));

/** Several plain assignments with commas between them; an expression may have commas itself. */
const isList = /^[\w$-]+=[\w.$-]+(,[\w$-]+=[\w.$-]+)+$/;

/**
 * Parses `field=expression`, or several plain assignments separated by commas; null for any other text.
 * @example assignments("text=body,id=key") // [["text", "body"], ["id", "key"]]
 */
export function assignments(given: string): [name: string, expression: string][] | null {
  const read = (isList.test(given) ? given.split(",") : [given]).map((one): [string, string] => {
    const at = one.indexOf("=");
    return at < 0 ? ["", ""] : [one.slice(0, at).trim(), one.slice(at + 1).trim()];
  });
  return read.every(([name, expression]) => name !== "" && expression !== "") ? read : null;
}
