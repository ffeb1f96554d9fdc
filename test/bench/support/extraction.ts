import { readFileSync } from "node:fs";
import { type Answer, emptyAnswer } from "../../../shared/contracts/answer.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../shared/contracts/json.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import { drawsFrom } from "../../../simulator/draws.ts";
import { mistakeRates } from "../../../simulator/mistakes/mistakes.ts";
import { perturbValue } from "../../../simulator/mistakes/perturb-value.ts";

/** The measured suite, used only through the interface of all suites. */
const suite = suiteById("extraction") as Suite;

/** Default options of a run. */
const options: unknown = suite.optionsSchema.parse({});

/** Error scale of a mediocre model: about every eighth field is wrong. */
const ERROR_SCALE = 0.25;

/** A row of a dataset. */
export interface Row extends JsonObject {
  id: string;
  text: string;
  schema: Json;
  expected_output: Json;
}

/** A checked sample, whose schema is prepared, and an answer to it. */
export interface Task {
  sample: unknown;
  answer: Answer;
}

/** The valid rows of a dataset. */
export function usableRows(path: string): Row[] {
  const lines = readFileSync(path, "utf8").split("\n");
  const rows = lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as Row);
  return rows.filter((row) => suite.checkSample(row).ok);
}

/** A task whose answer is `value`. */
export function task(row: Row, value: Json): Task {
  const checked = suite.checkSample(row);
  if (!checked.ok) throw new Error(`${row.id}: ${checked.error}`);
  return { sample: checked.value.sample, answer: answerOf(value) };
}

/** An answer with `value` as output. */
function answerOf(value: Json): Answer {
  return { ...emptyAnswer, output: JSON.stringify(value), latencyMs: 800, outputTokens: 150 };
}

/** The expected output with the errors of a mediocre model, the same in every run; may be invalid. */
export function perturbed({ id, text, schema, expected_output: expected }: Row): Json {
  const draws = drawsFrom("bench", id);
  const rates = mistakeRates(ERROR_SCALE);
  return perturbValue(expected, schema, {
    root: schema,
    text,
    draws,
    rates,
    constrained: true,
    made: [],
  });
}

/** A task whose answer is `value`. Throws if it does not match the schema, since its fields would not be scored. */
export function validTask(row: Row, value: Json): Task {
  const one = task(row, value);
  if (!isValid(one)) throw new Error(`${row.id}: the answer doesn't match the schema`);
  return one;
}

/** The value with one of every eight leaves wrong but of the same type, at changing positions; an array of scalars is a leaf. */
export function eighthWrong(value: Json): Json {
  let leaves = 0;
  const wrong = (part: Json): Json => {
    if (isJsonObject(part))
      return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, wrong(one)]));
    if (Array.isArray(part) && part.some((one) => typeof one === "object")) return part.map(wrong);
    const [group, place] = [Math.floor(leaves / 8), leaves % 8];
    leaves += 1;
    return place === group % 8 ? wrongLeaf(part) : part;
  };
  return wrong(value);
}

function wrongLeaf(leaf: Json): Json {
  if (typeof leaf === "string") return `${leaf}, or so`;
  if (typeof leaf === "number") return leaf + 1;
  if (typeof leaf === "boolean") return !leaf;
  return Array.isArray(leaf) ? leaf.slice(1) : leaf;
}

export function scoreTask({ sample, answer }: Task): void {
  const { score } = suite.score(sample, answer, options);
  if (score === null) throw new Error("a task was not scored");
}

/** Whether a task's answer matches its schema, so that its fields are scored. */
function isValid({ sample, answer }: Task): boolean {
  const { detail } = suite.score(sample, answer, options);
  return (detail as { valid: boolean }).valid;
}
