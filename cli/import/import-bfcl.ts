import { closeSync, existsSync } from "node:fs";
import { join } from "node:path";
import { asObject, isJsonObject, type Json, type JsonObject } from "#shared/contracts/json.ts";
import { type BfclWorlds, bfclSample } from "#shared/suites/tools/bfcl/bfcl.ts";
import { type BfclDocuments, documentFiles } from "#shared/suites/tools/bfcl/bfcl-conversation.ts";
import { bfclReasons, skipped } from "#shared/suites/tools/bfcl/bfcl-schema.ts";
import { BadInput, badLine } from "../errors.ts";
import { openInput } from "../files/open-file.ts";
import { type OutputFile, type OutputPlace, withOutput } from "../files/output-file.ts";
import { idIn, idOf, parseRow } from "../files/parse-row.ts";
import { type Line, readLines } from "../files/read-lines.ts";
import { countSample, countSkipped, emptyImport, type Imported, sampleCount } from "./imported.ts";

/** What to import, by path. */
export interface BfclImport extends OutputPlace {
  cases: string;
  /** Null if the cases contain their answers. */
  answers: string | null;
  /** Folder of the documents of functions; null: cases of several turns are left out. */
  functions: string | null;
  isUnpadded: boolean;
}

/** Imports cases of BFCL; the file of samples appears only when it is complete. Throws BadInput. */
export async function importBfcl({ cases, answers, ...rest }: BfclImport): Promise<Imported> {
  const { functions, isUnpadded, ...place } = rest;
  const worlds = { isUnpadded, documents: documentsIn(functions) };
  const answersOf = answers === null ? new Map<string, Json>() : answersById(answers);
  const { fd } = openInput(cases);
  const inputs = answers === null ? [cases] : [cases, answers];
  try {
    return await withOutput(place, inputs, (output) => {
      const imported = importLines(readLines(fd, cases), { answers: answersOf, worlds }, output);
      if (sampleCount(imported) === 0) throw nothingUsable(cases, imported);
      return imported;
    });
  } finally {
    closeSync(fd);
  }
}

/** The ground truth of each case in a file of BFCL's possible answers. Throws BadInput. */
export function answersById(path: string): Map<string, Json> {
  const { fd, name } = openInput(path);
  try {
    const answers = new Map<string, Json>();
    for (const line of readLines(fd, name)) {
      const row = parseRow(line.bytes);
      if (!row.ok) throw badLine(name, line.number, row.error);
      const { id, ground_truth: truth } = asObject(row.value);
      if (typeof id !== "string" || truth === undefined) {
        throw badLine(name, line.number, "not a possible answer {id, ground_truth}");
      }
      answers.set(id, truth);
    }
    return answers;
  } finally {
    closeSync(fd);
  }
}

/** The documents of functions in a folder, by class; a class without a file has none. Throws BadInput. */
export function documentsIn(folder: string | null): BfclDocuments {
  if (folder === null) return new Map();
  const found = Object.entries(documentFiles).flatMap(([name, file]) => {
    const path = join(folder, file);
    return existsSync(path) ? [[name, documentsOf(path)] as const] : [];
  });
  if (found.length > 0) return new Map(found);
  const [example = ""] = Object.values(documentFiles);
  throw new BadInput(`${folder}: has no documents of functions, such as ${example}`);
}

function documentsOf(path: string): JsonObject[] {
  const { fd, name } = openInput(path);
  try {
    return [...readLines(fd, name)].map((line) => {
      const row = parseRow(line.bytes);
      if (row.ok && isJsonObject(row.value)) return row.value;
      throw badLine(name, line.number, row.ok ? "not a document of a function" : row.error);
    });
  } finally {
    closeSync(fd);
  }
}

/** What cases are read with. */
interface ReadWith {
  answers: ReadonlyMap<string, Json>;
  worlds: BfclWorlds;
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
  { answers, worlds }: ReadWith,
) {
  if (id === null) return bfclSample(row);
  if (seen.get(id) === true) return skipped("malformed", `duplicate id ${JSON.stringify(id)}`);
  return bfclSample(row, answers.get(id), worlds);
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
