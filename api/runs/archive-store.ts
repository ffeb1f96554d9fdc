import { INSERT_SAMPLES, recordOf, sampleValues } from "./sample-store.ts";
import {
  ALL_SAMPLES,
  type RunRecord,
  type SampleArchive,
  type SampleRecord,
  type SampleTable,
  sampleTables,
} from "./schema.ts";

/** An ended run as it was read. */
export type EndedRun = Pick<RunRecord, "id" | "retries" | "finishedAt" | "sampleTable">;

/** Lanes of a finished run have ended; those of a stopped one may still write for a while. */
const TO_ARCHIVE = `
  SELECT id, retries, finished_at AS finishedAt, sample_table AS sampleTable FROM runs
  WHERE archive IS NULL AND deleted_at IS NULL AND finished_at <= ?1
    AND (status = 'finished' OR finished_at <= ?2)
  ORDER BY finished_at LIMIT ?3`;

/**
 * Run and rows are unchanged since they were read. Parameters: ?1 run, ?2 its end, ?3 its number of retries, ?4 its
 * number of rows.
 */
const AS_READ = (table: string) => `id = ?1 AND archive IS NULL AND deleted_at IS NULL
  AND finished_at = ?2 AND json_array_length(retries) = ?3
  AND (SELECT count(*) FROM ${table} WHERE run_id = ?1) = ?4`;

const MARK = (table: string) => `UPDATE runs SET archive = ?5 WHERE ${AS_READ(table)}`;

/** After this no lane can write to the run. */
const FENCE = `
  DELETE FROM leases WHERE run_id = ?1
    AND EXISTS (SELECT 1 FROM runs WHERE id = ?1 AND archive IS NOT NULL)`;

/** Runs before the mark, because a full database has no space for the mark until rows are deleted. */
const DROP_ROWS = (table: string) => `
  DELETE FROM ${table} WHERE run_id = ?1 AND EXISTS (SELECT 1 FROM runs WHERE ${AS_READ(table)})`;

const MARK_DROPPED = `
  UPDATE runs SET archive = ?3 WHERE id = ?1 AND archive IS NULL AND changes() = ?2`;

const UNMARK = `
  UPDATE runs SET archive = NULL WHERE id = ?1 AND archive = ?2
    AND (SELECT count(*) FROM ${ALL_SAMPLES} WHERE run_id = ?1) = ?3`;

/**
 * The table that new runs fill, since when, and whether it has been filled since before ?1 and all rows of the other
 * one are archived. Rows left there ended first; if none are left, this reads all runs in the database.
 */
const TURN = `
  SELECT sample_table AS filled, filled_since AS since, filled_since <= ?1 AND NOT EXISTS (
    SELECT 1 FROM runs WHERE archive IS NULL AND sample_table <> turn.sample_table) AS isOver
  FROM sample_turns AS turn ORDER BY filled_since DESC LIMIT 1`;

/** Fails the batch if the result of `TURN` has changed; ?2: the table that is being filled. */
const AS_FOUND = `
  SELECT CASE WHEN filled <> ?2 OR NOT isOver THEN json('not as found') END FROM (${TURN})`;

const FILL = `
  INSERT INTO sample_turns (sample_table, filled_since) VALUES (?1, ?2)
  ON CONFLICT (sample_table) DO UPDATE SET filled_since = excluded.filled_since`;

/** Archived runs with rows in a table. Recursive: one index lookup per run. */
const LEFT = (table: string) => `
  WITH RECURSIVE its (id) AS (
    SELECT min(run_id) FROM ${table}
    UNION ALL SELECT (SELECT min(run_id) FROM ${table} WHERE run_id > its.id) FROM its
    WHERE its.id IS NOT NULL)
  SELECT runs.id FROM its JOIN runs ON runs.id = its.id WHERE archive IS NOT NULL LIMIT ?1`;

