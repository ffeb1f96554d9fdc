import { closeSync } from "node:fs";
import type { Readable } from "node:stream";
import type { Json } from "#shared/contracts/json.ts";
import type { RunScores } from "#shared/contracts/run-scores.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { collectScores, noScores, runScores } from "#shared/measures/comparison/collect-scores.ts";
import { openSeekable } from "../score/open-file.ts";
import { type ScoredFiles, type ScoringTask, scoreFiles } from "../score/score-files.ts";
import { openDataset } from "./open-dataset.ts";

/** A file of answers to score, and against what. */
export interface RunTask {
  suite: Suite;
  options: unknown;
  dataset: string;
  /** `-` for `stdin`. */
  answers: string;
  stdin: Readable;
  prices: ScoringTask["prices"];
  onSample?(row: Json, bytes: Buffer): void;
}

/**
 * Scores a file of answers as `assay score` does, and its samples one by one as comparisons take them:
 * those that the file has a row for. Throws BadInput.
 */
export async function scoreRun(task: RunTask): Promise<{ scored: ScoredFiles; scores: RunScores }> {
  const { suite } = task;
  const dataset = openDataset(task.dataset);
  const answers = await openSeekable(task.answers, task.stdin);
  const collected = noScores();
  let scoredAnswers = 0;
  try {
    const scored = await scoreFiles({
      ...task,
      dataset,
      answers,
      onScore({ given, score, answer: call, ...sample }) {
        const seq = scoredAnswers++;
        if (given) collectScores(collected, { ...sample, seq, call }, suite.sampleValues(score));
      },
    });
    return { scored, scores: runScores(collected) };
  } finally {
    closeSync(dataset.fd);
    closeSync(answers.fd);
  }
}
