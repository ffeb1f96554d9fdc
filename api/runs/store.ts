import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { countAttempt } from "../boards/attempt-store.ts";
import { beginJudging } from "../engine/begin-judging-store.ts";
import { commitSamples } from "../engine/commit-store.ts";
import { takeLease } from "../engine/lease-store.ts";
import { retryRun } from "../engine/phase-store.ts";
import { countersOfRows } from "../engine/run-counters.ts";
import { isLaneWaiting, overdueWaits, stalledWork } from "../engine/stalled-work.ts";
import { chargeQuota, isOverQuota, messages } from "../keys/quota-store.ts";
import type { Charge } from "../platform/limit-ports.ts";
import type { NewRun, NewSubmission } from "../platform/ports.ts";
import { runs, submissions } from "../platform/schema.ts";
import { precedents } from "./precedent-store.ts";
import { runReads } from "./read-store.ts";
import type { RunStore } from "./run-ports.ts";
import { sampleReads } from "./sample-store.ts";
import { runStatus } from "./status-store.ts";
import { runVisibility } from "./visibility-store.ts";

/** D1 takes 100 parameters a statement, and a run has some fifty columns. */
const RUNS_PER_INSERT = 1;

/** Runs, their leases and their sample rows in D1. */
export function runStore(d1: D1Database): RunStore {
  return {
    ...runReads(d1),
    ...sampleReads(d1),
    ...runStatus(d1),
    ...runVisibility(d1),
    ...precedents(d1),
    insert: (submission, newRuns, charge) => insertSubmission(d1, submission, newRuns, charge),
    takeLease: (request) => takeLease(d1, request),
    commit: (commit) => commitSamples(d1, commit),
    retry: (retry) => retryRun(d1, retry),
    beginJudging: (beginning) => beginJudging(d1, beginning),
    overdueWaits: (now, mostMs, since) => overdueWaits(d1, now, mostMs, since),
    stalled: (before) => stalledWork(d1, before),
    isLaneWaiting: (phase, now) => isLaneWaiting(d1, phase, now),

    async remember(runId, { refusedModes, refusedParameters, notes }) {
      if (notes.length === 0) return;
      const lists = [refusedModes, refusedParameters, notes].map((list) =>
        JSON.stringify([...list]),
      );
      await d1
        .prepare(REMEMBER)
        .bind(runId, ...lists)
        .run();
    },

    recount: (runId) => recount(d1, runId),
  };
}

const union = (stored: string, given: string) => `(
  SELECT json_group_array(value) FROM (
    SELECT value FROM json_each(${stored}) UNION SELECT value FROM json_each(${given})))`;

/** In one statement, since lanes learn side by side. */
const REMEMBER = `
  UPDATE runs SET
    refused = json_object('modes', ${union("refused ->> 'modes'", "?2")},
      'parameters', ${union("refused ->> 'parameters'", "?3")}),
    notes = ${union("notes", "?4")}
  WHERE id = ?1`;

async function recount(d1: D1Database, runId: string): Promise<void> {
  await d1
    .prepare(`UPDATE runs SET ${countersOfRows("runs.phase")} WHERE id = ?1`)
    .bind(runId)
    .run();
}

/** A run may be hidden between the moment that it was read and the one that its copy is stored. */
const hideWithParent = (d1: D1Database, runId: string) =>
  drizzle(d1)
    .update(runs)
    .set({ hiddenReason: sql`(SELECT hidden_reason FROM runs p WHERE p.id = runs.parent_id)` })
    .where(eq(runs.id, runId));

/** The submission's row comes first: where its id is taken, nothing is charged again. */
async function insertSubmission(
  d1: D1Database,
  submission: NewSubmission,
  newRuns: NewRun[],
  charge: Charge | null,
): ReturnType<RunStore["insert"]> {
  const db = drizzle(d1);
  const groups = [];
  for (let i = 0; i < newRuns.length; i += RUNS_PER_INSERT) {
    groups.push(db.insert(runs).values(newRuns.slice(i, i + RUNS_PER_INSERT)));
  }
  const copies = newRuns.filter(({ parentId }) => parentId != null);
  const hidings = copies.map(({ id }) => hideWithParent(d1, id));
  const charges = charge === null ? [] : [chargeQuota(d1, charge)];
  const counts = newRuns.flatMap((run) => countAttempt(d1, run) ?? []);
  try {
    const first = db.insert(submissions).values(submission);
    await db.batch([first, ...charges, ...groups, ...hidings, ...counts]);
    return "stored";
  } catch (error) {
    if (isOverQuota(error)) return "over-quota";
    if (messages(error).includes("UNIQUE constraint failed: submissions.id")) return "exists";
    throw error;
  }
}
