import { closeSync } from "node:fs";
import { asObject, type Json } from "#shared/contracts/json.ts";
import { bfclSample } from "#shared/suites/tools/bfcl/bfcl.ts";
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
}

/** Imports cases of BFCL; the file of samples appears only when it is complete. Throws BadInput. */
export async function importBfcl({ cases, answers, ...place }: BfclImport): Promise<Imported> {
  const answersOf = answers === null ? new Map<string, Json>() : answersById(answers);
  const { fd } = openInput(cases);
  const inputs = answers === null ? [cases] : [cases, answers];
  try {
    return await withOutput(place, inputs, (output) => {
      const imported = importLines(readLines(fd, cases), answersOf, output);
      if (sampleCount(imported) === 0) throw nothingUsable(cases, imported);
      return imported;
    });
  } finally {
    closeSync(fd);
  }
}

/** The ground truth of each case in a file of BFCL's possible answers. Throws BadInput. */
function answersById(path: string): Map<string, Json> {
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

function importLines(
  lines: Iterable<Line>,
  answers: ReadonlyMap<string, Json>,
  output: OutputFile | null,
): Imported {
  const imported = emptyImport();
  // Whether the case with an id was imported.
  const seen = new Map<string, boolean>();
  for (const line of lines) {
    imported.cases++;
    const row = parseRow(line.bytes);
    const id = row.ok ? idOf(row.value) : idIn(line.bytes);
    const read = row.ok ? readCase(row.value, id, seen, answers) : skipped("malformed", row.error);
    if (id !== null) seen.set(id, read.ok || seen.get(id) === true);
    if (read.ok) {
      countSample(imported, read.value);
      output?.add(JSON.stringify(read.value.sample));
      continue;
    }
    const { reason, detail } = read.error;
    countSkipped(imported, reason, id);
    if (reason !== "malformed") continue;
    imported.malformed.add({ line: line.number, id, reason: detail ?? bfclReasons[reason] });
  }
  imported.unusedAnswers = [...answers.keys()].filter((id) => !seen.has(id)).length;
  return imported;
}

function readCase(
  row: Json,
  id: string | null,
  seen: ReadonlyMap<string, boolean>,
  answers: ReadonlyMap<string, Json>,
) {
  if (id === null) return bfclSample(row);
  if (seen.get(id) === true) return skipped("malformed", `duplicate id ${JSON.stringify(id)}`);
  return bfclSample(row, answers.get(id));
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
