import { createHash } from "node:crypto";
import type { Answer } from "#shared/contracts/answer.ts";
import { optionsFor } from "#shared/contracts/boards/ranking.ts";
import { textHash } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";
import { answerOf } from "#shared/contracts/submissions/submitted-answer.ts";
import type {
  RunFacts,
  SampleScore,
  ScoredSample,
  Suite,
  Summary,
} from "#shared/contracts/suite.ts";
import { answerText, isEmptyAnswer } from "#shared/judges/exchange.ts";
import { callOf } from "#shared/measures/performance/call-totals.ts";
import { BadInput, badLine } from "../errors.ts";
import { EventLoopPause } from "../files/event-loop-pause.ts";
import type { OpenFile } from "../files/open-file.ts";
import { RowNotes } from "../files/row-notes.ts";
import { AnswerIndex, type AnswerRow } from "./answer-index.ts";
import { checkJudgments } from "./check-judgments.ts";
import { SampleReader, type UsableSample } from "./read-samples.ts";

/** One answer's score, in the dataset's order. */
interface ScoredAnswer {
  id: string;
  tags: Readonly<Record<string, string>>;
  /** Whether the file has a row for it; without one it is scored as a failed request. */
  given: boolean;
  /** From 0, below the run's repeats. */
  repeat: number;
  repeats: number;
  answer: Answer;
  score: SampleScore;
}

/** What to score, and the destination of each answer's score. */
export interface ScoringTask {
  suite: Suite;
  options: unknown;
  dataset: OpenFile;
  answers: OpenFile;
  prices: RunFacts<unknown>["prices"];
  /** Called with each sample's unchanged row and its bytes, before its answers. */
  onSample?(row: Json, bytes: Buffer): void;
  onScore(scored: ScoredAnswer): void;
}

/** The outcome of scoring. */
export interface ScoredFiles {
  /** Including options that follow from the sources of answers. */
  options: unknown;
  samples: number;
  /** Units of resampling: clusters if samples share sources. */
  units: "samples" | "clusters";
  /** Expected answers of each sample. */
  repeats: number;
  /** Missing answers. */
  missing: number;
  /** Answers without text or calls that score 0. */
  empty: number;
  /** Answers that could not be scored; each sample's line has the reason. */
  unscored: number;
  malformed: RowNotes;
  warnings: RowNotes;
  /** Warnings on answers, in the dataset's order. */
  answerWarnings: RowNotes;
  prices: RunFacts<unknown>["prices"];
  /** SHA-256 of the samples in the order of the file. */
  datasetHash: string;
  /** Seeds the bootstrap: a hash of the samples and their answers, in the dataset's order. */
  runId: string;
  summary: Summary;
}

/**
 * Scores a file of answers as the service does. Samples are read one by one, with their answers; only the suite's
 * aggregate and about 60 bytes a sample stay in memory. Throws BadInput for invalid input.
 */
