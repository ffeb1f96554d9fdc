import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Run } from "#shared/contracts/run.ts";
import { runReportSchema } from "#shared/contracts/run-report.ts";
import type { RunConfig } from "#shared/contracts/submissions/run-config.ts";
import { BadInput } from "../errors.ts";
import { fileProblem } from "../files/open-file.ts";
import { openOutput, saveStream, writeWhole } from "../files/output-file.ts";
import type { Gate } from "../gate/gate.ts";
import { gateSuite } from "../gate/gate-outputs.ts";
import { type JunitSuite, junitXml } from "../gate/junit.ts";
import { failureLines, modelName } from "../remote/runs-text.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { type DrawReport, loadReportPage } from "../report/load-page.ts";
import { printable } from "../terminal/text.ts";
import { type CheckedRun, failureOf, thinness } from "./checked-run.ts";
import { limitText, outcomeText } from "./limit.ts";

/** Formats of a run's report: HTML page, Markdown, or JSON. */
type ReportFormat = "html" | "md" | "json";

const formats: Readonly<Record<string, ReportFormat>> = {
  html: "html",
  htm: "html",
  markdown: "md",
  md: "md",
  json: "json",
};

/** Default format of a report. */
const usualFormat = "html";

/** Selection and destination of a run's outputs. */
export type RunOutputs = NonNullable<RunConfig["output"]>;

/** Opens the outputs that are written at the end. Throws BadInput if that is not possible. */
export async function runOutputs(output: RunOutputs) {
  const { results_dir: folder, junit } = output;
  if (folder !== undefined) prepareFolder(folder);
  const saved = savedOf(output);
  // Checks that pages can be rendered before any request.
  const draw = folder !== undefined && saved.report === "html" ? await loadReportPage() : null;
  let file = junit === undefined ? null : openOutput(junit, []);
  return {
    /** Writes the outputs; returns a line per report. `isLasting`: whether reports can link to the service. */
    async complete(
      service: ServiceClient,
      checked: readonly CheckedRun[],
      gates: readonly Gate[],
      isLasting: boolean,
    ): Promise<string[]> {
      file?.add(junitText(checked, gates));
      file?.complete();
      file = null;
      if (folder === undefined) return [];
      const runs = checked.map(({ run }) => run);
      return saveRuns(service, runs, folder, { ...saved, draw, isLasting });
    },
    /** Does nothing after everything was written. */
    abandon: () => file?.abandon(),
  };
}

/** Creates the folder, before any run. Throws BadInput if that is not possible. */
export function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const isFile = (error as NodeJS.ErrnoException).code === "EEXIST";
    throw isFile
      ? new BadInput(`${folder}: it is a file, not a folder`)
      : fileProblem(folder, error);
  }
}

function savedOf(output: RunOutputs) {
  const { save_per_sample: samples = true, save_predictions: answers = false } = output;
  const { generate_report: isAsked = false, report_format: format = usualFormat } = output;
  return { samples, answers, report: isAsked ? reportFormat(format) : null };
}

/** A format by its name in a config, in any case; null if unknown. */
export const reportFormat = (name: string): ReportFormat | null => {
  const known = name.toLowerCase();
  return Object.hasOwn(formats, known) ? formats[known]! : null;
};

/**
 * Runs as JUnit XML: a suite for each run, with a case for its completion and a case for each limit. A limit of a run
 * that did not finish or has no answer is skipped, because its value is unknown. Then a suite for each gate.
 */
const junitText = (checked: readonly CheckedRun[], gates: readonly Gate[]): string =>
  junitXml([...checked.map(runSuite), ...gates.map(gateSuite)]);

function runSuite(checked: CheckedRun): JunitSuite {
  const { run, outcomes } = checked;
  const name = printable(`${modelName(run)} · ${run.suite} · ${run.dataset.name}`);
  const caseOf = (title: string) => ({
    className: `assay.${run.suite}`,
    name: `${name}: ${title}`,
  });
  const broken = failureOf(run);
  const thin = thinness(checked);
  const type = run.status === "finished" ? "unanswered" : run.status;
  const whole = {
    ...caseOf("finished"),
    ...(broken !== null && {
      error: { message: printable(`${run.id} ${broken}${reasonOf(run)}`), type },
    }),
    ...(thin !== null && {
      failure: { message: printable(`${run.id}${thin}`), type: "coverage" },
    }),
  };
  const limits = outcomes.map((outcome) => {
    const one = caseOf(limitText(outcome.limit));
    if (broken !== null) return { ...one, isSkipped: true };
    const text = outcomeText(outcome);
    return outcome.isMet
      ? { ...one, output: text }
      : { ...one, failure: { message: text, type: "limit" } };
  });
  return {
    name,
    ...(run.startedAt !== null && { timestamp: run.startedAt }),
    cases: [whole, ...limits],
  };
}

function reasonOf(run: Run): string {
  const reason = run.statusReason ?? failureLines(run)[0]?.slice(`${run.id}: `.length);
  return reason === undefined ? "" : `: ${reason}`;
}

/** Files written next to run.json of each finished run. */
interface Saved {
  samples: boolean;
  answers: boolean;
  report: ReportFormat | null;
  /** Renders the report's page; null if not requested. */
  draw: DrawReport | null;
  /** Whether the page can link to the service. */
  isLasting: boolean;
}

/**
 * Writes each run into a folder named by its id; a file appears only when it is complete. Returns the paths of reports.
 */
async function saveRuns(
  service: ServiceClient,
  runs: readonly Run[],
  folder: string,
  saved: Saved,
): Promise<string[]> {
  const reports: string[] = [];
  for (const run of runs) {
    const own = join(folder, run.id.replaceAll(/[^\w-]/g, "_"));
    prepareFolder(own);
    try {
      writeWhole(join(own, "run.json"), `${JSON.stringify(run, null, 2)}\n`);
      if (run.status !== "finished") continue;
      await saveFinished(service, run.id, own, saved);
      if (saved.report === null) continue;
      reports.push(`report of ${modelName(run)}: ${join(own, `report.${saved.report}`)}`);
    } catch (error) {
      throw fileProblem(own, error);
    }
  }
  return reports;
}

async function saveFinished(
  service: ServiceClient,
  id: string,
  folder: string,
  { samples, answers, report, draw, isLasting }: Saved,
): Promise<void> {
  const base = `/v1/runs/${encodeURIComponent(id)}`;
  if (samples) await save(service, `${base}/samples.jsonl`, join(folder, "samples.jsonl"));
  if (answers) await save(service, `${base}/answers.jsonl`, join(folder, "answers.jsonl"));
  if (report === "json") await save(service, `${base}/report`, join(folder, "report.json"));
  if (report === "md") await save(service, `${base}/report.md`, join(folder, "report.md"));
  if (draw === null) return;
  const value = await service.get(`${base}/report`, runReportSchema);
  writeWhole(join(folder, "report.html"), draw(value, isLasting ? service.origin : null));
}

async function save(service: ServiceClient, path: string, file: string): Promise<void> {
  const body = await service.download(path);
  await saveStream(Readable.fromWeb(body as never), file);
}
