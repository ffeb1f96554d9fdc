import { closeSync } from "node:fs";
import { LineDigests } from "#shared/contracts/boards/line-digests.ts";
import type { ResultStatement } from "#shared/contracts/boards/result-statement.ts";
import { DatasetVersion } from "../compare/compare-paths.ts";
import { badLine } from "../errors.ts";
import { openInput } from "../files/open-file.ts";
import { parseRow } from "../files/parse-row.ts";
import { readLines } from "../files/read-lines.ts";
import { type Check, type Difference, differs, passed, unchecked } from "./check.ts";
import { checkScores } from "./check-scores.ts";
import { checkSignature, type TrustedKeys } from "./check-signature.ts";
import type { Evidence, Part } from "./evidence.ts";

/** What was found of a result: `unchecked` where nothing differs, but something could not be looked at. */
export interface Verification {
  run: string;
  verdict: "verified" | "differs" | "unchecked";
  checks: Check[];
}

/** Checks a result. `keys`: public keys, or why there are none. */
export async function verifyResult(
  evidence: Evidence,
  keys: TrustedKeys | { missing: string },
): Promise<Verification> {
  const { signed, document, dataset, answers } = evidence;
  const { statement } = signed;
  const given = { ...signed, statement: (document as { statement: unknown }).statement };
  const checks = [
    "missing" in keys && signed.signature !== null
      ? unchecked("signature", keys.missing)
      : checkSignature(given, "missing" in keys ? { keys: [], source: "" } : keys),
    of("dataset", dataset, (path) => checkDataset(statement, path)),
    of("answers", answers, (path) => checkAnswers(statement, path)),
    ...(await scoresOf(evidence)),
  ];
  return { run: statement.run, verdict: verdictOf(checks), checks };
}

const of = (name: Check["name"], part: Part, check: (path: string) => Check): Check =>
  "missing" in part ? unchecked(name, part.missing) : check(part.path);

/** Whether a file of samples is the dataset of the statement. Throws BadInput where it can't be read. */
function checkDataset({ dataset }: ResultStatement, path: string): Check {
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

function* linesOf(path: string) {
  const { fd, name } = openInput(path);
  try {
    yield* readLines(fd, name);
  } finally {
    closeSync(fd);
  }
}

const difference = (what: string, signed: unknown, found: unknown): Difference[] =>
  signed === found ? [] : [{ what, signed, found }];

/** Whether a file of whole answers is what the statement has the hash of. Throws BadInput where it can't be read. */
function checkAnswers({ answers }: ResultStatement, path: string): Check {
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

async function scoresOf({ signed, dataset, answers }: Evidence): Promise<Check[]> {
  if ("path" in dataset && "path" in answers) {
    return checkScores(signed.statement, { dataset: dataset.path, answers: answers.path });
  }
  const said = "samples and answers are needed for it";
  return [unchecked("scores", said), unchecked("metrics", said)];
}

function verdictOf(checks: readonly Check[]): Verification["verdict"] {
  if (checks.some(({ outcome }) => outcome === "differs")) return "differs";
  return checks.some(({ outcome }) => outcome === "unchecked") ? "unchecked" : "verified";
}
