import { asObject, isJsonObject, type Json, type JsonObject } from "#shared/contracts/json.ts";
import { finishReasonOf } from "#shared/protocols/finish-reason.ts";
import { BadInput } from "../errors.ts";
import { linesOf, parseRow } from "../files/read-lines.ts";
import { nonNegative, type PlacedAnswer, sampleId } from "./imported-answers.ts";
import { readDocument } from "./read-document.ts";

/** The `object` of each output item. */
const ITEM = "eval.run.output_item";

interface OpenAiRun {
  path: string;
  /** The field of a data source item with the sample's id; null for `id`, otherwise the item's number. */
  idField: string | null;
  /** Called with the name and type of each grader that has results in an item. */
  onGrader(name: string, type: string): void;
}

/**
 * Answers of a run of OpenAI's Evals API: its output items, one per line or as a page of
 * `GET /evals/{eval}/runs/{run}/output_items`. Throws BadInput.
 * Source: OpenAI API reference, eval run output item, as typed by the package openai 7.55.
 */
export function* openAiEvalsAnswers({
  path,
  idField,
  onGrader,
}: OpenAiRun): Generator<PlacedAnswer> {
  for (const { place, item } of itemsOf(path)) {
    for (const result of listOf(item["results"])) {
      onGrader(textOf(result["name"]) ?? "unnamed", textOf(result["type"]) ?? "unknown type");
    }
    const id = idOf(item, idField);
    if (id === null) {
      const field = idField === null ? "id, and no datasource_item_id" : idField;
      throw new BadInput(`${place}: it has no datasource_item.${field}`);
    }
    yield { place: `${place} (sample ${JSON.stringify(id)})`, answer: answerOf(id, item) };
  }
}

function idOf(
  { datasource_item: source, datasource_item_id: number }: JsonObject,
  field: string | null,
) {
  const named = isJsonObject(source) ? sampleId(source[field ?? "id"]) : null;
  return named ?? (field === null ? sampleId(number) : null);
}

interface PlacedItem {
  place: string;
  item: JsonObject;
}

function* itemsOf(path: string): Generator<PlacedItem> {
  const rows = rowsOf(path);
  const first = rows.next();
  if (first.done) throw new BadInput(`${path}: it is empty`);
  // A page is one document, on one line or on many.
  const { value } = first.value;
  rows.return(undefined);
  if (isJsonObject(value) && value["object"] === ITEM) {
    for (const { place, value: row } of rowsOf(path)) {
      if (row === null) throw new BadInput(`${place}: the line is not JSON`);
      yield { place, item: checkedItem(row, place) };
    }
    return;
  }
  const { data, has_more: hasMore } = readDocument(
    path,
    `; output items are lines with "object": "${ITEM}", unlike logs of the program oaieval`,
  );
  if (!Array.isArray(data)) {
    throw new BadInput(
      `${path}: no output items of an eval run: there is no "data", and no lines with "object": "${ITEM}"`,
    );
  }
  if (hasMore === true) {
    throw new BadInput(
      `${path}: it is one page of several ("has_more"): save the items of all pages, one a line`,
    );
  }
  for (const [index, item] of data.entries()) {
    const place = `${path}: /data/${index}`;
    yield { place, item: checkedItem(item, place) };
  }
}

/** Lines of a file; the value is null if a line is not JSON. */
function* rowsOf(path: string): Generator<{ place: string; value: Json }> {
  for (const { number, bytes } of linesOf(path)) {
    const row = parseRow(bytes);
    yield { place: `${path}:${number}`, value: row.ok ? row.value : null };
  }
}

function checkedItem(item: Json, place: string): JsonObject {
  if (isJsonObject(item) && item["object"] === ITEM) return item;
  throw new BadInput(`${place}: no output item of an eval run: its "object" is not "${ITEM}"`);
}

function answerOf(id: string, item: JsonObject): PlacedAnswer["answer"] {
  const sample = asObject(item["sample"]);
  const reply = listOf(sample["output"]).findLast(
    ({ role }) => (role ?? "assistant") === "assistant",
  );
  const output = reply?.["content"];
  const { message = null } = asObject(sample["error"]);
  const error = textOf(message);
  if (typeof output !== "string") return { id, error: error ?? "the item has no output" };
  const usage = asObject(sample["usage"]);
  const finished = textOf(sample["finish_reason"]);
  return {
    id,
    output,
    finishReason: finished === null ? undefined : finishReasonOf(finished),
    servedModel: textOf(sample["model"]) ?? undefined,
    inputTokens: nonNegative(usage["prompt_tokens"]),
    outputTokens: nonNegative(usage["completion_tokens"]),
    cachedTokens: nonNegative(usage["cached_tokens"]),
  };
}

const listOf = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

const textOf = (value: Json | undefined): string | null =>
  typeof value === "string" && value !== "" ? value : null;
