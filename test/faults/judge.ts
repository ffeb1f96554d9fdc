import type { Suite } from "../../shared/contracts/suite.ts";
import { suiteById } from "../../shared/suites/registry.ts";
import type { LogEntry } from "../simulator/request-log.ts";
import { checkAggregate } from "./checks/aggregate.ts";
import { checkRequests, type RequestCheck } from "./checks/requests.ts";
import { checkRows } from "./checks/rows.ts";
import { allRuns, evidenceOf, openDatabase, type RunEvidence, type RunRow } from "./evidence.ts";
import { type FaultRow, tableOf } from "./fault-table.ts";
import { checkFigures, type Figures, figuresOf } from "./figures.ts";
import type { Stage } from "./scenes.ts";

/** What the proof comes to. */
export interface Verdict {
  rows: FaultRow[];
  figures: Figures;
  problems: string[];
}

/** Judges all that the scenes left behind. */
export function judge(
  stage: Stage,
  objects: ReadonlyMap<string, string>,
  log: readonly LogEntry[],
): Verdict {
  const { runs, evidence } = gather(stage, objects, log);
  const stored = [...(evidence.get("calm")?.stored.values() ?? [])];
  const clean = new Map(stored.map((sample) => [sample.id, sample]));
  const requests = new Map<string, RequestCheck>();
  for (const [slug, one] of evidence) requests.set(slug, checkRequests(one, clean));
  const figures = figuresOf(stage, requests);
  const problems = [
    ...stage.problems,
    ...checkEnds(runs, evidence),
    ...[...evidence.keys()].flatMap((slug) => checkRun(stage, slug, evidence)),
    ...[...requests.values()].flatMap((check) => check.problems),
    ...checkFigures(figures),
  ];
  const isIntact = problems.length === 0;
  return { rows: tableOf(stage, [...requests.values()], isIntact), figures, problems };
}

function gather(stage: Stage, objects: ReadonlyMap<string, string>, log: readonly LogEntry[]) {
  const database = openDatabase(stage.service.state);
  const runs = allRuns(database);
  const byModel = Map.groupBy(log, ({ model }) => model);
  const evidence = new Map<string, RunEvidence>();
  for (const [slug, { id, model }] of stage.runs) {
    const run = runs.find((one) => one.id === id);
    if (run) evidence.set(slug, evidenceOf(database, run, objects, byModel.get(model) ?? []));
  }
  database.close();
  return { runs, evidence };
}

/** No run is open, none came of a submission twice, and only the one without a dataset failed. */
function checkEnds(runs: readonly RunRow[], evidence: ReadonlyMap<string, RunEvidence>): string[] {
  const problems = runs
    .filter(({ status, model_slug }) => status !== "finished" && model_slug !== "faults/doomed")
    .map(({ model_slug, status }) => `${model_slug} is left ${status}`);
  if (runs.length !== evidence.size) {
    problems.push(`${runs.length} runs, though ${evidence.size} were submitted`);
  }
  const doomed = evidence.get("doomed")?.run;
  if (doomed && (doomed.status !== "failed" || doomed.status_reason === null)) {
    problems.push(`the run without a dataset is ${doomed.status}, not failed with a reason`);
  }
  return problems;
}

function checkRun(
  { size }: Stage,
  slug: string,
  evidence: ReadonlyMap<string, RunEvidence>,
): string[] {
  const one = evidence.get(slug);
  if (!one || slug === "doomed") return [];
  const isWhole = one.run.total === size.rows.length;
  const ids = isWhole ? size.rows.map(({ id }) => `${id}`) : one.rows.map((row) => row.sample_id);
  const problems = checkRows(one, ids);
  if (problems.length > 0 || !isWhole) return problems;
  return checkAggregate(one, suiteById("extraction") as Suite, size.rows);
}
