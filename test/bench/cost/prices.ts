/**
 * USD per million of each thing on Cloudflare's Workers Paid plan, beyond what the plan includes, read on 2026-11-21.
 * An invocation is a log event, too.
 * Sources: developers.cloudflare.com, /workers/platform/pricing, /d1/platform/pricing,
 * /queues/platform/pricing, /r2/pricing.
 */
const usdPerMillion = {
  invocations: 0.3,
  logEvents: 0.6,
  cpuMs: 0.02,
  d1RowsRead: 0.001,
  d1RowsWritten: 1,
  queueOperations: 0.4,
  r2ClassA: 4.5,
  r2ClassB: 0.36,
} as const;

/** What was used, in billed units. */
export type Billed = Record<keyof typeof usdPerMillion, number>;

/** USD for what was used, whatever a plan includes. */
export const costUsd = (used: Billed): number =>
  Object.entries(usdPerMillion).reduce(
    (sum, [unit, usd]) => sum + (used[unit as keyof Billed] * usd) / 1e6,
    0,
  );
