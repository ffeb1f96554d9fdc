import { bounds, cutText } from "#shared/contracts/bounds.ts";
import {
  asObject,
  isJsonObject,
  type Json,
  type JsonObject,
  textOrJson,
} from "#shared/contracts/json.ts";
import { suggestion } from "#shared/contracts/text/suggestion.ts";
import { finishReasonOf } from "#shared/protocols/finish-reason.ts";
import { BadInput } from "../errors.ts";
import { nonNegative, type PlacedAnswer, sampleId } from "./imported-answers.ts";

/** promptfoo's code of a test that failed to run; 1 is an assertion that failed. */
const NO_ANSWER = 2;
/** Maximum length of a prompt's label in messages; without a name, the label is the whole prompt. */
const LONGEST_LABEL = 40;

/** A promptfoo file, and which of its results to read. */
export interface PromptfooFile {
  path: string;
  /** The content of the file, which is read once. */
  document: JsonObject;
  /** The variable or metadata field with the sample's id; null: `id`, otherwise the test's number. */
  idField: string | null;
  /** Id or label; null if there is only one. */
  provider: string | null;
  /** Index of the prompt among the provider's prompts, or its label; null if there is only one. */
  prompt: string | null;
}

/** A result of a test. */
interface PromptfooRow {
  /** The file and its position there. */
  place: string;
  id: string;
  row: JsonObject;
}

/**
 * Answers in a file from promptfoo's `--output results.json`: `results.results[]`, a row for each test,
 * provider and prompt. Throws BadInput.
 */
export function* promptfooAnswers(file: PromptfooFile): Generator<PlacedAnswer> {
  for (const { place, id, row } of promptfooRows(file)) {
    yield { place: `${place} (sample ${JSON.stringify(id)})`, answer: promptfooAnswer(id, row) };
  }
}

/** The results of one provider and prompt. Throws BadInput. */
export function* promptfooRows(file: PromptfooFile): Generator<PromptfooRow> {
  const { path, idField } = file;
  const rows = rowsOf(file);
  const provider = providerOf(path, file.provider, rows);
  const own = [...rows.entries()].filter(([, row]) => providerNames(row).includes(provider));
  const prompt = promptOf(
    file,
    own.map(([, row]) => row),
  );
  const numbers = numbersOf(rows);
  for (const [index, row] of own) {
    if (indexOf(row) !== prompt) continue;
    const place = `${path}: /results/results/${index}`;
    const given = sampleId(promptfooVars(row)[idField ?? "id"]);
    const id = given ?? (idField === null ? (numbers.get(testKey(row)) ?? null) : null);
    if (id === null) {
      const advice = "name the variable that holds the samples' ids by --id-field";
      throw new BadInput(`${place}: its test has no variable "${idField ?? "id"}": ${advice}`);
    }
    yield { place, id, row };
  }
}

const indexOf = ({ promptIdx }: JsonObject): number =>
  typeof promptIdx === "number" ? promptIdx : 0;

/** The index of the chosen prompt; promptfoo counts pairs of provider and prompt. Throws BadInput. */
function promptOf({ path, prompt: wanted }: PromptfooFile, rows: readonly JsonObject[]): number {
  const indices = [...new Set(rows.map(indexOf))].toSorted((a, b) => a - b);
  const labels = indices.map((index) => {
    const { prompt } = rows.find((row) => indexOf(row) === index) ?? {};
    const label = isJsonObject(prompt) ? prompt["label"] : null;
    return typeof label === "string" && label !== "" ? cutText(label, LONGEST_LABEL) : "no label";
  });
  const chosen = wanted === null && indices.length === 1 ? "0" : wanted;
  const at =
    chosen !== null && /^\d+$/.test(chosen) ? Number(chosen) : labels.indexOf(chosen ?? "");
  const index = indices[at];
  if (index !== undefined) return index;
  const list = labels.map((label, i) => `${i} (${label})`).join(", ");
  throw new BadInput(`${path}: choose one of its prompts with --prompt: ${list}`);
}

/** Ids for tests without an id: the test's number, or that of the first test with the same variables, for repeats. */
function numbersOf(rows: readonly JsonObject[]): Map<string, string> {
  const indices = rows.flatMap((row): [string, number][] =>
    typeof row["testIdx"] === "number" ? [[testKey(row), row["testIdx"]]] : [],
  );
  // The last entry of a key counts. promptfoo writes results in order of arrival.
  const highestFirst = indices.toSorted(([, a], [, b]) => b - a);
  return new Map(highestFirst.map(([key, index]) => [key, `test_${index + 1}`]));
}

