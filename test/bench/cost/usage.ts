/** A request with this header is the bench's own and is not counted. */
export const UNCOUNTED = "x-bench-uncounted";

/** What a Worker asked of the platform, in the units that the platform bills. */
export interface Usage {
  /** Requests served and messages consumed. */
  invocations: number;
  d1RowsRead: number;
  d1RowsWritten: number;
  d1Calls: number;
  /** Writes, reads and deletions of messages, by 64 kB each. */
  queueOperations: number;
  /** Writes and lists of objects. */
  r2ClassA: number;
  /** Reads of objects. */
  r2ClassB: number;
  /** Time that calls waited for a reply, ms, summed over calls side by side. */
  d1WaitMs: number;
  r2WaitMs: number;
  queueWaitMs: number;
}

export const noUsage: Usage = {
  invocations: 0,
  d1RowsRead: 0,
  d1RowsWritten: 0,
  d1Calls: 0,
  queueOperations: 0,
  r2ClassA: 0,
  r2ClassB: 0,
  d1WaitMs: 0,
  r2WaitMs: 0,
  queueWaitMs: 0,
};

const fields = Object.keys(noUsage) as (keyof Usage)[];

/** What was asked since `before`. */
export const usageSince = (before: Usage, now: Usage): Usage =>
  mapUsage((field) => now[field] - before[field]);

/** What was asked by two. */
export const usageOfBoth = (one: Usage, other: Usage): Usage =>
  mapUsage((field) => one[field] + other[field]);

/** Each figure divided by `count`. */
export const usageEach = (usage: Usage, count: number): Usage =>
  mapUsage((field) => usage[field] / count);

const mapUsage = (value: (field: keyof Usage) => number): Usage =>
  Object.fromEntries(fields.map((field) => [field, value(field)])) as unknown as Usage;
