/**
 * USD per million units on Cloudflare's Workers Paid plan, beyond the plan's included amounts, read on 2026-11-21. Each
 * invocation is also a log event.
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

/** Usage in billed units. */
export type Billed = Record<keyof typeof usdPerMillion, number>;

/** Cost of the usage without a plan's included amounts, USD. */
export const costUsd = (used: Billed): number =>
  Object.entries(usdPerMillion).reduce(
    (sum, [unit, usd]) => sum + (used[unit as keyof Billed] * usd) / 1e6,
    0,
  );
