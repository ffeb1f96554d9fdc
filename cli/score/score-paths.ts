import { closeSync, fstatSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import type { JsonObject } from "#shared/contracts/json.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { type Values, valueFlag } from "../command-line/command.ts";
import { BadInput } from "../errors.ts";
import { openSeekable, readJsonObject } from "../files/open-file.ts";
import { withOutput } from "../files/output-file.ts";
import { rubricOption } from "../files/yaml-file.ts";
import { asLines, openDataset } from "./open-dataset.ts";
import { schemaProblem } from "./schema-problem.ts";
import { type ScoredFiles, type ScoringTask, scoreFiles } from "./score-files.ts";
import { ScoringThreads, threadsFor } from "./scoring-threads.ts";

/** Files to score. */
export interface ScoringPaths {
  suite: Suite;
  options: unknown;
  dataset: string;
  /** `-` for `stdin`. */
  answers: string;
  stdin: Readable;
  stdout: Writable;
  prices: ScoringTask["prices"];
  /** Destination of a line per sample, `-` for `stdout`; or null. */
  samples: string | null;
  /** Whether these lines include the verdict on each field. */
  fields: boolean;
  /** Threads in addition to the main thread; default: by size of the files and number of cores. */
  threads?: number;
}

/** Scores files; the file of sample lines appears only when it is complete. Throws BadInput. */
export async function scorePaths(paths: ScoringPaths): Promise<ScoredFiles> {
  const { suite, options, prices, fields } = paths;
  const dataset = openDataset(paths.dataset);
  const answers = asLines(await openSeekable(paths.answers, paths.stdin));
  const place = { out: paths.samples, stdout: paths.stdout };
  const bytes = fstatSync(dataset.fd).size + fstatSync(answers.fd).size;
  const threads = new ScoringThreads(paths.threads ?? threadsFor(bytes));
  try {
    return await withOutput(place, [paths.dataset, paths.answers], (output) =>
      scoreFiles({
        suite,
        options,
        dataset,
        answers,
        prices,
        threads,
        lines: output === null ? null : { fields },
        onScore: ({ line }) => output?.add(line!),
      }),
    );
  } finally {
    await threads.close();
    closeSync(dataset.fd);
    closeSync(answers.fd);
  }
}

/** Flags that set options of a suite. */
export const optionFlags = {
  rubric: valueFlag("FILE", "For the suite rubric: the criteria, YAML or JSON"),
  repeats: valueFlag("N", "Number of answers to each sample, as the option repeats (default: 1)"),
  "pass-score": valueFlag(
    "SCORE",
    "Score from which an answer passes, 0 to 1, as the option passScore: adds pass rates in suites that have none",
  ),
} as const;

/** Options that have separate flags. Throws BadInput. */
export function ownOptions(values: Values<typeof optionFlags>): JsonObject {
  const { rubric, repeats, "pass-score": pass } = values;
  const count = /^\d{1,3}$/.test(repeats ?? "1") ? Number(repeats ?? 1) : 0;
  if (count < 1) throw new BadInput(`--repeats must be a whole number from 1, not "${repeats}"`);
  const passScore = pass?.trim() === "" ? Number.NaN : Number(pass ?? 0);
  if (!(passScore >= 0 && passScore <= 1)) {
    throw new BadInput(`--pass-score must be a score from 0 to 1, not "${pass}"`);
  }
  return {
    ...rubricOption(rubric),
    ...(repeats !== undefined && { repeats: count }),
    ...(pass !== undefined && { passScore }),
  };
}

/** The suite's options from a JSON file and flags, with defaults. Throws BadInput. */
export function readOptions(
  suite: Suite,
  path: string | undefined,
  flags: JsonObject = {},
): unknown {
  const given = { ...readJsonObject(path), ...flags };
  const parsed = suite.optionsSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const known = Object.keys(suite.optionsSchema.parse({}) as object);
  throw new BadInput(
    `${
      path ??
      Object.keys(flags)
        .map((name) => `--${name}`)
        .join(", ")
    }: ${schemaProblem(parsed.error.issues, given, known, "the options")}`,
  );
}
