import { bounds, cutText } from "../../../contracts/bounds.ts";
import { isJsonObject, type Json, type JsonObject, parsedJson } from "../../../contracts/json.ts";
import { jsonFlaw } from "../../../contracts/text/well-formed.ts";
import type { ToolsSample } from "../sample.ts";
import { toolName } from "../sample-parts.ts";
import { pythonCalls } from "./python-calls.ts";

/** A recorded call in the format of answers. */
interface RecordedCall {
  name: string;
  arguments: Json;
}

/** A model's output in one step. */
interface RecordedStep {
  output: string | null;
  toolCalls: RecordedCall[];
  latencyMs?: number;
  inputTokens?: number;
  outputTokens?: number;
}

/** The beginning of BFCL's result for a failed request. */
const FAILED = "Error during inference: ";

/**
 * A row of a result file of BFCL as a row of answers. Calls of models with native calls are `[{name: "arguments as
 * JSON"}]`, calls of prompted models a text like `[ping(n=1)]`. Any other text is the model's output, unless it is
 * BFCL's note on a failed request. Names that the import changed are changed here, too. Null if the row has no result.
 * Source: BFCL v4, result files and _llm_response_generation.py at 6ea5797.
 * @example bfclAnswer({ id: "simple_0", result: [{ ping: '{"n": 1}' }] }, sample)?.["toolCalls"]
 */
export function bfclAnswer(row: JsonObject, sample: ToolsSample): JsonObject | null {
  const { id, result, latency, input_token_count: input, output_token_count: output } = row;
  if (typeof id !== "string" || result === undefined) return null;
  if (typeof result === "string" && result.startsWith(FAILED)) {
    return { id, error: cutText(result, bounds.message) };
  }
  const names = new Set(sample.tools.map((tool) => toolName(tool) ?? ""));
  if (sample.conversation === undefined) {
    const step = stepOf(result, names);
    return { id, ...took(step, [latency, input, output]) } as unknown as JsonObject;
  }
  if (!Array.isArray(result)) return { id, error: cutText(textOf(result), bounds.message) };
  const turns = result.map((turn, i) =>
    (Array.isArray(turn) ? turn : [turn]).map((step, k) =>
      took(
        stepOf(step, names),
        [latency, input, output].map((of) => at(at(of, i), k)),
      ),
    ),
  );
  return { id, turns: turns as unknown as Json };
}

const at = (list: Json | undefined, i: number): Json | undefined =>
  Array.isArray(list) ? list[i] : undefined;

/** BFCL's latencies are in seconds. */
function took(
  step: RecordedStep,
  [latency, input, output]: readonly (Json | undefined)[],
): RecordedStep {
  const isCount = (value: Json | undefined): value is number =>
    typeof value === "number" && Number.isFinite(value) && value >= 0;
  return {
    ...step,
    ...(isCount(latency) && { latencyMs: Math.round(latency * 1000) }),
    ...(isCount(input) && { inputTokens: Math.round(input) }),
    ...(isCount(output) && { outputTokens: Math.round(output) }),
  };
}

function stepOf(given: Json, names: ReadonlySet<string>): RecordedStep {
  const calls = Array.isArray(given) ? nativeCalls(given) : promptedCalls(given);
  if (calls === null) return { output: textOf(given), toolCalls: [] };
  return {
    output: null,
    toolCalls: calls.map(({ name, arguments: its }) => ({
      name: importedName(name, names),
      // Arguments that can't be stored stay the model's text, which is not an object.
      arguments: jsonFlaw(its) === null ? its : textOf(given),
    })),
  };
}

/** Like BFCL, reads no calls of a step in which one is unreadable. */
function nativeCalls(given: readonly Json[]): RecordedCall[] | null {
  if (!given.every(isJsonObject)) return null;
  const calls = given.flatMap((call) =>
    Object.entries(call).map(([name, its]) => ({
      name: cutText(name, bounds.name),
      arguments: typeof its === "string" ? ((parsedJson(its) ?? null) as Json) : its,
    })),
  );
  return calls.every((call) => isJsonObject(call.arguments)) ? calls : null;
}

/** Prompted models may put the list into a code fence. */
function promptedCalls(given: Json): RecordedCall[] | null {
  if (typeof given !== "string") return null;
  const text = given.trim().replace(/^`+(?:python|json|tool_code)?\s*|\s*`+$/g, "");
  const calls = pythonCalls(text) ?? pythonCalls(`[${text}]`);
  return calls?.map(({ name, named }) => ({ name, arguments: named })) ?? null;
}

const textOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

/** A function's name after import. */
function importedName(name: string, names: ReadonlySet<string>): string {
  const other = name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64);
  return !names.has(name) && names.has(other) ? other : name;
}
