import { z } from "zod";
import { asObject, type Json, type JsonObject } from "#shared/contracts/json.ts";
import { answerOf } from "#shared/contracts/submissions/submitted-answer.ts";
import { bfclSample } from "#shared/suites/tools/bfcl/bfcl.ts";
import { bfclAnswer } from "#shared/suites/tools/bfcl/bfcl-results.ts";
import { toolsOptionsSchema } from "#shared/suites/tools/options.ts";
import { failureLabels } from "#shared/suites/tools/report/report-facts.ts";
import type { ToolsSample } from "#shared/suites/tools/sample.ts";
import { isRight, scoreTools } from "#shared/suites/tools/score/score.ts";
import { turnWords } from "#shared/suites/tools/show/show-turns.ts";
import { BadInput } from "../errors.ts";
import { idOf } from "../files/read-lines.ts";
import type { BfclFiles } from "./bfcl-files.ts";
import { answersById, type BfclImport, documentsIn, objectsIn } from "./import-bfcl.ts";
import { checkedAnswer, type PlacedAnswer } from "./imported-answers.ts";

/** Maximum listed ids per class of disagreement. */
const MOST_IDS = 100;

/** BFCL's rules: texts are compared without spaces, case and some punctuation; unlisted arguments are wrong. */
const bfclOptions = toolsOptionsSchema.parse({ textRules: "bfcl", strictArguments: true });

const count = z.int();

const disagreementSchema = z.object({
  rightOnly: z.enum(["here", "bfcl"]).meta({ description: "which of the two calls them right" }),
  class: z
    .string()
    .meta({ description: "the other's reason: BFCL's error type, or the failure here" }),
  count,
  ids: z.array(z.string()).meta({ description: `the first ${MOST_IDS}` }),
});
export type Disagreement = z.infer<typeof disagreementSchema>;

/** How often the verdicts of this suite and of BFCL agree on the answers of a category. */
export const agreementSchema = z.object({
  category: z.string(),
  files: count,
  compared: count,
  agreed: count,
  agreement: z.number().nullable().meta({ description: "share of the compared answers" }),
  right: count.meta({ description: "answers that are right here" }),
  bfclRight: count.meta({ description: "answers that are right at BFCL" }),
  leftOut: count.meta({ description: "answers without a usable case" }),
  disagreements: z.array(disagreementSchema).meta({ description: "most frequent first" }),
});
export type Agreement = z.infer<typeof agreementSchema>;

/** Agreement by category, sorted by name. Throws BadInput. */
export function bfclAgreement(files: readonly BfclFiles[]): Agreement[] {
  const found = new Map<string, Agreement>();
  // Several models may answer the same cases.
  let read: { cases: string | null; samples: Map<string, ToolsSample> } = {
    cases: null,
    samples: new Map(),
  };
  for (const file of files.toSorted((a, b) => a.category.localeCompare(b.category))) {
    const { category, cases, answers, functions } = file;
    if (cases !== read.cases) {
      const samples = cases && bfclSamples({ cases, answers, functions });
      read = { cases, samples: samples || new Map() };
    }
    const agreement = found.get(category) ?? noAgreement(category);
    found.set(category, agreement);
    addVerdicts(agreement, file, read.samples);
  }
  return [...found.values()].map((one) => ({
    ...one,
    agreement: one.compared === 0 ? null : one.agreed / one.compared,
    disagreements: one.disagreements.toSorted((a, b) => b.count - a.count),
  }));
}

const noAgreement = (category: string): Agreement => ({
  category,
  files: 0,
  compared: 0,
  agreed: 0,
  agreement: null,
  right: 0,
  bfclRight: 0,
  leftOut: 0,
  disagreements: [],
});

/** Samples by id from a file of cases; cases that can't become samples are left out. Throws BadInput. */
export function bfclSamples(what: Omit<BfclImport, "out" | "stdout">): Map<string, ToolsSample> {
  const { cases, answers, functions } = what;
  const truths = answers === null ? new Map<string, Json>() : answersById(answers);
  const documents = documentsIn(functions);
  const samples = new Map<string, ToolsSample>();
  for (const row of rowsOf(cases)) {
    const id = idOf(row);
    const read = bfclSample(row, id === null ? undefined : truths.get(id), documents);
    if (read.ok) samples.set(read.value.sample.id, read.value.sample);
  }
  return samples;
}