/** Moves rows of ended runs out of the database and back, and frees their space. */
export function sampleArchiving(d1: D1Database) {
  const prepare = (sql: string, ...values: unknown[]) => d1.prepare(sql).bind(...values);
  return {
    /** Used size of the database in bytes, without free pages. */
    async databaseBytes(): Promise<number> {
      return (await prepare("SELECT 1").run()).meta.size_after;
    },

    /** Runs to archive, oldest end first: finished before `before`, or stopped before `before` and `stoppedBefore`. */
    async runsToArchive(before: number, stoppedBefore: number, limit: number): Promise<EndedRun[]> {
      const found = await prepare(TO_ARCHIVE, before, stoppedBefore, limit).all<
        Omit<EndedRun, "retries"> & { retries: string }
      >();
      return found.results.map((run) => ({ ...run, retries: JSON.parse(run.retries) as string[] }));
    },

    async rowsToArchive(
      { id, sampleTable }: EndedRun,
      after: number,
      limit: number,
    ): Promise<SampleRecord[]> {
      const rows = `SELECT * FROM ${sampleTables[sampleTable]}
        WHERE run_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3`;
      return (await prepare(rows, id, after, limit).all()).results.map(recordOf);
    },

    /**
     * Marks a run's rows as moved; false if the run or its rows changed since they were read. `drops`: deletes them
     * now, which is billed like writing them; otherwise they are dropped with their table.
     */
    async markArchived(run: EndedRun, archive: SampleArchive, drops: boolean): Promise<boolean> {
      const { id, finishedAt, retries, sampleTable } = run;
      const table = sampleTables[sampleTable];
      const mark = JSON.stringify(archive);
      const asRead = [id, finishedAt, retries.length, archive.rows] as const;
      const results = await d1.batch([
        ...(drops && archive.rows > 0
          ? [prepare(DROP_ROWS(table), ...asRead), prepare(MARK_DROPPED, id, archive.rows, mark)]
          : [prepare(MARK(table), ...asRead, mark)]),
        prepare(FENCE, id),
      ]);
      return (results.at(-2)?.meta.changes ?? 0) > 0;
    },

    /** Writes rows of an archived run back. Idempotent. */
    async putBack({ id, sampleTable }: EndedRun, rows: readonly SampleRecord[]): Promise<void> {
      const insert = `${INSERT_SAMPLES(sampleTables[sampleTable], "?2")} WHERE true
        ON CONFLICT (run_id, seq) DO NOTHING`;
      await prepare(insert, id, JSON.stringify(rows.map(sampleValues))).run();
    },

    /** Marks a run's rows as restored; false if some are missing or it was marked before. */
    async markPutBack({ id }: EndedRun, archive: SampleArchive): Promise<boolean> {
      const unmark = prepare(UNMARK, id, JSON.stringify(archive), archive.rows);
      return (await unmark.run()).meta.changes > 0;
    },

    /**
     * Makes new runs fill the other sample table, after dropping that one. Only if the current table has been filled
     * since before `before`, and all runs in the other one are archived. Returns since when the current table has been
     * filled.
     */
    async turnTables(before: number, now: number): Promise<number> {
      type Turn = { filled: SampleTable; since: number; isOver: number };
      const turn = await prepare(TURN, before).first<Turn>();
      if (turn === null) {
        await prepare(FILL, 0, now).run();
        return now;
      }
      const { filled, since, isOver } = turn;
      if (!isOver) return since;
      const other: SampleTable = filled === 0 ? 1 : 0;
      const table = sampleTables[other];
      const schema = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1";
      const create = await prepare(schema, table).first<string>("sql");
      if (create === null) throw new Error(`there is no table ${table}`);
      await d1.batch([
        prepare(AS_FOUND, before, filled),
        prepare(`DROP TABLE ${table}`),
        prepare(create),
        prepare(FILL, other, now),
      ]);
      return now;
    },

    /** Some archived runs whose rows are still in a table. */
    async archivedWithRows(limit: number): Promise<string[]> {
      const found = await d1.batch<{ id: string }>(
        sampleTables.map((table) => prepare(LEFT(table), limit)),
      );
      return found.flatMap(({ results }) => results.map(({ id }) => id));
    },
  };
}
