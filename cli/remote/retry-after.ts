/** When to ask again, as the service says; null where it gives no number of seconds. */
export function retryAfterOf({ headers }: Response): number | null {
  const given = headers.get("retry-after") ?? "";
  return /^\d+$/.test(given) ? Number(given) : null;
}