/**
 * Recorded answers to these samples from a file of results. `onLeftOut`: called for each other answer. Throws BadInput.
 */
export function* bfclAnswers(
  path: string,
  samples: ReadonlyMap<string, ToolsSample>,
  onLeftOut?: () => void,
): Generator<PlacedAnswer> {
  for (const row of rowsOf(path)) {
    const id = idOf(row);
    const sample = id === null ? undefined : samples.get(id);
    const answer = sample && bfclAnswer(row, sample);
    if (answer) yield { place: `${path}: ${id}`, answer };
    else onLeftOut?.();
  }
}

/** Adds our verdicts on the first answer of each id, and the verdicts in BFCL's score file, to `into`. */
function addVerdicts(
  into: Agreement,
  { results, scores }: BfclFiles,
  samples: ReadonlyMap<string, ToolsSample>,
): void {
  const ids = new Set([...rowsOf(results)].flatMap((row) => idOf(row) ?? []));
  const wrong = wrongAnswers(scores!, ids.size);
  into.files++;
  into.leftOut += ids.size;
  for (const placed of bfclAnswers(results, samples)) {
    const row = checkedAnswer(placed);
    if (!ids.delete(row.id)) continue;
    const { detail } = scoreTools(samples.get(row.id)!, answerOf(row), bfclOptions);
    const [isHere, isThere] = [isRight(detail), !wrong.has(row.id)];
    into.leftOut--;
    into.compared++;
    into.right += +isHere;
    into.bfclRight += +isThere;
    if (isHere === isThere) into.agreed++;
    else if (isHere) addDisagreement(into, "here", wrong.get(row.id)!, row.id);
    else addDisagreement(into, "bfcl", whyWrong(detail), row.id);
  }
}

/**
 * Reasons by id why answers are wrong at BFCL. A score file lists wrong answers after a line with counts. A truncated
 * file, or a file for fewer answers, would make the others right. Throws BadInput.
 */
function wrongAnswers(path: string, answers: number): Map<string, string> {
  const [head = {}, ...rows] = rowsOf(path);
  const { correct_count: right, total_count: total } = head;
  if (typeof right !== "number" || typeof total !== "number") {
    throw new BadInput(`${path}: its first line must have correct_count and total_count`);
  }
  const wrong = new Map<string, string>();
  for (const row of rows) {
    const id = idOf(row);
    if (id !== null && row["valid"] === false) wrong.set(id, reasonOf(row));
  }
  if (wrong.size !== total - right) {
    throw new BadInput(
      `${path}: its first line counts ${total - right} wrong of ${total} answers, but ${wrong.size} are listed: give the whole file`,
    );
  }
  if (answers <= total) return wrong;
  throw new BadInput(
    `${path}: it has scores of ${total} answers, and there are ${answers}: give the scores of the same results`,
  );
}

function addDisagreement(
  { disagreements }: Agreement,
  rightOnly: Disagreement["rightOnly"],
  name: string,
  id: string,
): void {
  const isIt = (one: Disagreement) => one.rightOnly === rightOnly && one.class === name;
  let disagreement = disagreements.find(isIt);
  if (disagreement === undefined) {
    disagreement = { rightOnly, class: name, count: 0, ids: [] };
    disagreements.push(disagreement);
  }
  disagreement.count++;
  if (disagreement.ids.length < MOST_IDS) disagreement.ids.push(id);
}

function reasonOf({ error, error_type: type }: JsonObject): string {
  const kind = type ?? asObject(error)["error_type"];
  return typeof kind === "string" ? kind : "wrong";
}

function whyWrong({ turns = [], failures }: ReturnType<typeof scoreTools>["detail"]): string {
  const turn = turns.find(({ failure }) => failure !== null)?.failure;
  if (turn) return turnWords[turn];
  const [first] = failures;
  return first === undefined ? "no answer" : failureLabels[first.class].toLowerCase();
}

const rowsOf = (path: string) => objectsIn(path, "a JSON object");
