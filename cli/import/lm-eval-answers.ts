import { asObject, isJsonObject, type Json, type JsonObject } from "#shared/contracts/json.ts";
import { BadInput, badLine } from "../errors.ts";
import { linesOf } from "../files/read-lines.ts";
import { type PlacedAnswer, sampleId } from "./imported-answers.ts";
import { parsePython } from "./read-document.ts";

interface LmEvalFile {
  path: string;
  /** The document's field with the sample's id; null for `id`, otherwise the row's `doc_id`. */
  idField: string | null;
  /** The filter whose answers to use; null for the raw output. */
  filter: string | null;
}

/**
 * Answers of a file that lm-evaluation-harness wrote with `--log_samples`: a row for each document and filter,
 * with `resps`, the raw output, and `filtered_resps`, the output after the filter. A document's answers to
 * repeated requests are consecutive. Throws BadInput.
 */
export function* lmEvalAnswers({ path, idField, filter }: LmEvalFile): Generator<PlacedAnswer> {
  const filters = new Set<string>();
  let [first, taken] = [null as string | null, 0];
  for (const { number, bytes } of linesOf(path)) {
    const place = `${path}:${number}`;
    const row = parsePython(bytes.toString(), place);
    if (!isJsonObject(row) || !("resps" in row)) {
      throw badLine(path, number, 'no row of lm-eval --log_samples: there is no "resps"');
    }
    const rowFilter = typeof row["filter"] === "string" ? row["filter"] : "none";
    filters.add(rowFilter);
    first ??= rowFilter;
    // Each filter has a separate row with the same outputs of the model.
    if (rowFilter !== (filter ?? first)) continue;
    taken++;
    yield* answersOf(row, place, idField, filter === null ? "resps" : "filtered_resps");
  }
  if (taken > 0) return;
  if (first === null) throw new BadInput(`${path}: it has no rows`);
  throw new BadInput(`${path}: unknown filter "${filter}"; choose ${[...filters].join(", ")}`);
}

function* answersOf(
  row: JsonObject,
  place: string,
  idField: string | null,
  field: "resps" | "filtered_resps",
): Generator<PlacedAnswer> {
  const { doc, doc_id: number, arguments: requests } = row;
  const document = asObject(doc);
  const named = sampleId(document[idField ?? "id"]);
  const id = named ?? (idField === null ? sampleId(number) : null);
  if (id === null) {
    const what = idField === null ? "it has neither doc.id nor doc_id" : `it has no doc.${idField}`;
    throw new BadInput(`${place}: ${what}`);
  }
  if (isLikelihood(requests)) {
    const why = "it compares likelihoods of given texts, so it has no answers of the model";
    throw new BadInput(`${place}: ${why}`);
  }
  for (const output of textsOf(row[field])) {
    if (typeof output !== "string") {
      throw new BadInput(`${place}: ${field} is ${JSON.stringify(output)}, not a text`);
    }
    yield { place, answer: { id, output } };
  }
}

/** The second argument of a generation is its settings; for a likelihood it is the given text. */
function isLikelihood(requests: Json | undefined): boolean {
  const list = isJsonObject(requests) ? Object.values(requests) : requests;
  const first = Array.isArray(list) ? list[0] : undefined;
  const second = isJsonObject(first) ? first["arg_1"] : Array.isArray(first) ? first[1] : undefined;
  return typeof second === "string";
}

/** A text, texts, or a list of those for each request of the document. */
function textsOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? (value.flat() as Json[]) : [value ?? null];
}
