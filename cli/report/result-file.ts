import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import { estimateSchema } from "#shared/contracts/metric.ts";
import { pricesSchema } from "#shared/contracts/prices.ts";
import { type Run, runSchema } from "#shared/contracts/run.ts";
import { type RunReport, runReportSchema } from "#shared/contracts/run-report.ts";
import { fileProblem } from "../score/open-file.ts";

/** What `assay score --json` prints, as far as a report needs it. */
const summarySchema = z.object({
  suite: z.string(),
  suiteVersion: z.string(),
  dataset: z.object({ samples: z.int() }),
  answers: z.object({ wanted: z.int(), missing: z.int() }),
  options: z.record(z.string(), z.unknown()),
  prices: pricesSchema.nullable(),
  seed: z.string(),
  headline: z.string(),
  metrics: z.record(z.string(), estimateSchema),
  breakdown: z.unknown(),
});
type ScoreSummary = z.infer<typeof summarySchema>;

/** A file of results, by what it holds; `modifiedAt` is ISO 8601. */
export type ResultFile = { path: string; modifiedAt: string } & (
  | { kind: "report"; report: RunReport }
  | { kind: "run"; run: Run }
  | { kind: "summary"; summary: ScoreSummary }
);

/** A larger file is no summary of a run. */
const MAX_BYTES = 256 << 20;

/**
 * A JSON file as the results that it holds: a report, a run, alone or with its aggregates, or the summary of an
 * offline scoring. Null where it is none of them. Throws BadInput where it can't be read.
 */
export function resultFile(path: string): ResultFile | null {
  try {
    const { size, mtime } = statSync(path);
    if (size > MAX_BYTES) return null;
    const document: unknown = JSON.parse(readFileSync(path, "utf8"));
    const found = heldBy(document);
    return found && { path, modifiedAt: mtime.toISOString(), ...found };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw fileProblem(path, error);
  }
}

function heldBy(document: unknown) {
  const report = runReportSchema.safeParse(document);
  if (report.success) return { kind: "report" as const, report: report.data };
  const run = z.union([runSchema, z.object({ run: runSchema })]).safeParse(document);
  if (run.success) {
    return { kind: "run" as const, run: "run" in run.data ? run.data.run : run.data };
  }
  const summary = summarySchema.safeParse(document);
  return summary.success ? { kind: "summary" as const, summary: summary.data } : null;
}

/** What an offline scoring is called: its file without the ending. */
export const nameOf = (path: string): string => basename(path).replace(/\.json$/, "");
