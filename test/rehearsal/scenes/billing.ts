import { type Billed, costUsd } from "../../bench/cost/prices.ts";
import type { Cloud } from "../cloud/cloud.ts";
import type { Usage } from "../cloud/limits.ts";
import { NAME } from "./scene.ts";

/** USD per million log events, of which an invocation is one (developers.cloudflare.com, workers/platform/pricing). */
const USD_A_MILLION_EVENTS = 0.6;
/** A message is written, read and deleted. */
const OPERATIONS_A_MESSAGE = 3;

const messagesTo = ({ workers }: Cloud, queues: string): number =>
  [...workers.queues.delivered].reduce(
    (sum, [name, count]) => sum + (name.startsWith(queues) ? count : 0),
    0,
  );

/** Messages that started lanes. */
export const messagesOf = (cloud: Cloud): number =>
  messagesTo(cloud, `${NAME}-evaluate`) + messagesTo(cloud, `${NAME}-judge`);

export const askedSoFar = (cloud: Cloud) => ({
  invocations: cloud.workers.usage.length,
  messages: messagesTo(cloud, NAME),
  laneMessages: messagesOf(cloud),
  logLines: cloud.workers.log.length,
});
export type AskedSoFar = ReturnType<typeof askedSoFar>;

/**
 * What is billed: the lanes, the requests that asked for the run's state, its submission, summary and publication. CPU time is
 * that of the whole runtime with its databases, so an upper bound.
 */
export function billedOf(usage: readonly Usage[], before: AskedSoFar, cloud: Cloud): Billed {
  const sum = (of: (one: Usage) => number) => usage.reduce((all, one) => all + of(one), 0);
  return {
    invocations: usage.length,
    cpuMs: sum((one) => one.cpuMs ?? 0),
    d1RowsRead: sum((one) => one.d1RowsRead),
    d1RowsWritten: sum((one) => one.d1RowsWritten),
    queueOperations: OPERATIONS_A_MESSAGE * (messagesTo(cloud, NAME) - before.messages),
    r2ClassA: sum((one) => one.r2Writes + one.r2Lists),
    r2ClassB: sum((one) => one.r2Reads),
  };
}

export function usdOf(usage: readonly Usage[], before: AskedSoFar, cloud: Cloud): number {
  const events = usage.length + cloud.workers.log.length - before.logLines;
  return costUsd(billedOf(usage, before, cloud)) + (events * USD_A_MILLION_EVENTS) / 1e6;
}
