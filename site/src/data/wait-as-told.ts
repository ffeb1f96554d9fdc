const shortestWaitMs = 1_000;

/** Waits as long as a response says that one should before asking again, and a second at least. */
export async function waitAsTold({ headers }: Response): Promise<void> {
  const toldMs = Number(headers.get("retry-after") ?? 0) * 1_000;
  await new Promise((resolve) => setTimeout(resolve, Math.max(shortestWaitMs, toldMs)));
}
