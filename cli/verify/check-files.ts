import { closeSync } from "node:fs";
import { LineDigests } from "#shared/contracts/line-digests.ts";
import type { ResultStatement } from "#shared/contracts/result-statement.ts";
import { badLine } from "../bad-input.ts";
import { DatasetVersion } from "../compare/dataset-version.ts";
import { openInput } from "../score/open-file.ts";
import { parseRow } from "../score/parse-row.ts";
import { readLines } from "../score/read-lines.ts";
import { type Check, type Difference, differs, passed, unchecked } from "./check.ts";

/** Whether a file of samples is the dataset of the statement. Throws BadInput where it can't be read. */
export function checkDataset({ dataset }: ResultStatement, path: string): Check {
  const version = new DatasetVersion();
  let samples = 0;
  for (const { number, bytes } of linesOf(path)) {
    const row = parseRow(bytes);
    if (!row.ok) throw badLine(path, number, row.error);
    version.add(row.value, bytes);
    samples++;
  }
  const found = version.digest();
  const differences = [
    ...difference("samples", dataset.samples, samples),
    ...difference("dataset version", dataset.version, found),
  ];
  if (differences.length > 0)
    return differs("dataset", "other samples than were used", differences);
  return passed("dataset", `${samples} samples of ${dataset.name}, version ${found.slice(0, 12)}`);
}

/** Whether a file of whole answers is what the statement has the hash of. Throws BadInput where it can't be read. */
export function checkAnswers({ answers }: ResultStatement, path: string): Check {
  if (answers.sha256 === null) {
    return unchecked("answers", "they were removed before the result was stated");
  }
  const digests = new LineDigests(answers.count);
  let count = 0;
  for (const { bytes } of linesOf(path)) {
    if (count < answers.count) digests.set(count, bytes.toString());
    count++;
  }
  const differences = [
    ...difference("answers", answers.count, count),
    ...difference("answers' SHA-256", answers.sha256, digests.digest()),
  ];
  if (differences.length > 0)
    return differs("answers", "other answers than were scored", differences);
  return passed("answers", `${count}, SHA-256 ${answers.sha256.slice(0, 12)}`);
}

const difference = (what: string, signed: unknown, found: unknown): Difference[] =>
  signed === found ? [] : [{ what, signed, found }];

function* linesOf(path: string) {
  const { fd, name } = openInput(path);
  try {
    yield* readLines(fd, name);
  } finally {
    closeSync(fd);
  }
}
