import { isJsonObject, type Json, type JsonObject } from "#shared/contracts/json.ts";
import { finishReasonOf } from "#shared/protocols/finish-reason.ts";
import { suggestion } from "../command-line/suggestion.ts";
import { BadInput } from "../errors.ts";
import { nonNegative, type PlacedAnswer, sampleId } from "./imported-answers.ts";
import { readDocument } from "./read-document.ts";

/** promptfoo's code of a test that failed to run; 1 is an assertion that failed. */
const NO_ANSWER = 2;

/** A file that promptfoo wrote, and whose results are wanted. */
export interface PromptfooFile {
  path: string;
  /** The variable, or the field of a test's metadata, with the sample's id; null: `id`, else the test's number. */
  idField: string | null;
  /** Id or label; null if there is only one. */
  provider: string | null;
  /** Number of the prompt, from 0; null if there is only one. */
  prompt: number | null;
}

/** A result of a test. */
interface PromptfooRow {
  /** The file and its position there. */
  place: string;
  id: string;
  row: JsonObject;
}

/**
 * Answers of a file that promptfoo wrote with `--output results.json`: `results.results[]`, a row for each test,
 * provider and prompt. Throws BadInput.
 */
export function* promptfooAnswers(file: PromptfooFile): Generator<PlacedAnswer> {
  for (const { place, id, row } of promptfooRows(file)) {
    yield { place: `${place} (sample ${JSON.stringify(id)})`, answer: answerOf(id, row) };
  }
}

/** The results of one provider and prompt. Throws BadInput. */
export function* promptfooRows(file: PromptfooFile): Generator<PromptfooRow> {
  const { path, idField } = file;
  const rows = rowsOf(path);
  const provider = oneOf(path, "provider", file.provider, rows.flatMap(providerNames), [
    ...new Set(rows.map((row) => providerNames(row)[0] ?? "")),
  ]);
  const prompts = [...new Set(rows.map((row) => `${row["promptIdx"] ?? 0}`))];
  const prompt = oneOf(path, "prompt", file.prompt?.toString() ?? null, prompts, prompts);
  for (const [index, row] of rows.entries()) {
    if (!providerNames(row).includes(provider) || `${row["promptIdx"] ?? 0}` !== prompt) continue;
    const place = `${path}: /results/results/${index}`;
    const id =
      sampleId(promptfooVars(row)[idField ?? "id"]) ?? (idField === null ? numbered(row) : null);
    if (id === null) {
      const advice = "name the variable that holds the samples' ids by --id-field";
      throw new BadInput(`${place}: its test has no variable "${idField ?? "id"}": ${advice}`);
    }
    yield { place, id, row };
  }
}

/** Of a test without an id; promptfoo counts from 0. */
const numbered = ({ testIdx }: JsonObject): string | null =>
  typeof testIdx === "number" ? `test_${testIdx + 1}` : null;

function rowsOf(path: string): JsonObject[] {
  const { results } = readDocument(path);
  const { version, results: rows } = isJsonObject(results) ? results : {};
  if (!Array.isArray(rows)) {
    throw new BadInput(`${path}: not results of promptfoo: there is no "results.results"`);
  }
  if (version !== 3) {
    throw new BadInput(`${path}: its results have version ${version}; only version 3 is supported`);
  }
  if (rows.length === 0) throw new BadInput(`${path}: it has no results`);
  const odd = rows.findIndex((row) => !isJsonObject(row));
  if (odd >= 0) throw new BadInput(`${path}: /results/results/${odd}: it is not an object`);
  return rows as JsonObject[];
}

function oneOf(
  path: string,
  what: string,
  wanted: string | null,
  known: readonly string[],
  there: readonly string[],
): string {
  if (wanted === null && there.length === 1) return there[0]!;
  const list = there.join(", ");
  if (wanted === null) {
    throw new BadInput(`${path}: it has answers of several; choose one with --${what}: ${list}`);
  }
  if (known.includes(wanted)) return wanted;
  const hint = suggestion(wanted, known) || `; choose ${list}`;
  throw new BadInput(`${path}: there is no ${what} "${wanted}"${hint}`);
}

function providerNames({ provider }: JsonObject): string[] {
  if (typeof provider === "string") return [provider];
  const { id, label } = isJsonObject(provider) ? provider : {};
  return [id, label].filter((name) => typeof name === "string" && name !== "") as string[];
}

/** Variables of a result and its test, and the fields of its metadata. */
export function promptfooVars(row: JsonObject): JsonObject {
  const test = isJsonObject(row["testCase"]) ? row["testCase"] : {};
  const all = [test["metadata"], test["vars"], row["vars"]].filter(isJsonObject);
  return Object.assign({}, ...all) as JsonObject;
}

function answerOf(id: string, row: JsonObject): PlacedAnswer["answer"] {
  const response = isJsonObject(row["response"]) ? row["response"] : {};
  const { output, cached, finishReason } = response;
  // A reply from promptfoo's cache has no latency of the model.
  const latencyMs = cached === true ? undefined : nonNegative(row["latencyMs"]);
  const error = errorText(response["error"]) ?? errorText(row["error"]);
  if (output === undefined || output === null || row["failureReason"] === NO_ANSWER) {
    return { id, error: error ?? "there is no output", latencyMs };
  }
  const usage = isJsonObject(response["tokenUsage"]) ? response["tokenUsage"] : {};
  const details = isJsonObject(usage["completionDetails"]) ? usage["completionDetails"] : {};
  const text = typeof output === "string" ? output : JSON.stringify(output);
  return {
    id,
    output: text,
    latencyMs,
    ...(response["isRefusal"] === true && { refusal: text, output: null }),
    finishReason: typeof finishReason === "string" ? finishReasonOf(finishReason) : undefined,
    inputTokens: nonNegative(usage["prompt"]),
    outputTokens: nonNegative(usage["completion"]),
    reasoningTokens: nonNegative(details["reasoning"]),
  };
}

const errorText = (value: Json | undefined): string | null =>
  typeof value === "string" && value !== "" ? value : null;
