import { existsSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "#shared/contracts/json.ts";
import { bfclSample } from "#shared/suites/tools/bfcl/bfcl.ts";
import { type BfclDocuments, documentFiles } from "#shared/suites/tools/bfcl/bfcl-conversation.ts";
import { bfclReasons, skipped } from "#shared/suites/tools/bfcl/bfcl-schema.ts";
import { BadInput, badLine } from "../errors.ts";
import { type OutputFile, type OutputPlace, withOutput } from "../files/output-file.ts";
import { idIn, idOf, type Line, linesOf, parseRow } from "../files/read-lines.ts";
import { countSample, countSkipped, emptyImport, type Imported, sampleCount } from "./imported.ts";

/** Files to import. */
export interface BfclImport extends OutputPlace {
  cases: string;
  /** File of possible answers; null if the cases contain them. */
  answers: string | null;
  /** Folder of the documents of functions; null: cases of several turns are left out. */
  functions: string | null;
}

/** Imports cases of BFCL; the file of samples appears only when it is complete. Throws BadInput. */
export async function importBfcl({ cases, answers, ...rest }: BfclImport): Promise<Imported> {
  const { functions, ...place } = rest;
  const documents = documentsIn(functions);
  const answersOf = answers === null ? new Map<string, Json>() : answersById(answers);
  const inputs = answers === null ? [cases] : [cases, answers];
  return withOutput(place, inputs, (output) => {
    const imported = importLines(linesOf(cases), { answers: answersOf, documents }, output);
    if (sampleCount(imported) === 0) throw nothingUsable(cases, imported);
    return imported;
  });
}

/** The ground truth of each case in a file of BFCL's possible answers. Throws BadInput. */
export function answersById(path: string): Map<string, Json> {
  const what = "a possible answer {id, ground_truth}";
  const isIt = (row: JsonObject) => idOf(row) !== null && row["ground_truth"] !== undefined;
  const rows = [...objectsIn(path, what, isIt)];
  return new Map(rows.map((row) => [idOf(row)!, row["ground_truth"]!]));
}

/** JSON objects from the lines of a file; `what` describes them in errors. Throws BadInput. */
export function* objectsIn(
  path: string,
  what: string,
  isIt: (row: JsonObject) => boolean = () => true,
): Generator<JsonObject> {
  for (const { number, bytes } of linesOf(path)) {
    const row = parseRow(bytes);
    if (!row.ok) throw badLine(path, number, row.error);
    if (!isJsonObject(row.value) || !isIt(row.value)) throw badLine(path, number, `not ${what}`);
    yield row.value;
  }
}

/** Function documents in a folder by class, for classes that have a file. Throws BadInput. */
export function documentsIn(folder: string | null): BfclDocuments {
  if (folder === null) return new Map();
  const found = Object.entries(documentFiles).flatMap(([name, file]) => {
    const path = join(folder, file);
    const documents = existsSync(path) ? [...objectsIn(path, "a document of a function")] : null;
    return documents === null ? [] : [[name, documents] as const];
  });
  if (found.length > 0) return new Map(found);
  const [example = ""] = Object.values(documentFiles);
  throw new BadInput(`${folder}: has no documents of functions, such as ${example}`);
}

/** Additional data for reading cases. */
interface ReadWith {
  answers: ReadonlyMap<string, Json>;
  documents: BfclDocuments;
}

function importLines(lines: Iterable<Line>, by: ReadWith, output: OutputFile | null): Imported {
  const imported = emptyImport();
  // Whether the case with an id was imported.
  const seen = new Map<string, boolean>();
  for (const line of lines) {
    imported.cases++;
    const row = parseRow(line.bytes);
    const id = row.ok ? idOf(row.value) : idIn(line.bytes);
    const read = row.ok ? readCase(row.value, id, seen, by) : skipped("malformed", row.error);
    if (id !== null) seen.set(id, read.ok || seen.get(id) === true);
    if (read.ok) {
      countSample(imported, read.value);
      output?.add(JSON.stringify(read.value.row));
      continue;
    }
    const { reason, detail } = read.error;
    countSkipped(imported, reason, id);
    if (reason !== "malformed") continue;
    imported.malformed.add({ line: line.number, id, reason: detail ?? bfclReasons[reason] });
  }
  imported.unusedAnswers = [...by.answers.keys()].filter((id) => !seen.has(id)).length;
  return imported;
}

function readCase(
  row: Json,
  id: string | null,
  seen: ReadonlyMap<string, boolean>,
  { answers, documents }: ReadWith,
) {
  if (id === null) return bfclSample(row);
  if (seen.get(id) === true) return skipped("malformed", `duplicate id ${JSON.stringify(id)}`);
  return bfclSample(row, answers.get(id), documents);
}

function nothingUsable(file: string, { cases, skipped, malformed }: Imported): BadInput {
  if (cases === 0) return new BadInput(`${file}: it has no cases`);
  const [broken] = malformed.kept;
  if (broken !== undefined && skipped.size === 1) {
    return new BadInput(`${file}:${broken.line}: no case can be imported; here: ${broken.reason}`);
  }
  const [[reason] = ["malformed" as const]] = [...skipped].toSorted(
    ([, a], [, b]) => b.length - a.length,
  );
  return new BadInput(
    `${file}: no case can be imported; most frequent reason: ${bfclReasons[reason]}`,
  );
}
