import type { DatabaseSync } from "node:sqlite";
import type { Snapshot } from "../../shared/contracts/boards/snapshot.ts";
import type { Suite } from "../../shared/contracts/suite.ts";
import { suiteById } from "../../shared/suites/registry.ts";
import type { LogEntry } from "../../simulator/request-log.ts";
import { checkAggregate, checkTimeline } from "./checks/aggregate.ts";
import { checkJudgments, type JudgmentCheck } from "./checks/judgments.ts";
import { checkPublished } from "./checks/published.ts";
import { checkRequests, type RequestCheck } from "./checks/requests.ts";
import { checkRows, checkWhole } from "./checks/rows.ts";
import { checkUsers, usedSamples } from "./checks/users.ts";
import { allRuns, evidenceOf, openDatabase, type RunEvidence, type RunRow } from "./evidence.ts";
import { type FaultRow, tableOf } from "./fault-table.ts";
import { checkFigures, type Figures, figuresOf } from "./figures.ts";
import { judgeModels } from "./kill-scene.ts";
import { type Stage, type StagedRun, suiteOf } from "./stage.ts";

/** Result of the proof. */
export interface Verdict {
  rows: FaultRow[];
  figures: Figures;
  problems: string[];
}

/** What remains after the service has stopped, in addition to the database. */
export interface Remains {
  /** Objects of the runs, by key. */
  objects: ReadonlyMap<string, string>;
  /** The last published snapshot. */
  snapshot: Snapshot;
  /** The simulator's log of requests. */
  log: readonly LogEntry[];
}

type ByName = ReadonlyMap<string, RunEvidence>;

/** Checks the data that the scenes left behind. */
export async function judge(stage: Stage, remains: Remains): Promise<Verdict> {
  const database = openDatabase(stage.service.state);
  const runs = allRuns(database);
  const evidence = gather(stage, database, runs, remains);
  const stored = [...(evidence.get("calm")?.stored.values() ?? [])];
  const clean = new Map(stored.map((sample) => [sample.id, sample]));
  const requests = new Map<string, RequestCheck>();
  for (const [name, one] of evidence) {
    // A run that must fail gives up its samples, whether they were requested or not.
    const { end, dataset } = stage.runs.get(name)!;
    if (one.run.parent_id !== null || end === "failed" || dataset === "judged") continue;
    requests.set(name, checkRequests(one, clean));
  }
  const judged = judgmentsOf(stage, evidence.get("judged"), remains.log);
  const figures = figuresOf(stage, requests, judged);
  const problems = [
    ...stage.problems,
    ...checkEnds(stage, runs, evidence),
    ...[...stage.runs].flatMap(([name, run]) => checkRun(stage, run, evidence.get(name))),
    ...[...requests.values()].flatMap((check) => check.problems),
    ...judged.problems,
    ...checkUsers(stage, evidence, usedSamples(database, stage.user.id)),
    ...(await checkPublished(database, remains.objects, remains.snapshot)),
    ...checkFigures(figures),
  ];
  database.close();
  const isIntact = problems.length === 0;
  return { rows: tableOf(stage, requests, isIntact), figures, problems };
}

function gather(
  stage: Stage,
  database: DatabaseSync,
  runs: readonly RunRow[],
  { objects, log }: Remains,
): ByName {
  const byModel = Map.groupBy(log, ({ model }) => model);
  const evidence = new Map<string, RunEvidence>();
  for (const [name, { id, model }] of stage.runs) {
    const run = runs.find((one) => one.id === id);
    const named = run && { ...run, model_slug: name };
    if (named) evidence.set(name, evidenceOf(database, named, objects, byModel.get(model) ?? []));
  }
  return evidence;
}

/** Checks that no submission made two runs, and that the run without a dataset failed with a reason. */
function checkEnds(stage: Stage, runs: readonly RunRow[], evidence: ByName): string[] {
  const problems: string[] = [];
  if (runs.length !== stage.runs.size || runs.length !== evidence.size) {
    problems.push(`${runs.length} runs, though ${stage.runs.size} were submitted`);
  }
  const doomed = evidence.get("doomed")?.run;
  if (doomed?.status !== "failed" || doomed.status_reason === null) {
    problems.push(`the run without a dataset is ${doomed?.status}, not failed with a reason`);
  }
  return problems;
}

function checkRun(stage: Stage, staged: StagedRun, one: RunEvidence | undefined): string[] {
  if (!one || staged.end === "failed") return [];
  const rows = stage.datasets[staged.dataset];
  const isWhole = one.run.total === rows.length;
  const ids = isWhole ? rows.map(({ id }) => `${id}`) : one.rows.map((row) => row.sample_id);
  const problems = checkRows(one, staged.end, ids);
  if (staged.end === "cancelled") return problems;
  problems.push(...checkWhole(one, ids), ...checkTimeline(one));
  if (problems.length > 0 || !isWhole) return problems;
  return checkAggregate(one, suiteById(suiteOf(staged.dataset)) as Suite, rows);
}

const judges = suiteById("memory")?.judging?.judges.length ?? 0;

const judgmentsOf = (
  { killedAt }: Stage,
  one: RunEvidence | undefined,
  log: readonly LogEntry[],
): JudgmentCheck =>
  one === undefined
    ? { problems: ["no run was judged"], requests: 0, duplicates: 0, kills: 0 }
    : checkJudgments(
        one,
        log.filter(({ model }) => judgeModels.has(model)),
        judges,
        killedAt,
      );
