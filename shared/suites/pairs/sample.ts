import { bounds } from "../../contracts/bounds.ts";
import { asObject, isJsonObject, type Json } from "../../contracts/json.ts";
import { err, ok, type Result } from "../../contracts/result.ts";
import type { CheckedSample } from "../../contracts/suite.ts";
import { isTags } from "../../measures/repeats.ts";

/** The two answers of a sample, in its own order. */
export type Side = "A" | "B";
/** The better answer of a sample, or that neither is better. */
export type Verdict = Side | "tie";

/** Two answers to one request. */
export interface PairsSample {
  id: string;
  query: string;
  answers: Readonly<Record<Side, string>>;
  /** The models that wrote them; null: not stated. */
  models: Readonly<Record<Side, string>> | null;
  /** The better answer according to people; null: not labelled. */
  label: Verdict | null;
  tags: Record<string, string>;
}

/** Longest request and answer, in UTF-16 units: more than judges accept. */
const maxChars = 1_000_000;

/** Labels of datasets; LLMBar has 1 and 2. */
const labels: ReadonlyMap<unknown, Verdict> = new Map<unknown, Verdict>([
  ["A", "A"],
  ["B", "B"],
  ["tie", "tie"],
  [1, "A"],
  [2, "B"],
  ["1", "A"],
  ["2", "B"],
]);

/**
 * Whether a dataset row can be used: it needs an id, a request (`query` or `input`) and two answers (`a` and `b`, or
 * `output_1` and `output_2`), and may have the models that wrote them (`models: {a, b}`), a `label` (A, B or tie; 1 or
 * 2) and tags. Two equal answers give a warning. Never throws.
 * Source: the format of LLMBar, Zeng et al. 2024, Evaluating Large Language Models at Evaluating Instruction Following.
 * @example checkSample({ id: "a", input: "Hi" }) // { ok: false, error: "a or output_1 must be a string" }
 */
export function checkSample(row: unknown): Result<CheckedSample<PairsSample>, string> {
  if (!isJsonObject(row)) return err("the row is not a JSON object");
  const { id, tags = {}, models = null, label = null } = row;
  if (typeof id !== "string" || id === "") return err("id must be a non-empty string");
  const query = textOf(row["query"] ?? row["input"], "query or input");
  if (!query.ok) return query;
  const a = textOf(row["a"] ?? row["output_1"], "a or output_1");
  if (!a.ok) return a;
  const b = textOf(row["b"] ?? row["output_2"], "b or output_2");
  if (!b.ok) return b;
  const named = modelsOf(models);
  if (!named.ok) return named;
  const better = labels.get(label) ?? null;
  if (better === null && label !== null) {
    return err('label must be "A", "B" or "tie", or 1 or 2 for the first or second answer');
  }
  if (!isTags(tags)) return err("tags must be an object of strings");
  const answers = { A: a.value, B: b.value };
  const warnings = a.value === b.value ? ["both answers have the same text"] : [];
  const sample = { id, query: query.value, answers, models: named.value, label: better, tags };
  return ok({ sample, warnings });
}

function textOf(value: Json | undefined, name: string): Result<string, string> {
  if (typeof value !== "string") return err(`${name} must be a string`);
  if (value.length <= maxChars) return ok(value);
  return err(`${name} has ${value.length} characters, but at most ${maxChars} are allowed`);
}

function modelsOf(given: Json): Result<PairsSample["models"], string> {
  if (given === null) return ok(null);
  const { a, b } = asObject(given);
  if (!isName(a) || !isName(b)) {
    return err(`models must be {a, b}, each a name of 1 to ${bounds.name} characters`);
  }
  return a === b ? err("models must name two different models") : ok({ A: a, B: b });
}

const isName = (name: Json | undefined): name is string =>
  typeof name === "string" && name !== "" && name.length <= bounds.name;
