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
import { readJudgment } from "#shared/judges/read-judgment.ts";
import { callOf } from "#shared/measures/performance/call-totals.ts";
import { BadInput, badLine } from "../errors.ts";
import { EventLoopPause } from "../files/event-loop-pause.ts";
import type { OpenFile } from "../files/open-file.ts";
import { RowNotes } from "../files/row-notes.ts";
import { AnswerIndex, type AnswerRow } from "./answer-index.ts";
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

/** What to score, and where each answer's score goes. */
export interface ScoringTask {
  suite: Suite;
  options: unknown;
  dataset: OpenFile;
  answers: OpenFile;
  prices: RunFacts<unknown>["prices"];
  /** Told of each sample's row and its bytes, as the file has it, before its answers. */
  onSample?(row: Json, bytes: Buffer): void;
  onScore(scored: ScoredAnswer): void;
}

/** The outcome of scoring. */
export interface ScoredFiles {
  /** With what follows from where the answers came from. */
  options: unknown;
  samples: number;
  /** What intervals resample: clusters where samples share sources. */
  units: "samples" | "clusters";
  /** Times each sample was to be answered. */
  repeats: number;
  /** Answers that should be there and are not. */
  missing: number;
  /** Answers that could not be scored; each sample's line says why. */
  unscored: number;
  malformed: RowNotes;
  warnings: RowNotes;
  /** What was tolerated in answers; in the dataset's order. */
  answerWarnings: RowNotes;
  prices: RunFacts<unknown>["prices"];
  /** SHA-256 of the samples in the order of the file. */
  datasetHash: string;
  /** Seeds the bootstrap: a hash of the samples and their answers, in the dataset's order. */
  runId: string;
  summary: Summary;
}

/**
 * Scores a file of answers as the service does. Samples are read one by one, each answer when its
 * sample's turn comes; what stays in memory is the suite's aggregate and some 60 bytes a sample.
 * Throws BadInput where the input needs a change.
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
    unscored: 0,
    state: suite.aggregate.empty() as unknown,
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
      const answer = answerOf(given?.row ?? null);
      const score = suite.score(sample.sample, answer, options);
      if (score.status === "unscored") tally.unscored++;
      const { id, tags } = sample.head;
      for (const reason of judgmentFlaws(suite, sample.sample, answer, options)) {
        // Only an answer that was given comes with judgments.
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
  const { samples, units, missing, unscored, state } = tally;
  const summary = suite.aggregate.finish(state, { runId, options, prices, wallMs: null });
  const { malformed, warnings } = reader;
  return {
    options,
    samples,
    units,
    repeats,
    missing,
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

/** How often the suite wants one sample answered. */
function repeatsOf(suite: Suite, options: unknown): number {
  const units = suite.plan([{ id: "a sample", group: null }], options);
  return Math.max(
    1,
    units.reduce((sum, unit) => sum + unit.samples.length, 0),
  );
}

/**
 * Judgments of an answer without the fields of their metric, which are therefore ignored; where
 * the suite reads none, as of an empty answer, none is named. Never throws.
 * @example judgmentFlaws(memory, sample, answer, options) // ["the judgment of empathy is left out: /empathy_score: …"]
 */
function judgmentFlaws(
  { judging }: Pick<Suite, "judging">,
  sample: unknown,
  answer: Answer,
  options: unknown,
): string[] {
  const { judgments } = answer;
  if (judging === undefined || judgments === undefined) return [];
  return judging.tasks(sample, answer, options).flatMap(({ name, judge }) => {
    const records = Object.hasOwn(judgments, name) ? judgments[name]! : [];
    return records.flatMap(({ judge: by, judgment, unjudged }) => {
      if (unjudged !== null) return [];
      const read = readJudgment(judge, judgment);
      const its = by === null ? name : `${name} by ${by}`;
      return read.ok ? [] : [`the judgment of ${its} is left out: ${read.error}`];
    });
  });
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
 * Throws BadInput where there are no samples or no answers. An answer whose sample is not there was made for another
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

/** Rows without an id that can be read may hold the sample that is missed. */
function unread(dataset: string, { kept }: RowNotes): string {
  const first = kept.find(({ id }) => id === null);
  return first === undefined ? "" : `; it may be in ${dataset}:${first.line}: ${first.reason}`;
}
