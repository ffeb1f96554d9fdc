import {
  type Around,
  bytesOf,
  current,
  faults,
  type Invocation,
  now,
  realNow,
  way,
} from "./invocation.ts";

/** Time until which a database is busy with earlier calls, by its binding. */
const busyUntil = new WeakMap<object, number>();
/** Last reported size of a database. */
const sizes = new WeakMap<object, number>();

const isWrite = (sql: string) => !/^\s*(--[^\n]*\n\s*)*(select|pragma|explain)\b/i.test(sql);
/** Whether a statement needs space. A small update only replaces existing data. */
const grows = ({ sql, bytes }: Statement) =>
  /\b(insert|replace|create)\b/i.test(sql) || (/\bupdate\b/i.test(sql) && bytes > 1_000);

/** D1 at a distance: each call takes a round trip and waits for its turn; its statements count against the limits. */
export class Database {
  readonly #database: D1Database;
  readonly #around: Around;
  /** Identity of the database, shared by its sessions. */
  readonly #whole: object;

  constructor(database: D1Database, around: Around, whole: object = database) {
    this.#database = database;
    this.#around = around;
    this.#whole = whole;
  }

  prepare(sql: string) {
    return new Statement(this, this.#database.prepare(sql), sql, []);
  }

  async batch(statements: Statement[]) {
    const inner = statements.map((one) => one.checked());
    return this.call(statements, () => this.#database.batch(inner));
  }

  async exec(sql: string) {
    return this.call([this.prepare(sql)], () => this.#database.exec(sql));
  }

  withSession(constraint?: string) {
    const session = this.#database.withSession(constraint);
    const inner = session as unknown as D1Database;
    return Object.assign(new Database(inner, this.#around, this.#whole), {
      getBookmark: () => session.getBookmark(),
    });
  }

  /** Runs statements in one call. */
  async call<T>(statements: readonly Statement[], run: () => Promise<T>): Promise<T> {
    const invocation = current.getStore();
    await invocation?.alive();
    if (invocation) {
      invocation.usage.d1Calls += 1;
      invocation.spend("d1Queries", statements.length);
    }
    const distances = this.#around.REHEARSAL_DISTANCES;
    const writes = statements.filter(({ sql }) => isWrite(sql));
    const waits = this.#turn(writes.length * (distances.d1WriteMs ?? 0));
    invocation?.most("d1QueuedMs", waits);
    if (invocation && waits > invocation.limits.d1QueuedMs)
      invocation.refuse("D1_ERROR: D1 DB is overloaded. Requests queued for too long.");
    await Promise.all([way(distances.d1), waits > 0 && way(waits)]);
    // A retryable error: developers.cloudflare.com, d1/observability/debug-d1.
    if (realNow() < faults.d1AwayUntil) throw new Error("D1_ERROR: Network connection lost.");
    if (!invocation) return run();
    if (statements.some(grows)) await this.#requireRoom(invocation);
    const begun = now();
    const result = await run();
    this.#note(invocation, result, now() - begun);
    return result;
  }

  /** Queues the call behind earlier ones; returns its waiting time, ms. */
  #turn(ms: number): number {
    const from = Math.max(now(), busyUntil.get(this.#whole) ?? 0);
    busyUntil.set(this.#whole, from + ms);
    return from - now();
  }

  /** Throws if the database is full. Deleted rows free space, though the file keeps its size. */
  async #requireRoom(invocation: Invocation): Promise<void> {
    const most = invocation.limits.d1DatabaseBytes;
    const size = sizes.get(this.#whole) ?? 0;
    if (size < most) return;
    // D1 does not allow reading the number of free pages.
    const reply = await this.#around.REHEARSAL.fetch("http://rehearsal/free-bytes", {
      method: "POST",
      body: JSON.stringify(size),
    });
    if (size - Number(await reply.text()) >= most)
      invocation.refuse("D1_ERROR: Exceeded maximum DB size");
  }

  #note(invocation: Invocation, result: unknown, ms: number): void {
    invocation.most("d1LongestMs", ms);
    if (ms > invocation.limits.d1QueryMs) {
      invocation.refuse(
        "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
      );
    }
    const results = (Array.isArray(result) ? result : [result]) as (D1Result | null | undefined)[];
    if (results.some((one) => (one?.meta?.rows_written ?? 0) > 0))
      invocation.usage.d1Transactions += 1;
    for (const one of results) {
      invocation.usage.d1RowsRead += one?.meta?.rows_read ?? 0;
      invocation.usage.d1RowsWritten += one?.meta?.rows_written ?? 0;
    }
    const size = results.at(-1)?.meta?.size_after;
    if (typeof size !== "number") return;
    sizes.set(this.#whole, size);
    invocation.usage.d1DatabaseBytes = size;
  }
}

export class Statement {
  readonly sql: string;
  readonly #database: Database;
  readonly #inner: D1PreparedStatement;
  readonly #values: unknown[];

  constructor(database: Database, inner: D1PreparedStatement, sql: string, values: unknown[]) {
    this.#database = database;
    this.#inner = inner;
    this.sql = sql;
    this.#values = values;
  }

  bind(...values: unknown[]) {
    return new Statement(this.#database, this.#inner.bind(...values), this.sql, values);
  }

  /** Size of all bound values. */
  get bytes(): number {
    return this.#values.reduce((sum: number, value) => sum + sizeOf(value), 0);
  }

  /** The statement, after checking the limits. */
  checked(): D1PreparedStatement {
    const invocation = current.getStore();
    if (!invocation) return this.#inner;
    const { limits } = invocation;
    const length = bytesOf(this.sql);
    const largest = Math.max(0, ...this.#values.map(sizeOf));
    // For a single inserted row, the row's size is that of all values together.
    const isRow = /\bvalues\s*\(/i.test(this.sql) && !/\)\s*,\s*\(/.test(this.sql);
    invocation.most("largestStatementBytes", length);
    invocation.most("parameters", this.#values.length);
    invocation.most("largestValueBytes", isRow ? this.bytes : largest);
    if (length > limits.d1StatementBytes) invocation.refuse("D1_ERROR: statement too long");
    if (this.#values.length > limits.d1Parameters)
      invocation.refuse("D1_ERROR: too many SQL variables");
    if (Math.max(largest, isRow ? this.bytes : 0) > limits.d1ValueBytes)
      invocation.refuse("D1_ERROR: string or blob too big: SQLITE_TOOBIG");
    return this.#inner;
  }

  async #call<T>(run: (inner: D1PreparedStatement) => Promise<T>): Promise<T> {
    const inner = this.checked();
    return this.#database.call([this], () => run(inner));
  }
  all() {
    return this.#call((inner) => inner.all());
  }
  run() {
    return this.#call((inner) => inner.run());
  }
  async first(column?: string) {
    const [row = null] = (await this.all()).results as Record<string, unknown>[];
    return column === undefined ? row : (row?.[column] ?? null);
  }
  async raw({ columnNames = false } = {}) {
    const [reply] = await this.#call((inner) => wholeReply(inner));
    const { columns, rows } = reply!.results;
    return columnNames ? [columns, ...rows] : rows;
  }
}

interface WholeReply {
  meta: D1Meta;
  results: { columns: string[]; rows: unknown[][] };
}

/** Sends the runtime's request of `raw()` and returns the whole reply with its row counts, which `raw()` drops. */
function wholeReply(statement: D1PreparedStatement): Promise<WholeReply[]> {
  const { dbSession, ...its } = statement as unknown as {
    dbSession: { _sendOrThrow(...query: unknown[]): Promise<WholeReply[]> };
    statement: string;
    params: unknown[];
  };
  return dbSession._sendOrThrow("/query", its.statement, its.params, "ROWS_AND_COLUMNS");
}

function sizeOf(value: unknown): number {
  if (typeof value === "string") return bytesOf(value);
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength;
  return typeof value === "number" ? 8 : 0;
}
