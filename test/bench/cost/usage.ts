/** Header of the bench's own requests, which are not counted. */
export const UNCOUNTED = "x-bench-uncounted";

/** A Worker's use of the platform, in billed units. */
export interface Usage {
  /** Requests served and messages consumed. */
  invocations: number;
  d1RowsRead: number;
  d1RowsWritten: number;
  d1Calls: number;
  /** Writes, reads and deletions of messages, counted per 64 kB. */
  queueOperations: number;
  /** Writes and lists of objects. */
  r2ClassA: number;
  /** Reads of objects. */
  r2ClassB: number;
  /** Time that calls waited for a reply, ms; the sum over parallel calls. */
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

/** Usage since `before`. */
export const usageSince = (before: Usage, now: Usage): Usage =>
  mapUsage((field) => now[field] - before[field]);

/** Sum of two usages. */
export const usageOfBoth = (one: Usage, other: Usage): Usage =>
  mapUsage((field) => one[field] + other[field]);

/** Each figure divided by `count`. */
export const usageEach = (usage: Usage, count: number): Usage =>
  mapUsage((field) => usage[field] / count);

const mapUsage = (value: (field: keyof Usage) => number): Usage =>
  Object.fromEntries(fields.map((field) => [field, value(field)])) as unknown as Usage;
