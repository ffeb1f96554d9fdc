/**
 * How long a response asks to wait, ms: seconds or an HTTP date (RFC 9110, 10.2.3). Null where the header is
 * not there or can't be read.
 * @example retryAfterOf("2", Date.now()) // 2000
 */
export function retryAfterOf(header: string | null, now: number): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
