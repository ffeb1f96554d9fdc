import { DurableObject, WorkerEntrypoint } from "cloudflare:workers";
import { createHash } from "node:crypto";

/** One statement as sent by D1's client; bytes are lists of numbers. */
interface Statement {
  sql: string;
  params?: readonly (string | number | null | number[])[] | null;
}

interface State {
  size: number;
  changes: number;
  lastRow: number;
}

/** A database that answers like miniflare's, with one call instead of two requests. */
export class QuickDatabase extends DurableObject {
  /** State after the last statement; statements that only read do not change it. */
  #state: State | null = null;

  /** Reply body for D1's client, which sends a statement or several of one transaction. */
  reply(sent: string, isInColumns: boolean): string {
    const listed = [JSON.parse(sent)].flat() as Statement[];
    const statements = listed.filter(({ sql }) => !isEmpty(sql));
    const results = () => statements.map((one) => this.#result(one, isInColumns));
    try {
      if (statements.length === 0) throw new Error("No SQL statements detected.");
      // A single statement is its own transaction.
      const all = statements.length === 1 ? results() : this.ctx.storage.transactionSync(results);
      return JSON.stringify(all);
    } catch (error) {
      this.#state = null;
      return JSON.stringify({ success: false, error: (error as Error).message });
    }
  }

  #result({ sql, params }: Statement, isInColumns: boolean) {
    this.#state ??= this.#readState();
    const before = this.#state;
    const bound = (params ?? []).map((one) =>
      Array.isArray(one) ? new Uint8Array(one).buffer : one,
    );
    const cursor = this.ctx.storage.sql.exec(sql, ...bound);
    const columns = cursor.columnNames;
    const rows = Array.from(cursor.raw(), (row) => (row.some(isBytes) ? row.map(inJson) : row));
    if (cursor.rowsWritten > 0) this.#state = this.#readState();
    const after = this.#state;
    const changes = after.changes - before.changes;
    const isChanged =
      changes !== 0 || after.lastRow !== before.lastRow || after.size !== before.size;
    return {
      success: true,
      results: isInColumns
        ? { columns, rows }
        : rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]]))),
      meta: {
        served_by: "miniflare.db",
        served_by_primary: true,
        total_attempts: 1,
        timings: { sql_duration_ms: 0 },
        duration: 0,
        changes,
        last_row_id: after.lastRow,
        changed_db: isChanged,
        size_after: after.size,
        rows_read: cursor.rowsRead,
        rows_written: cursor.rowsWritten,
      },
    };
  }

  #readState(): State {
    const { sql } = this.ctx.storage;
    const select = "SELECT total_changes() AS changes, last_insert_rowid() AS lastRow";
    return {
      size: sql.databaseSize,
      ...sql.exec<{ changes: number; lastRow: number }>(select).one(),
    };
  }
}

/** Whether the text has only blanks and comments. */
const isEmpty = (sql: string): boolean =>
  !/^\s*[^\s-]/.test(sql) && sql.replace(/^\s+--.*/gm, "").trim() === "";

const isBytes = (value: SqlStorageValue): boolean => value instanceof ArrayBuffer;
const inJson = (value: SqlStorageValue) =>
  value instanceof ArrayBuffer ? [...new Uint8Array(value)] : value;

interface Stored {
  bytes: Uint8Array;
  etag: string;
}

const objects = new Map<string, Stored>();

/** A bucket in memory that answers the service's calls of R2 like miniflare. */
export class QuickBucket extends WorkerEntrypoint {
  /** Returns the object's etag, or null without writing if `onlyIf` is not met. */
  put(key: string, bytes: Uint8Array, onlyIf?: R2Conditional): string | null {
    const kept = objects.get(key);
    const { etagMatches, etagDoesNotMatch } = onlyIf ?? {};
    if (etagMatches !== undefined && kept?.etag !== etagMatches) return null;
    if (etagDoesNotMatch === "*" && kept) return null;
    const etag = createHash("md5").update(bytes).digest("hex");
    objects.set(key, { bytes, etag });
    return etag;
  }

  get(key: string): Stored | null {
    return objects.get(key) ?? null;
  }

  /** Up to `limit` objects after the key `after`, by key; one more than that if there are more. */
  list(prefix: string, after: string, limit: number) {
    return [...objects]
      .filter(([key]) => key.startsWith(prefix) && key > after)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, limit + 1)
      .map(([key, { bytes, etag }]) => ({ key, size: bytes.length, etag }));
  }

  delete(keys: readonly string[]): void {
    for (const key of keys) objects.delete(key);
  }
}

export default { fetch: () => new Response(null, { status: 404 }) };
