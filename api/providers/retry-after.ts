import { WAIT_MAX_MS } from "../runs/run-progress.ts";

/**
 * How long a response asks to wait, ms: seconds or an HTTP date (RFC 9110, 10.2.3), at most an hour. Null where the
 * header is missing or is neither.
 * @example retryAfterOf("2", Date.now()) // 2000
 */
export function retryAfterOf(header: string | null, now: number): number | null {
  if (header === null) return null;
  const isSeconds = /^\s*\d+(\.\d*)?\s*$/.test(header);
  const waitMs = isSeconds ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(waitMs) ? null : Math.max(0, Math.min(WAIT_MAX_MS, waitMs));
}
