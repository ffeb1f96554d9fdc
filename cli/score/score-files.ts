import { createHash } from "node:crypto";
import type { Answer } from "#shared/contracts/answer.ts";
import { textHash } from "#shared/contracts/content-hash.ts";
import { answerOf } from "#shared/contracts/submitted-answer.ts";
import type { SampleScore, ScoredSample, Suite, Summary } from "#shared/contracts/suite.ts";
import { BadInput, badLine } from "../bad-input.ts";
import { AnswerIndex } from "./answer-index.ts";
import type { OpenFile } from "./open-file.ts";
import { SampleReader, type UsableSample } from "./read-samples.ts";
import type { RowNotes } from "./row-notes.ts";

/** What to score, and where each answer's score goes. */
export interface ScoringTask {
  suite: Suite;
  options: unknown;
  dataset: OpenFile;
  answers: OpenFile;
  onScore(scored: ScoredAnswer): void;
}

/** One answer's score, in the dataset's order. */
export interface ScoredAnswer {
  id: string;
  /** From 0, below the run's repeats. */
  repeat: number;
  repeats: number;
  answer: Answer;
  score: SampleScore;
}

/** What a scoring came to. */
export interface ScoredFiles {
  samples: number;
  /** Times each sample was to be answered. */
  repeats: number;
  /** Answers that should be there and are not. */
  missing: number;
  malformed: RowNotes;
  warnings: RowNotes;
  /** Seeds the bootstrap: a hash of the samples and their answers, in the dataset's order. */
  runId: string;
  summary: Summary;
}

/**
 * Scores a file of answers as the service does. Samples are read one by one, each answer when its
 * sample's turn comes; what stays in memory is the suite's aggregate and some 60 bytes a sample.
 * Throws BadInput where the input needs a change.
 */
export function scoreFiles(task: ScoringTask): ScoredFiles {
  const { suite, options, dataset, answers } = task;
  const repeats = repeatsOf(suite, options);
  const index = new AnswerIndex(answers.fd, answers.name, repeats);
  const reader = new SampleReader(suite, index.ids);
  const tally = { samples: 0, missing: 0, state: suite.aggregate.empty() as unknown };
  const hashes = [createHash("sha256"), createHash("sha256")] as const;
  for (const sample of reader.read(dataset)) {
    hashes[0].update(sample.bytes);
    const rows = index.rowsOf(sample.number, sample.head.id);
    for (let repeat = 0; repeat < repeats; repeat++) {
      const given = rows.next().value ?? null;
      if (given === null) tally.missing++;
      else hashes[1].update(given.bytes);
      const answer = answerOf(given?.row ?? null);
      const score = suite.score(sample.sample, answer, options);
      task.onScore({ id: sample.head.id, repeat, repeats, answer, score });
      const seq = tally.samples * repeats + repeat;
      tally.state = suite.aggregate.add(tally.state, scoredSample(seq, sample, answer, score));
    }
    tally.samples++;
  }
  refuseStrangers(index, reader, answers.name);
  if (tally.samples === 0) throw nothingUsable(dataset.name, reader.malformed);
  const runId = textHash(hashes.map((hash) => hash.digest("hex")).join("\n"));
  const { samples, missing, state } = tally;
  const summary = suite.aggregate.finish(state, { runId, options, prices: null, wallMs: null });
  const { malformed, warnings } = reader;
  return { samples, repeats, missing, malformed, warnings, runId, summary };
}

/** How often the suite wants one sample answered. */
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
  const { output: _, refusal: __, toolCalls: ___, ...call } = answer;
  return { seq, id, tags, score, call };
}

/** An answer whose sample is not there was made for another dataset. */
function refuseStrangers(index: AnswerIndex, reader: SampleReader, file: string): void {
  let [first, count] = [-1, 0];
  for (let number = index.answered - 1; number >= 0; number--) {
    if (reader.has(number)) continue;
    first = number;
    count++;
  }
  if (first < 0) return;
  const { line, id } = index.whereIs(first);
  const more = count > 1 ? `, nor for ${count - 1} more` : "";
  throw badLine(file, line, `the dataset has no sample with the id ${JSON.stringify(id)}${more}`);
}

function nothingUsable(file: string, { kept: [first] }: RowNotes): BadInput {
  if (first === undefined) return new BadInput(`${file}: it holds no sample`);
  return badLine(file, first.line, `no sample can be used; this one: ${first.reason}`);
}
