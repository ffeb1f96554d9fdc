import { closeSync, readSync } from "node:fs";
import { bounds, cutText } from "#shared/contracts/bounds.ts";
import { asObject, isJsonObject, type Json, type JsonObject } from "#shared/contracts/json.ts";
import { finishReasonOf } from "#shared/protocols/finish-reason.ts";
import { BadInput } from "../errors.ts";
import { openInput } from "../files/open-file.ts";
import { nonNegative, type PlacedAnswer, sampleId } from "./imported-answers.ts";
import { type ArchivedSample, archivedHeader, archivedSamples } from "./inspect-archive.ts";
import { readDocument } from "./read-document.ts";

/** A log, and the field with the ids of its samples. */
export interface InspectLog {
  path: string;
  /** The content of a JSON log; null for an archive, whose samples are read one by one. */
  document: JsonObject | null;
  /** The metadata field with a sample's id; null for `id`. */
  idField: string | null;
}

/** Opens a log. Throws BadInput. */
export const openInspectLog = (path: string, idField: string | null): InspectLog => ({
  path,
  document: isArchive(path) ? null : readDocument(path),
  idField,
});

/**
 * Answers of an Inspect log, in the format `.eval` or in JSON: its samples, each with `id` and `output`, one epoch
 * after the other. Throws BadInput, also for a log without samples.
 */
export async function* inspectAnswers(log: InspectLog): AsyncGenerator<PlacedAnswer> {
  for await (const { place, id, sample } of inspectSamples(log)) {
    yield { place: `${place} (sample ${JSON.stringify(id)})`, answer: inspectAnswer(id, sample) };
  }
}

/** The samples of a log with their ids, one epoch after the other. Throws BadInput, also for a log without samples. */
export async function* inspectSamples({
  path,
  document,
  idField,
}: InspectLog): AsyncGenerator<{ place: string; id: string; sample: JsonObject }> {
  let count = 0;
  for await (const { name, sample } of document === null
    ? archivedSamples(path)
    : jsonSamples(path, document)) {
    count++;
    const place = `${path}: ${name}`;
    if (!isJsonObject(sample)) throw new BadInput(`${place}: it is not an object`);
    const metadata = asObject(sample["metadata"]);
    const id = sampleId(idField === null ? sample["id"] : metadata[idField]);
    if (id === null) {
      throw new BadInput(`${place}: it has no ${idField === null ? "id" : `metadata.${idField}`}`);
    }
    yield { place, id, sample };
  }
  if (count > 0) return;
  const why = "it has only results, for example because of --no-log-samples";
  throw new BadInput(`${path}: the log has no samples, so it has no answers: ${why}`);
}

/** The header of a log: `eval` with the model, and `plan` with its settings. Throws BadInput. */
export const inspectHeader = async ({ path, document }: InspectLog): Promise<JsonObject> =>
  document ?? archivedHeader(path);

/** Whether a file is a zip archive, by its first bytes. */
function isArchive(path: string): boolean {
  const { fd } = openInput(path);
  try {
    const start = Buffer.alloc(4);
    readSync(fd, start);
    return start.toString("latin1") === "PK\u0003\u0004";
  } finally {
    closeSync(fd);
  }
}

function* jsonSamples(path: string, log: JsonObject): Generator<ArchivedSample> {
  if (!("eval" in log)) throw new BadInput(`${path}: not a log of Inspect: there is no "eval"`);
  const { samples } = log;
  for (const [index, sample] of (Array.isArray(samples) ? samples : []).entries()) {
    yield { name: `/samples/${index}`, sample };
  }
}

/**
 * The answer in a sample, unchecked.
 * Source: UKGovernmentBEIS/inspect_ai, model/_model_output.py at 499e615.
 */
export function inspectAnswer(id: string, sample: JsonObject): PlacedAnswer["answer"] {
  const output = asObject(sample["output"]);
  const choices = Array.isArray(output["choices"]) ? output["choices"] : [];
  const choice = isJsonObject(choices[0]) ? choices[0] : null;
  // An agent's output has time and tokens of only its last call.
  const isLastOfSeveral = answersIn(sample["messages"]) - answersIn(sample["input"]) > 1;
  const seconds = isLastOfSeveral ? undefined : nonNegative(output["time"]);
  const latencyMs = seconds === undefined ? undefined : Math.round(1000 * seconds);
  const error = errorOf(sample) ?? errorText(output["error"]);
  if (choice === null) return { id, error: error ?? "the sample has no output", latencyMs };
  if (errorOf(sample) !== null) return { id, error, latencyMs };
  const message = asObject(choice["message"]);
  const stopped = choice["stop_reason"];
  const usage = isLastOfSeveral ? {} : asObject(output["usage"]);
  const toolCalls = toolCallsOf(message["tool_calls"]);
  return {
    id,
    output: inspectText(message["content"], sample["attachments"], "text"),
    thoughts: inspectText(message["content"], sample["attachments"], "reasoning") || undefined,
    ...(toolCalls.length > 0 && { toolCalls }),
    finishReason: typeof stopped === "string" ? finishReasonOf(stopped) : undefined,
    latencyMs,
    inputTokens: inputTokensOf(usage),
    cachedTokens: nonNegative(usage["input_tokens_cache_read"]),
    outputTokens: nonNegative(usage["output_tokens"]),
    reasoningTokens: nonNegative(usage["reasoning_tokens"]),
  };
}

const answersIn = (messages: Json | undefined): number =>
  (Array.isArray(messages) ? messages : []).filter(
    (one) => isJsonObject(one) && one["role"] === "assistant",
  ).length;

/** All input tokens: `input_tokens` excludes tokens read from or written to a cache. */
function inputTokensOf(usage: JsonObject): number | undefined {
  const plain = nonNegative(usage["input_tokens"]);
  const others = [usage["input_tokens_cache_read"], usage["input_tokens_cache_write"]];
  return plain === undefined
    ? undefined
    : others.reduce<number>((sum, one) => sum + (nonNegative(one) ?? 0), plain);
}

const errorOf = (sample: JsonObject): string | null => {
  const { error } = sample;
  return isJsonObject(error)
    ? (errorText(error["message"]) ?? "the sample failed")
    : errorText(error);
};

const errorText = (value: Json | undefined): string | null =>
  typeof value === "string" && value !== "" ? cutText(value, bounds.message) : null;

function toolCallsOf(calls: Json | undefined): { name: unknown; arguments: unknown }[] {
  const list = Array.isArray(calls) ? calls.filter(isJsonObject) : [];
  return list.map((call) => ({ name: call["function"], arguments: call["arguments"] }));
}

/**
 * The text of a content: parts of one kind, or plain text, which is of the kind `text`. Long texts are stored as
 * attachments.
 */
export function inspectText(
  content: Json | undefined,
  attachments: Json | undefined,
  kind: "text" | "reasoning",
): string {
  const apart = asObject(attachments);
  const whole = (text: string) => {
    const key = /^attachment:\/\/(\w+)$/.exec(text)?.[1];
    const kept = key === undefined ? undefined : apart[key];
    return typeof kept === "string" ? kept : text;
  };
  if (typeof content === "string") return kind === "text" ? whole(content) : "";
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : [];
  const texts = parts.map((part) => (part["type"] === kind ? part[kind] : null));
  return texts
    .filter((text) => typeof text === "string")
    .map(whole)
    .join("\n");
}
