import type { Asked } from "../../scale/measured-load.ts";
import type { Cloud } from "../cloud/cloud.ts";
import type { Usage } from "../cloud/limits.ts";
import { NAME } from "./scene.ts";

/** Maximum time from the end of a run to its publication. */
export const publishedMs = 5_000;

/** Billed operations per message: write, read, delete. */
const OPERATIONS_A_MESSAGE = 3;

const messagesTo = ({ workers }: Cloud, queues: string): number =>
  [...workers.queues.delivered].reduce(
    (sum, [name, count]) => sum + (name.startsWith(queues) ? count : 0),
    0,
  );

/** Number of messages that started lanes. */
export const messagesOf = (cloud: Cloud): number =>
  messagesTo(cloud, `${NAME}-evaluate`) + messagesTo(cloud, `${NAME}-judge`);

export const askedSoFar = (cloud: Cloud) => ({
  invocations: cloud.workers.usage.length,
  messages: messagesTo(cloud, NAME),
  laneMessages: messagesOf(cloud),
  logLines: cloud.workers.log.length,
  d1Bytes: sizeOf(cloud.workers.usage),
});
export type AskedSoFar = ReturnType<typeof askedSoFar>;

/**
 * The use of the platform by lanes, polling, submission, summary and publication. CPU time includes the whole runtime
 * with its databases, so it is an upper bound.
 */
export function askedSince(before: AskedSoFar, cloud: Cloud): Asked {
  const usage = cloud.workers.usage.slice(before.invocations);
  const sum = (of: (one: Usage) => number) => usage.reduce((all, one) => all + of(one), 0);
  const d1Bytes = sizeOf(cloud.workers.usage) - before.d1Bytes;
  return {
    invocations: usage.length,
    logEvents: usage.length + cloud.workers.log.length - before.logLines,
    cpuMs: sum((one) => one.cpuMs ?? 0),
    d1RowsRead: sum((one) => one.d1RowsRead),
    d1RowsWritten: sum((one) => one.d1RowsWritten),
    d1Calls: sum((one) => one.d1Calls),
    d1Transactions: sum((one) => one.d1Transactions),
    d1Bytes,
    queueOperations: OPERATIONS_A_MESSAGE * (messagesTo(cloud, NAME) - before.messages),
    r2ClassA: sum((one) => one.r2Writes + one.r2Lists),
    r2ClassB: sum((one) => one.r2Reads),
    r2Bytes: sum((one) => one.r2Bytes),
  };
}

/** Last reported size of the database, bytes. */
const sizeOf = (usage: readonly Usage[]): number =>
  usage.findLast(({ d1DatabaseBytes }) => d1DatabaseBytes > 0)?.d1DatabaseBytes ?? 0;

/** The figures per sample. */
export const perSample = (asked: Asked, samples: number): Asked =>
  Object.fromEntries(
    Object.entries(asked).map(([what, count]) => [what, count / samples]),
  ) as unknown as Asked;
