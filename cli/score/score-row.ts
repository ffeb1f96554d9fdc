import type { Answer, Call } from "#shared/contracts/answer.ts";
import type { Json } from "#shared/contracts/json.ts";
import { err, type Result } from "#shared/contracts/result.ts";
import { sampleLine } from "#shared/contracts/submissions/sample-line.ts";
import { answerOf } from "#shared/contracts/submissions/submitted-answer.ts";
import type { CheckedSample, SampleScore, Suite } from "#shared/contracts/suite.ts";
import { rowFlaw } from "#shared/contracts/text/well-formed.ts";
import { answerText, isEmptyAnswer } from "#shared/judges/exchange.ts";
import { callOf } from "#shared/measures/performance/call-totals.ts";
import { idIn, idOf, parseRow } from "../files/read-lines.ts";
import type { AnswerIndex, AnswerRow } from "./answer-index.ts";
import { checkJudgments } from "./check-judgments.ts";

/** A checked row of a dataset: a sample, or why it is invalid. */
export type ExaminedRow = UsableRow | { ok: false; id: string | null; reason: string };

interface UsableRow extends CheckedSample<unknown> {
  ok: true;
  head: ReturnType<Suite["sampleHead"]>;
  /** The unchanged row. */
  row: Json;
}

/** Reads a line of a dataset like the service. Never throws. */
export function examineRow(suite: Suite, bytes: Buffer): ExaminedRow {
  const row = parseRow(bytes);
  if (!row.ok) return { ok: false, id: idIn(bytes), reason: row.error };
  const checked = checkRow(suite, row.value);
  if (!checked.ok) return { ok: false, id: idOf(row.value), reason: checked.error };
  const { sample, warnings } = checked.value;
  return { ok: true, sample, warnings, head: suite.sampleHead(sample), row: row.value };
}

function checkRow(suite: Suite, row: Json): Result<CheckedSample<unknown>, string> {
  const flaw = rowFlaw(row);
  return flaw === null ? suite.checkSample(row) : err(flaw);
}

/** Rules for scoring, the same for all rows of a file. */
export interface ScoringRules {
  suite: Suite;
  options: unknown;
  /** Expected answers per sample. */
  repeats: number;
  /** Whether lines per answer include the verdict on each field; null: no lines. */
  lines: { fields: boolean } | null;
}

/** The score of one answer to a sample. */
export interface RowScore {
  /** Whether the file has a row for the answer; a missing answer is scored as a failed request. */
  given: boolean;
  /** From 0 to the run's repeats − 1. */
  repeat: number;
  score: SampleScore;
  call: Call;
  /** Why judgments are left out; `answerLine` is the line of the answer. */
  flaws: string[];
  answerLine: number;
  /** Whether the answer has no text or calls and scores 0. */
  isEmpty: boolean;
  /** Null unless lines are written. */
  line: string | null;
}

/** Scores the answers to a sample in the order of their file, then missing answers. */
export function scoreRow(rules: ScoringRules, sample: UsableRow, index: AnswerIndex): RowScore[] {
  const rows = index.rowsOf(sample.head.id);
  return Array.from({ length: rules.repeats }, (_, repeat) =>
    scoreAnswer(rules, sample, repeat, rows.next().value),
  );
}

function scoreAnswer(
  { suite, options, repeats, lines }: ScoringRules,
  { sample, head }: UsableRow,
  repeat: number,
  given: AnswerRow | undefined,
): RowScore {
  const whole = answerOf(given?.row ?? null);
  const { answer, flaws } = checkJudgments(suite, sample, whole, options);
  const score = suite.score(sample, answer, options);
  const { cluster = null } = head.tags;
  const errorClass = answer.error?.class ?? null;
  const parts = { id: head.id, repeat, repeats, score, call: answer, errorClass, cluster };
  return {
    given: given !== undefined,
    repeat,
    score,
    call: callOf(answer),
    flaws,
    answerLine: given?.line ?? 0,
    isEmpty: isEmptyZero(score, answer),
    line: lines === null ? null : sampleLine(parts, lines),
  };
}

const isEmptyZero = ({ score }: SampleScore, answer: Answer): boolean =>
  score === 0 &&
  answer.error === null &&
  !answer.toolCalls?.length &&
  isEmptyAnswer(answerText(answer));
