import { closeSync } from "node:fs";
import type { Readable } from "node:stream";
import type { Suite } from "#shared/contracts/suite.ts";
import { openInput, openSeekable } from "./open-file.ts";
import { openOutput } from "./output-file.ts";
import { sampleLine } from "./sample-line.ts";
import { type ScoredFiles, scoreFiles } from "./score-files.ts";

/** What to score, by path. */
export interface ScoringPaths {
  suite: Suite;
  options: unknown;
  dataset: string;
  /** `-` for `stdin`. */
  answers: string;
  stdin: Readable;
  /** Where a line per sample goes; null for nowhere. */
  samples: string | null;
  /** With the judgement of each field in these lines. */
  fields: boolean;
}

/** Scores files; the lines of the samples are in place only when all went well. Throws BadInput. */
export async function scorePaths(paths: ScoringPaths): Promise<ScoredFiles> {
  const { suite, options, fields } = paths;
  const dataset = openInput(paths.dataset);
  const answers = await openSeekable(paths.answers, paths.stdin);
  const inputs = [paths.dataset, paths.answers];
  const output = paths.samples === null ? null : openOutput(paths.samples, inputs);
  try {
    const scored = scoreFiles({
      ...{ suite, options, dataset, answers },
      onScore: (one) => output?.add(sampleLine(one, { fields })),
    });
    output?.complete();
    return scored;
  } catch (error) {
    output?.abandon();
    throw error;
  } finally {
    closeSync(dataset.fd);
    closeSync(answers.fd);
  }
}
