import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { NewRun, NewSubmission, RunStore } from "../pipeline/ports.ts";
import { commitSamples } from "./commit-samples.ts";
import { takeLease } from "./lease.ts";
import { runReads } from "./run-reads.ts";
import { runStatus } from "./run-status.ts";
import { sampleReads } from "./sample-reads.ts";
import { runs, submissions } from "./schema.ts";
import { stalledWork } from "./stalled-work.ts";

/** D1 takes 100 parameters a statement, and a run has some thirty columns. */
const RUNS_PER_INSERT = 2;

/** Runs, their leases and their sample rows in D1. */
export function runStore(d1: D1Database): RunStore {
  const db = drizzle(d1);
  const reads = runReads(d1);
  return {
    ...reads,
    ...sampleReads(d1),
    ...runStatus(d1),
    insert: (submission, newRuns) => insertSubmission(d1, submission, newRuns),
    takeLease: (runId, lane, now, expiresAt) => takeLease(d1, { runId, lane, now, expiresAt }),
    commit: (commit) => commitSamples(d1, commit),
    stalled: (now) => stalledWork(d1, now),

    async remember(runId, { refusedModes, refusedParameters, notes }) {
      if (notes.length === 0) return;
      const run = await reads.get(runId);
      if (run === null) return;
      const refused = {
        modes: union(run.refused.modes, refusedModes),
        parameters: union(run.refused.parameters, refusedParameters),
      };
      await db
        .update(runs)
        .set({ refused, notes: union(run.notes, notes) })
        .where(eq(runs.id, runId));
    },

    async recount(runId) {
      await db
        .update(runs)
        .set({
          done: sql`(SELECT count(*) FROM samples WHERE run_id = ${runId})`,
          failed: sql`(SELECT count(*) FROM samples WHERE run_id = ${runId} AND covered = 0)`,
        })
        .where(eq(runs.id, runId));
    },
  };
}

async function insertSubmission(d1: D1Database, submission: NewSubmission, newRuns: NewRun[]) {
  const db = drizzle(d1);
  const groups = [];
  for (let i = 0; i < newRuns.length; i += RUNS_PER_INSERT) {
    groups.push(db.insert(runs).values(newRuns.slice(i, i + RUNS_PER_INSERT)));
  }
  await db.batch([db.insert(submissions).values(submission), ...groups]);
}

const union = (a: Iterable<string>, b: Iterable<string>) => [...new Set([...a, ...b])].sort();