function testKey({ testCase }: JsonObject): string {
  const { description = null, vars = null, assert = null } = asObject(testCase);
  return JSON.stringify([description, vars, assert]);
}

function rowsOf({ path, document }: PromptfooFile): JsonObject[] {
  const { version, results: rows } = asObject(document["results"]);
  if (!Array.isArray(rows)) {
    throw new BadInput(`${path}: not results of promptfoo: there is no "results.results"`);
  }
  if (version !== 3) {
    throw new BadInput(
      `${path}: not version 3 of promptfoo's results: write them again with promptfoo export eval ID --output results.json`,
    );
  }
  if (rows.length === 0) throw new BadInput(`${path}: it has no results`);
  const odd = rows.findIndex((row) => !isJsonObject(row));
  if (odd >= 0) throw new BadInput(`${path}: /results/results/${odd}: it is not an object`);
  return rows as JsonObject[];
}

/** The requested provider by id or label; null: the only provider. Throws BadInput. */
function providerOf(path: string, wanted: string | null, rows: readonly JsonObject[]): string {
  const known = rows.flatMap(providerNames);
  if (known.length === 0) {
    throw new BadInput(
      `${path}: no result has a "provider": write them again with promptfoo export eval ID --output results.json`,
    );
  }
  const there = [...new Set(rows.map((row) => providerNames(row).at(-1) ?? ""))];
  if (wanted === null && there.length === 1) return there[0]!;
  const list = there.join(", ");
  if (wanted === null) {
    throw new BadInput(`${path}: it has answers of several; choose one with --provider: ${list}`);
  }
  if (known.includes(wanted)) return wanted;
  const hint = suggestion(wanted, known) || `; choose ${list}`;
  throw new BadInput(`${path}: there is no provider "${wanted}"${hint}`);
}

/** Id and, if present, label of each result's provider, in the order of the config. Throws BadInput. */
export const promptfooProviders = (file: PromptfooFile): string[][] =>
  rowsOf(file)
    .toSorted((a, b) => indexOf(a) - indexOf(b))
    .map(providerNames)
    .filter((names) => names.length > 0);

function providerNames({ provider }: JsonObject): string[] {
  if (typeof provider === "string") return [provider];
  const { id, label } = asObject(provider);
  return [id, label].filter((name) => typeof name === "string" && name !== "") as string[];
}

/** Variables of a result and its test, metadata fields and description. */
export function promptfooVars(row: JsonObject): JsonObject {
  const test = asObject(row["testCase"]);
  const described = { description: test["description"] ?? null };
  const all = [described, test["metadata"], test["vars"], row["vars"]].filter(isJsonObject);
  return Object.assign({}, ...all) as JsonObject;
}

/** The answer in a result, unchecked. */
export function promptfooAnswer(id: string, row: JsonObject): PlacedAnswer["answer"] {
  const response = asObject(row["response"]);
  const { output, cached, finishReason } = response;
  // The latency of a reply from promptfoo's cache is not the model's.
  const latencyMs = cached === true ? undefined : nonNegative(row["latencyMs"]);
  const error = errorText(response["error"]) ?? errorText(row["error"]);
  if (output === undefined || output === null || row["failureReason"] === NO_ANSWER) {
    return { id, error: error ?? "there is no output", latencyMs };
  }
  const usage = asObject(response["tokenUsage"]);
  const details = asObject(usage["completionDetails"]);
  const text = textOrJson(output);
  return {
    id,
    output: text,
    latencyMs,
    ...(response["isRefusal"] === true && { refusal: text, output: null }),
    finishReason: typeof finishReason === "string" ? finishReasonOf(finishReason) : undefined,
    inputTokens: nonNegative(usage["prompt"]),
    cachedTokens: nonNegative(details["cacheReadInputTokens"]),
    outputTokens: nonNegative(usage["completion"]),
    reasoningTokens: nonNegative(details["reasoning"]),
  };
}

const errorText = (value: Json | undefined): string | null =>
  typeof value === "string" && value !== "" ? cutText(value, bounds.message) : null;
