import { closeSync } from "node:fs";
import { asObject, isJsonObject, type Json, type JsonObject } from "#shared/contracts/json.ts";
import { answerOf } from "#shared/contracts/submissions/submitted-answer.ts";
import { bfclSample } from "#shared/suites/tools/bfcl/bfcl.ts";
import { bfclAnswer } from "#shared/suites/tools/bfcl/bfcl-results.ts";
import { toolsOptionsSchema } from "#shared/suites/tools/options.ts";
import type { ToolsSample } from "#shared/suites/tools/sample.ts";
import { isRight, scoreTools } from "#shared/suites/tools/score/score.ts";
import { badLine } from "../errors.ts";
import { openInput } from "../files/open-file.ts";
import { idOf, parseRow } from "../files/parse-row.ts";
import { readLines } from "../files/read-lines.ts";
import { answersById, type BfclImport, documentsIn } from "./import-bfcl.ts";
import { checkedAnswer, type PlacedAnswer } from "./imported-answers.ts";

/** Ids that are listed of each kind of disagreement. */
const MOST_IDS = 100;

/** BFCL's rules: texts without blanks, case and some marks, and no other argument than those that it accepts. */
const bfclOptions = toolsOptionsSchema.parse({ textRules: "bfcl", strictArguments: true });

/** How often the verdicts of this suite and of BFCL agree on the answers of one file. */
export interface Agreement {
  compared: number;
  agreed: number;
  /** Share of the compared answers; null without any. */
  agreement: number | null;
  /** Accuracy of the compared answers, by either. */
  accuracy: number | null;
  bfclAccuracy: number | null;
  /** The first ids, with BFCL's reason or this suite's. */
  rightOnlyHere: { id: string; reason: string }[];
  rightOnlyAtBfcl: { id: string; reason: string }[];
  /** Answers to cases that can't be samples. */
  leftOut: number;
}

/** The samples of a file of cases, by id; cases that can't be samples are left out. Throws BadInput. */
export function bfclSamples(what: Omit<BfclImport, "out" | "stdout">): Map<string, ToolsSample> {
  const { cases, answers, functions, isUnpadded } = what;
  const truths = answers === null ? new Map<string, Json>() : answersById(answers);
  const worlds = { documents: documentsIn(functions), isUnpadded };
  const samples = new Map<string, ToolsSample>();
  for (const row of rowsOf(cases)) {
    const id = idOf(row);
    const read = bfclSample(row, id === null ? undefined : truths.get(id), worlds);
    if (read.ok) samples.set(read.value.sample.id, read.value.sample);
  }
  return samples;
}

/** The recorded answers of a file of results to these samples. Throws BadInput. */
export function* bfclAnswers(
  path: string,
  samples: ReadonlyMap<string, ToolsSample>,
): Generator<PlacedAnswer> {
  for (const row of rowsOf(path)) {
    const id = idOf(row);
    const sample = id === null ? undefined : samples.get(id);
    const answer = sample && bfclAnswer(row, sample);
    if (answer) yield { place: `${path}: ${id}`, answer };
  }
}

/**
 * Compares the verdicts on recorded answers with those of a score file of BFCL, which lists the answers that it found
 * wrong after a line with the counts. Throws BadInput.
 */
export function bfclAgreement(
  results: string,
  scores: string,
  samples: ReadonlyMap<string, ToolsSample>,
): Agreement {
  const wrong = new Map<string, string>();
  for (const row of rowsOf(scores)) {
    const id = idOf(row);
    if (id !== null && row["valid"] === false) wrong.set(id, reasonOf(row));
  }
  const found = { compared: 0, agreed: 0, here: 0, bfcl: 0 };
  const [rightOnlyHere, rightOnlyAtBfcl]: Agreement["rightOnlyHere"][] = [[], []];
  let recorded = 0;
  for (const row of rowsOf(results)) if (idOf(row) !== null) recorded++;
  for (const placed of bfclAnswers(results, samples)) {
    const row = checkedAnswer(placed);
    const { detail } = scoreTools(samples.get(row.id)!, answerOf(row), bfclOptions);
    const [isHere, isThere] = [isRight(detail), !wrong.has(row.id)];
    found.compared++;
    found.agreed += +(isHere === isThere);
    found.here += +isHere;
    found.bfcl += +isThere;
    const reason = wrong.get(row.id) ?? whyWrong(detail);
    if (isHere && !isThere) rightOnlyHere!.push({ id: row.id, reason });
    if (!isHere && isThere) rightOnlyAtBfcl!.push({ id: row.id, reason });
  }
  const share = (count: number) => (found.compared === 0 ? null : count / found.compared);
  return {
    compared: found.compared,
    agreed: found.agreed,
    agreement: share(found.agreed),
    accuracy: share(found.here),
    bfclAccuracy: share(found.bfcl),
    rightOnlyHere: rightOnlyHere!.slice(0, MOST_IDS),
    rightOnlyAtBfcl: rightOnlyAtBfcl!.slice(0, MOST_IDS),
    leftOut: recorded - found.compared,
  };
}

function reasonOf({ error, error_type: type }: JsonObject): string {
  const kind = type ?? asObject(error)["error_type"];
  return typeof kind === "string" ? kind : "wrong";
}

function whyWrong({ turns = [], failures }: ReturnType<typeof scoreTools>["detail"]): string {
  const at = turns.findIndex(({ failure }) => failure !== null);
  if (at >= 0) return `turn ${at + 1}: ${turns[at]!.failure}`;
  const [first] = failures;
  if (first === undefined) return "no answer";
  return `${first.class}: ${first.function}${first.argument === null ? "" : `, ${first.argument}`}`;
}

function* rowsOf(path: string): Generator<JsonObject> {
  const { fd, name } = openInput(path);
  try {
    for (const line of readLines(fd, name)) {
      const row = parseRow(line.bytes);
      if (!row.ok || !isJsonObject(row.value)) {
        throw badLine(name, line.number, row.ok ? "not a JSON object" : row.error);
      }
      yield row.value;
    }
  } finally {
    closeSync(fd);
  }
}
