import { z } from "zod";
import { rowNoteSchema } from "#shared/contracts/datasets/dataset.ts";
import { estimateSchema, metricSchema } from "#shared/contracts/metric.ts";
import { pricesSchema } from "#shared/contracts/submissions/prices.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import type { RowNotes } from "../files/row-notes.ts";
import { type LimitOutcome, limitJson, limitSchema } from "../run/limit.ts";
import type { ScoredFiles } from "./score-files.ts";

const notes = z
  .array(rowNoteSchema)
  .meta({ description: "the first of a long list; the count includes all" });

/** Notes on the rows of a dataset. */
export const datasetNotesShape = {
  samples: z.int().meta({ description: "usable ones" }),
  malformed: notes,
  malformedCount: z.int(),
  warnings: notes,
  warningsCount: z.int(),
};

/** Output of `assay score --json`. */
export const summarySchema = z.object({
  suite: z.string(),
  suiteVersion: z.string(),
  dataset: z.object(datasetNotesShape),
  answers: z.object({
    wanted: z.int().meta({ description: "samples × repeats" }),
    missing: z.int(),
    unscored: z.int(),
    warnings: notes,
    warningsCount: z.int(),
  }),
  options: z.unknown().meta({ description: "scoring options of the suite" }),
  prices: pricesSchema.nullable(),
  seed: z.string().meta({ description: "of the intervals: a hash of samples and answers" }),
  headline: z.string().meta({ description: "id of the ranking metric" }),
  catalogue: z.record(z.string(), metricSchema.pick({ label: true, unit: true, better: true })),
  metrics: z.record(z.string(), estimateSchema),
  limits: z.array(limitSchema).meta({ description: "limits of --fail-under" }),
  breakdown: z.unknown().meta({ description: "the suite's tables of counts and ratios" }),
});

/** The summary for programs: every aggregate, in the format of the API's run. */
export function summaryJson(
  suite: Suite,
  scored: ScoredFiles,
  outcomes: readonly LimitOutcome[],
): z.infer<typeof summarySchema> {
  const {
    options,
    samples,
    repeats,
    missing,
    unscored,
    malformed,
    warnings,
    answerWarnings,
    runId,
    prices,
    summary,
  } = scored;
  return {
    suite: suite.id,
    suiteVersion: suite.version,
    dataset: { samples, ...notesJson("malformed", malformed), ...notesJson("warnings", warnings) },
    answers: {
      wanted: samples * repeats,
      missing,
      unscored,
      ...notesJson("warnings", answerWarnings),
    },
    options: suite.scoringOptions(options),
    prices,
    seed: runId,
    headline: suite.headline,
    catalogue: catalogue(suite),
    metrics: summary.metrics,
    limits: outcomes.map(limitJson),
    breakdown: summary.breakdown,
  };
}

/** Only the first notes of a long list are stored; the count includes all. */
export const notesJson = <Name extends string>(name: Name, { kept, count }: RowNotes) =>
  ({ [name]: kept, [`${name}Count`]: count }) as Record<Name, RowNotes["kept"]> &
    Record<`${Name}Count`, number>;

/** Label and unit of each metric; `ratio` is 0–1, `level` 1–5. */
function catalogue({ metrics }: Suite): z.infer<typeof summarySchema>["catalogue"] {
  return Object.fromEntries(
    metrics.map(({ id, label, unit, better }) => [id, { label, unit, better }]),
  );
}
