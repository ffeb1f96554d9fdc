import { getTableColumns, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { asObject } from "#shared/contracts/json.ts";
import { countAttempts } from "../boards/attempt-store.ts";
import { countPlannedTests, plannedTests } from "../comparisons/planned-test-store.ts";
import { runCommits } from "../engine/commit-store.ts";
import { LANE_REQUESTS, runLeases } from "../engine/lease-store.ts";
import { runPhases } from "../engine/phase-store.ts";
import { runSeats } from "../engine/seat-store.ts";
import { type Charge, chargeQuota, isOverQuota, messages } from "../keys/quota-store.ts";
import { hideBanned } from "../operator/ban-store.ts";
import { chargeSpend, type SpendLimit } from "../operator/spend-store.ts";
import type { ObjectStore } from "../platform/object-store.ts";
import { prepared } from "../platform/sql.ts";
import type { EndpointMemory } from "../providers/endpoint-memory.ts";
import { sampleArchiving } from "./archive-store.ts";
import { precedents, runReads } from "./read-store.ts";
import { sampleReads } from "./sample-store.ts";
import { type NewRun, type NewSubmission, runs, submissions } from "./schema.ts";
import { runStatus } from "./status-store.ts";
import { runVisibility } from "./visibility-store.ts";

/** Objects of runs that are not stored yet. */
interface NotedObjects {
  keys: readonly string[];
  deleteAt: number;
}

export type RunStore = ReturnType<typeof runStore>;

/** Runs, their leases and their sample rows in D1. `laneRequests`: requests in flight of a lane. */
export function runStore(
  d1: D1Database,
  objects: Pick<ObjectStore, "getBytes">,
  laneRequests = LANE_REQUESTS,
) {
  return {
    ...runReads(d1),
    ...sampleReads(d1, objects),
    ...sampleArchiving(d1),
    ...runStatus(d1),
    ...runVisibility(d1),
    ...precedents(d1),
    ...runLeases(d1, laneRequests),
    ...runSeats(d1, laneRequests),
    ...runCommits(d1, laneRequests),
    ...runPhases(d1),
    ...plannedTests(d1),

    /**
     * Stores a submission with its runs and charges the quotas, all or nothing. `exists`: an earlier attempt of the
     * same request stored it. `isPart`: adds runs to an existing submission. `noted`: objects of the runs.
     */
    async insert(
      submission: NewSubmission,
      newRuns: NewRun[],
      charge: Charge | null,
      spend: SpendLimit | null = null,
      { isPart = false, noted = null }: { isPart?: boolean; noted?: NotedObjects | null } = {},
    ): Promise<"stored" | "exists" | "over-quota"> {
      const db = drizzle(d1);
      const charges = charge === null ? [] : [chargeQuota(d1, charge)];
      const { against } = asObject(newRuns[0]?.options["plannedTest"]);
      const tests = typeof against === "string" ? countPlannedTests(d1, submission, against) : [];
      try {
        // The submission's row comes first: if its id exists, nothing is charged again.
        const first = db.insert(submissions).values(submission);
        const kept = db.update(runs).set(RETAINED).where(retainedIn(submission.id));
        const ready = (query: Parameters<typeof prepared>[1]) => prepared(d1, query);
        await d1.batch([
          ready(isPart ? first.onConflictDoNothing() : first),
          ...charges.map(ready),
          ...insertRuns(d1, newRuns, isPart),
          ready(kept),
          ...hideWithParents(d1, newRuns),
          ready(countAttempts(d1, submission.id)),
          ...tests.map(ready),
          d1.prepare(HIDE_WITH_DATASET).bind(submission.id),
          hideBanned(d1, submission.id, submission.owner),
          ...spendOf(d1, newRuns, spend),
          ...forgetNoted(d1, noted),
        ]);
        return "stored";
      } catch (error) {
        if (isOverQuota(error)) return "over-quota";
        if (messages(error).includes("UNIQUE constraint failed: submissions.id")) return "exists";
        throw error;
      }
    },

    /** Schedules the deletion of objects, which `insert` cancels by storing their runs. */
    async noteObjects(noted: NotedObjects): Promise<void> {
      await onNoted(d1, NOTE, noted).run();
    },

    /** Stores what a lane learnt about the endpoint with the run. */
    async remember(
      runId: string,
      { refusedModes, refusedParameters, notes }: EndpointMemory,
    ): Promise<void> {
      if (notes.length === 0) return;
      const lists = [refusedModes, refusedParameters, notes].map((list) =>
        JSON.stringify([...list]),
      );
      await d1
        .prepare(REMEMBER)
        .bind(runId, ...lists)
        .run();
    },
  };
}

const NOTE = `
  INSERT INTO retired_objects (key, delete_at) SELECT value, ?2 FROM json_each(?1) WHERE true
  ON CONFLICT DO NOTHING`;
const FORGET_NOTED = `
  DELETE FROM retired_objects WHERE delete_at = ?2 AND key IN (SELECT value FROM json_each(?1))`;

const onNoted = (d1: D1Database, statement: string, { keys, deleteAt }: NotedObjects) =>
  d1.prepare(statement).bind(JSON.stringify(keys), deleteAt);

const forgetNoted = (d1: D1Database, noted: NotedObjects | null) =>
  noted === null ? [] : [onNoted(d1, FORGET_NOTED, noted)];

/** Counts the expected cost of new runs' judges. */
function spendOf(d1: D1Database, newRuns: readonly NewRun[], limit: SpendLimit | null) {
  const ids = newRuns.filter(({ judgeSpend }) => judgeSpend != null).map(({ id }) => id);
  return limit === null || ids.length === 0 ? [] : chargeSpend(d1, ids, limit);
}

/** SQL: a run's retention rule, of its dataset or else of its account's other datasets. */
const ruleOf = (column: string) =>
  sql.raw(`(SELECT ${column} FROM retentions its WHERE its.owner = runs.owner
    AND its.dataset IN ('', runs.dataset_name) ORDER BY its.dataset DESC LIMIT 1)`);
const RETAINED = { answerDays: ruleOf("answer_days"), runDays: ruleOf("run_days") };
const retainedIn = (submission: string) =>
  sql`submission_id = ${submission} AND EXISTS (SELECT 1 FROM retentions its WHERE its.owner = runs.owner)`;

/** The table of samples that is being filled. */
const FILLED = `coalesce((SELECT sample_table FROM sample_turns ORDER BY filled_since DESC LIMIT 1), 0)`;

const { sampleTable: _filled, ...given } = getTableColumns(runs);
const columns = Object.entries(given);

const INSERT = `
  INSERT INTO runs (${columns.map(([, { name }]) => name)}, sample_table)
  SELECT ${columns.map((_column, i) => `value ->> ${i}`)}, ${FILLED} FROM json_each(?1)`;

/** Characters of runs per statement: a parameter has at most 2 MB. */
const INSERTED = 400_000;

/** Inserts runs as JSON: D1 allows 100 parameters per statement, and a run has about seventy columns. */
function insertRuns(
  d1: D1Database,
  newRuns: readonly NewRun[],
  isPart: boolean,
): D1PreparedStatement[] {
  const parts: string[][] = [];
  let length = INSERTED;
  for (const run of newRuns) {
    const row = JSON.stringify(
      columns.map(([key, column]) => {
        const value = run[key as keyof typeof given] ?? column.default ?? null;
        return value === null ? null : column.mapToDriverValue(value);
      }),
    );
    length += row.length;
    if (length > INSERTED) {
      parts.push([]);
      length = row.length;
    }
    parts.at(-1)?.push(row);
  }
  const unlessThere = isPart ? " WHERE true ON CONFLICT DO NOTHING" : "";
  return parts.map((rows) => d1.prepare(`${INSERT}${unlessThere}`).bind(`[${rows}]`));
}

const union = (stored: string, given: string) => `(
  SELECT json_group_array(value) FROM (
    SELECT value FROM json_each(${stored}) UNION SELECT value FROM json_each(${given})))`;

/** One statement, because lanes update it concurrently. */
const REMEMBER = `
  UPDATE runs SET
    refused = json_object('modes', ${union("refused ->> 'modes'", "?2")},
      'parameters', ${union("refused ->> 'parameters'", "?3")}),
    notes = ${union("notes", "?4")}
  WHERE id = ?1`;

/** A dataset may become private between the read and the insert of a run on it. */
const HIDE_WITH_DATASET = `
  UPDATE runs SET samples_owner = d.owner, visibility = 'private', board_id = NULL FROM datasets d
  WHERE runs.submission_id = ?1 AND runs.samples_owner IS NULL AND d.visibility = 'private'
    AND d.suite = runs.suite AND d.name = runs.dataset_name AND d.version = runs.dataset_version`;

/** A run may be hidden or made private between the read and the insert of its rescored copy. */
function hideWithParents(d1: D1Database, newRuns: readonly NewRun[]) {
  const ids = JSON.stringify(
    newRuns.filter(({ parentId }) => parentId != null).map(({ id }) => id),
  );
  const statements = ids === "[]" ? [] : [HIDE_WITH_PARENTS, NARROW_WITH_PARENTS];
  return statements.map((statement) => d1.prepare(statement).bind(ids));
}

const HIDE_WITH_PARENTS = `
  UPDATE runs SET hidden_reason = (SELECT hidden_reason FROM runs p WHERE p.id = runs.parent_id)
  WHERE id IN (SELECT value FROM json_each(?1))`;

const NARROW_WITH_PARENTS = `
  UPDATE runs SET visibility = 'private', board_id = NULL
  WHERE id IN (SELECT value FROM json_each(?1)) AND visibility <> 'private'
    AND EXISTS (SELECT 1 FROM runs p WHERE p.id = runs.parent_id AND p.visibility = 'private')`;
