import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { estimateSchema } from "#shared/contracts/metric.ts";
import { type Run, runSchema } from "#shared/contracts/run.ts";
import { type RunReport, runReportSchema } from "#shared/contracts/run-report.ts";
import { pricesSchema } from "#shared/contracts/submissions/prices.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { runReport } from "#shared/measures/report/run/run-report.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { modelOf } from "../compare/compare-paths.ts";
import { BadInput } from "../errors.ts";
import { fileProblem } from "../files/open-file.ts";
import { sampledReport } from "./sampled-report.ts";

const usual =
  "assay score --json and --samples, assay run --output and assay export write such files";

type ScoreSummary = z.infer<typeof summarySchema>;

/** A file of results, by content; `modifiedAt` is ISO 8601. */
type ResultFile = { path: string; modifiedAt: string } & (
  | { kind: "report"; report: RunReport }
  | { kind: "run"; run: Run }
  | { kind: "summary"; summary: ScoreSummary }
);

const kinds = ["report", "run", "summary"] as const satisfies ResultFile["kind"][];

/** The part of the output of `assay score --json` that a report needs. */
const summarySchema = z.object({
  suite: z.string(),
  suiteVersion: z.string(),
  dataset: z.object({ samples: z.int() }),
  answers: z.object({ wanted: z.int() }),
  options: z.record(z.string(), z.unknown()),
  prices: pricesSchema.nullable(),
  seed: z.string(),
  headline: z.string(),
  metrics: z.record(z.string(), estimateSchema),
  breakdown: z.unknown(),
});

/** Maximum size of a run's summary. */
const MAX_BYTES = 256 << 20;

/**
 * The report of a folder of results: from a report of the service, otherwise from a run, otherwise from an offline
 * scoring, with the samples in the folder if it has none. A folder of folders, as written by `assay run --output`, must
 * have one run. Throws BadInput without results, or with results of several runs.
 */
export function resultsReport(folder: string): RunReport {
  const all = filesIn(folder);
  const file = bestOf(resultsIn(all), folder);
  if (file.kind === "report") return file.report;
  const run = file.kind === "run" ? file.run : scoredRun(file);
  const suite = suiteOf(run, file.path);
  const lines = linesIn(all);
  const sampled = lines.map((path) => sampledReport(path, suite)).find((one) => one !== null);
  const report = runReport(suite, { ...run, points: run.points ?? sampled?.points ?? null }, []);
  return { ...report, samples: sampled?.samples ?? [] };
}

/** The run of a folder of results, and its files of rows; `isScoredHere`: by assay score. */
export interface ResultsRun {
  run: Run;
  suite: Suite;
  isScoredHere: boolean;
  /** Paths that end in .jsonl, which may contain the samples. */
  rows: string[];
}

/** The run in a folder of results. Throws BadInput without a run, or with several. */
export function resultsRun(folder: string): ResultsRun {
  const all = filesIn(folder);
  const runs = resultsIn(all).filter((file) => file.kind !== "report");
  const file = bestOf(runs, folder);
  if (file.kind === "report") throw new Error("a report is not a run");
  const run = file.kind === "run" ? file.run : scoredRun(file);
  const suite = suiteOf(run, file.path);
  return { run, suite, isScoredHere: file.kind === "summary", rows: linesIn(all) };
}

const resultsIn = (paths: readonly string[]): ResultFile[] =>
  paths.filter((path) => path.endsWith(".json")).flatMap((path) => resultFile(path) ?? []);

const linesIn = (paths: readonly string[]): string[] =>
  paths.filter((path) => path.endsWith(".jsonl"));

function suiteOf({ suite: id }: Run, path: string): Suite {
  const suite = suiteById(id);
  if (suite === undefined) throw new BadInput(`${path}: unknown suite "${id}"`);
  return suite;
}

/** Files of a folder and its direct subfolders, sorted by name. */
function filesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).toSorted();
    return names.flatMap((name) => {
      const path = join(folder, name);
      if (!statSync(path).isDirectory()) return [path];
      return readdirSync(path)
        .toSorted()
        .map((inner) => join(path, inner))
        .filter((inner) => statSync(inner).isFile());
    });
  } catch (error) {
    throw fileProblem(folder, error);
  }
}

/**
 * The results in a JSON file: a report, a run with or without its aggregates, or the summary of an offline
 * scoring. Null for other content. Throws BadInput if it can't be read.
 */
function resultFile(path: string): ResultFile | null {
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

function bestOf(found: readonly ResultFile[], folder: string): ResultFile {
  const kind = kinds.find((one) => found.some((file) => file.kind === one));
  const files = found.filter((file) => file.kind === kind);
  const [first] = files;
  if (first === undefined) throw new BadInput(`${folder}: no results found; ${usual}`);
  if (new Set(files.map(runIn)).size > 1) {
    const paths = files.map(({ path }) => path).join(", ");
    throw new BadInput(
      `${folder}: contains results of ${files.length} runs (${paths}); give one of their folders`,
    );
  }
  return first;
}

function runIn(file: ResultFile): string {
  if (file.kind === "report") return file.report.run.id;
  return file.kind === "run" ? file.run.id : file.summary.seed;
}

/** Converts an offline scoring to a run that no service has. */
function scoredRun({ summary, path, modifiedAt }: Extract<ResultFile, { kind: "summary" }>): Run {
  const { answers, dataset, options, seed, ...scored } = summary;
  const given = Object.entries(options).filter(([, value]) => value !== null);
  const failed = Math.round((1 - (scored.metrics["successRate"]?.value ?? 1)) * answers.wanted);
  return {
    id: seed,
    submission: seed,
    parent: null,
    variant: null,
    hybrid: null,
    suite: scored.suite,
    suiteVersion: scored.suiteVersion,
    headline: scored.headline,
    scoringVersion: scored.suiteVersion,
    promptHash: null,
    codeRevision: null,
    dataset: { name: "local", version: "", samples: dataset.samples },
    model: { ...modelOf(nameOf(path)), slug: "local" },
    provenance: { kind: "self-reported", endpointHost: null },
    status: "finished",
    statusReason: null,
    visibility: "unlisted",
    hiddenReason: null,
    phase: "answering",
    judging: null,
    notes: [],
    prices: scored.prices,
    cost: null,
    progress: { total: answers.wanted, done: answers.wanted, failed },
    options: Object.fromEntries(given),
    concurrency: { wanted: 1, now: 1 },
    metrics: scored.metrics,
    breakdown: scored.breakdown,
    points: null,
    timeline: null,
    answersRemovedAt: null,
    createdAt: modifiedAt,
    startedAt: null,
    finishedAt: modifiedAt,
    estimatedFinishAt: null,
    waitingUntil: null,
    links: { self: "/", samples: "/", report: null, badge: "/", statement: null },
  };
}

/** Name of an offline scoring: its file name without the extension. */
const nameOf = (path: string): string => basename(path).replace(/\.json$/, "");
