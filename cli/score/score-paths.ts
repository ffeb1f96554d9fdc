import { closeSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import type { JsonObject } from "#shared/contracts/json.ts";
import { sampleLine } from "#shared/contracts/submissions/sample-line.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { BadInput } from "../errors.ts";
import { openSeekable, readJsonObject } from "../files/open-file.ts";
import { withOutput } from "../files/output-file.ts";
import { asLines, openDataset } from "./open-dataset.ts";
import { schemaProblem } from "./schema-problem.ts";
import { type ScoredFiles, type ScoringTask, scoreFiles } from "./score-files.ts";

/** What to score, by path. */
export interface ScoringPaths {
  suite: Suite;
  options: unknown;
  dataset: string;
  /** `-` for `stdin`. */
  answers: string;
  stdin: Readable;
  stdout: Writable;
  prices: ScoringTask["prices"];
  /** Destination of a line per sample, `-` for `stdout`; null for none. */
  samples: string | null;
  /** With the judgement of each field in these lines. */
  fields: boolean;
}

/** Scores files; the file of sample lines appears only when it is complete. Throws BadInput. */
export async function scorePaths(paths: ScoringPaths): Promise<ScoredFiles> {
  const { suite, options, prices, fields } = paths;
  const dataset = openDataset(paths.dataset);
  const answers = asLines(await openSeekable(paths.answers, paths.stdin));
  const place = { out: paths.samples, stdout: paths.stdout };
  try {
    return await withOutput(place, [paths.dataset, paths.answers], (lines) =>
      scoreFiles({
        suite,
        options,
        dataset,
        answers,
        prices,
        onScore: ({ answer, ...scored }) => {
          const errorClass = answer.error?.class ?? null;
          const { cluster = null } = scored.tags;
          lines?.add(sampleLine({ ...scored, cluster, call: answer, errorClass }, { fields }));
        },
      }),
    );
  } finally {
    closeSync(dataset.fd);
    closeSync(answers.fd);
  }
}

/** The suite's options from a file of JSON and from flags; without these, the defaults. Throws BadInput. */
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
