import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Run } from "#shared/contracts/run.ts";
import type { RunReport } from "#shared/contracts/run-report.ts";
import { runReport } from "#shared/measures/report/run/run-report.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { BadInput } from "../bad-input.ts";
import { fileProblem } from "../score/open-file.ts";
import { nameOf, type ResultFile, resultFile } from "./result-file.ts";
import { sampledReport } from "./sampled-report.ts";

const usual =
  "assay score --json and --samples, assay run --output and assay export write such files";

/**
 * The report of a folder of results: of a report as the service has it, else of a run, else of an offline scoring,
 * with the samples beside it where it has none of its own. A folder of folders, as `assay run --output` writes it,
 * must hold one run. Throws BadInput where there are no results, or those of several runs.
 */
export function resultsReport(folder: string): RunReport {
  const all = filesIn(folder);
  const found = all
    .filter((path) => path.endsWith(".json"))
    .flatMap((path) => resultFile(path) ?? []);
  const file = bestOf(found, folder);
  if (file.kind === "report") return file.report;
  const run = file.kind === "run" ? file.run : scoredRun(file);
  const suite = suiteById(run.suite);
  if (suite === undefined) {
    throw new BadInput(`${file.path}: this version knows no suite "${run.suite}"`);
  }
  const lines = all.filter((path) => path.endsWith(".jsonl"));
  const sampled = lines.map((path) => sampledReport(path, suite)).find((one) => one !== null);
  const report = runReport(suite, { ...run, points: run.points ?? sampled?.points ?? null }, []);
  return { ...report, samples: sampled?.samples ?? [] };
}

const kinds = ["report", "run", "summary"] as const satisfies ResultFile["kind"][];

function bestOf(found: readonly ResultFile[], folder: string): ResultFile {
  const kind = kinds.find((one) => found.some((file) => file.kind === one));
  const its = found.filter((file) => file.kind === kind);
  const [first] = its;
  if (first === undefined) throw new BadInput(`${folder}: it holds no results; ${usual}`);
  if (new Set(its.map(runIn)).size > 1) {
    const paths = its.map(({ path }) => path).join(", ");
    throw new BadInput(
      `${folder}: it holds results of ${its.length} runs (${paths}); give one of their folders`,
    );
  }
  return first;
}

function runIn(file: ResultFile): string {
  if (file.kind === "report") return file.report.run.id;
  return file.kind === "run" ? file.run.id : file.summary.seed;
}

/** Files of a folder and of the folders in it, by name. */
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

/** An offline scoring as a run: its answers were made elsewhere, and no service knows of it. */
function scoredRun({ summary, path, modifiedAt }: Extract<ResultFile, { kind: "summary" }>): Run {
  const { answers, dataset, options, seed, ...its } = summary;
  const given = Object.entries(options).filter(([, value]) => value !== null);
  return {
    id: seed,
    submission: seed,
    parent: null,
    variant: null,
    hybrid: null,
    suite: its.suite,
    suiteVersion: its.suiteVersion,
    headline: its.headline,
    scoringVersion: its.suiteVersion,
    promptHash: null,
    codeRevision: null,
    dataset: { name: "local", version: "", samples: dataset.samples },
    model: {
      slug: "local",
      name: nameOf(path),
      url: null,
      license: null,
      parameters: null,
      quantization: null,
      simulated: false,
    },
    provenance: { kind: "self-reported", endpointHost: null },
    status: "finished",
    statusReason: null,
    visibility: "unlisted",
    hiddenReason: null,
    phase: "answering",
    judging: null,
    notes: [],
    prices: its.prices,
    cost: null,
    progress: { total: answers.wanted, done: answers.wanted, failed: answers.missing },
    options: Object.fromEntries(given),
    concurrency: { wanted: 1, now: 1 },
    metrics: its.metrics,
    breakdown: its.breakdown,
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
