import { drizzle } from "drizzle-orm/d1";
import type { NewRun, NewSubmission, RunStore } from "../pipeline/ports.ts";
import { commitSamples } from "./commit-samples.ts";
import { takeLease } from "./lease.ts";
import { runReads } from "./run-reads.ts";
import { runStatus } from "./run-status.ts";
import { sampleReads } from "./sample-reads.ts";
import { runs, submissions } from "./schema.ts";
import { stalledWork } from "./stalled-work.ts";

/** D1 takes 100 parameters a statement, and a run has some fifty columns. */
const RUNS_PER_INSERT = 1;

/** Runs, their leases and their sample rows in D1. */
export function runStore(d1: D1Database): RunStore {
  return {
    ...runReads(d1),
    ...sampleReads(d1),
    ...runStatus(d1),
    insert: (submission, newRuns) => insertSubmission(d1, submission, newRuns),
    takeLease: (request) => takeLease(d1, request),
    commit: (commit) => commitSamples(d1, commit),
    stalled: (now) => stalledWork(d1, now),

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

const RECOUNT = `
  UPDATE runs SET (done, failed, input_tokens, output_tokens, unmetered) = (
    SELECT count(*), coalesce(sum(NOT covered), 0), coalesce(sum(input_tokens), 0),
      coalesce(sum(output_tokens), 0),
      coalesce(sum(covered AND (input_tokens IS NULL OR output_tokens IS NULL)), 0)
    FROM samples WHERE run_id = ?1)
  WHERE id = ?1`;

async function recount(d1: D1Database, runId: string): Promise<void> {
  await d1.prepare(RECOUNT).bind(runId).run();
}

async function insertSubmission(d1: D1Database, submission: NewSubmission, newRuns: NewRun[]) {
  const db = drizzle(d1);
  const groups = [];
  for (let i = 0; i < newRuns.length; i += RUNS_PER_INSERT) {
    groups.push(db.insert(runs).values(newRuns.slice(i, i + RUNS_PER_INSERT)));
  }
  await db.batch([db.insert(submissions).values(submission), ...groups]);
}