export async function scoreFiles(task: ScoringTask): Promise<ScoredFiles> {
  const { suite, dataset, answers, prices } = task;
  const repeats = repeatsOf(suite, task.options);
  const index = await AnswerIndex.of(answers, suite, repeats);
  const options = optionsFor(suite, task.options, { isHybrid: false, sources: [...index.sources] });
  const reader = new SampleReader(suite, index.ids);
  const tally = {
    samples: 0,
    units: "samples" as ScoredFiles["units"],
    missing: 0,
    empty: 0,
    unscored: 0,
    state: suite.aggregate.empty(options) as unknown,
  };
  const answerWarnings = new RowNotes();
  const hashes = [createHash("sha256"), createHash("sha256")] as const;
  const pause = new EventLoopPause();
  for (const sample of reader.read(dataset)) {
    if (pause.isDue) await pause.take();
    hashes[0].update(sample.bytes);
    task.onSample?.(sample.row, sample.bytes);
    const rows = index.rowsOf(sample.number, sample.head.id);
    for (let repeat = 0; repeat < repeats; repeat++) {
      const given: AnswerRow | undefined = rows.next().value;
      if (given === undefined) tally.missing++;
      else hashes[1].update(given.bytes);
      const whole = answerOf(given?.row ?? null);
      const { answer, flaws } = checkJudgments(suite, sample.sample, whole, options);
      const score = suite.score(sample.sample, answer, options);
      tally.unscored += Number(score.status === "unscored");
      tally.empty += Number(isEmptyZero(score, answer));
      const { id, tags } = sample.head;
      for (const reason of flaws) {
        // Only an existing answer has judgments.
        answerWarnings.add({ line: given!.line, id, reason });
      }
      task.onScore({ id, tags, given: given !== undefined, repeat, repeats, answer, score });
      const seq = tally.samples * repeats + repeat;
      tally.state = suite.aggregate.add(tally.state, scoredSample(seq, sample, answer, score));
    }
    tally.samples++;
    if (sample.head.tags["cluster"] !== undefined) tally.units = "clusters";
  }
  refuseMisfits(task, index, reader, tally.samples);
  const datasetHash = hashes[0].digest("hex");
  const runId = textHash(`${datasetHash}\n${hashes[1].digest("hex")}`);
  const { samples, units, missing, empty, unscored, state } = tally;
  const summary = suite.aggregate.finish(state, { runId, options, prices, wallMs: null });
  const { malformed, warnings } = reader;
  return {
    options,
    samples,
    units,
    repeats,
    missing,
    empty,
    unscored,
    malformed,
    warnings,
    prices,
    answerWarnings,
    datasetHash,
    runId,
    summary,
  };
}

const isEmptyZero = ({ score }: SampleScore, answer: Answer): boolean =>
  score === 0 &&
  answer.error === null &&
  !answer.toolCalls?.length &&
  isEmptyAnswer(answerText(answer));

/** How many answers the suite expects for each sample. */
function repeatsOf(suite: Suite, options: unknown): number {
  const units = suite.plan([{ id: "a sample", group: null }], options);
  return Math.max(
    1,
    units.reduce((sum, unit) => sum + unit.samples.length, 0),
  );
}

function scoredSample(
  seq: number,
  { head: { id, tags } }: UsableSample,
  answer: Answer,
  score: SampleScore,
): ScoredSample {
  const call = callOf(answer);
  return { seq, id, tags, score, call };
}

function noUsableSample(file: string, { kept: [first] }: RowNotes): BadInput {
  if (first === undefined) return new BadInput(`${file}: no samples found`);
  return badLine(file, first.line, `no valid sample; the first problem: ${first.reason}`);
}

/**
 * Throws BadInput without samples or answers. An answer without a sample was made for another
 * dataset.
 */
function refuseMisfits(
  { dataset, answers }: ScoringTask,
  index: AnswerIndex,
  reader: SampleReader,
  samples: number,
): void {
  if (samples === 0) throw noUsableSample(dataset.name, reader.malformed);
  if (index.rows === 0) throw new BadInput(`${answers.name}: no answers found`);
  let [first, count] = [-1, 0];
  for (let number = index.answered - 1; number >= 0; number--) {
    if (reader.has(number)) continue;
    first = number;
    count++;
  }
  if (first < 0) return;
  const { line, id } = index.whereIs(first);
  const more = count > 1 ? `, nor for ${count - 1} more` : "";
  const reason = `the dataset has no sample with the id ${JSON.stringify(id)}${more}`;
  throw badLine(answers.name, line, `${reason}${unread(dataset.name, reader.malformed)}`);
}

/** A row without a readable id may be the missing sample. */
function unread(dataset: string, { kept }: RowNotes): string {
  const first = kept.find(({ id }) => id === null);
  return first === undefined ? "" : `; it may be in ${dataset}:${first.line}: ${first.reason}`;
}
