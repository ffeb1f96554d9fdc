const TIMEOUT_MS = 10_000;

/** Calls the deploy hook that rebuilds the site; false where none is set or it did not answer. */
export function rebuildHook(url: string): () => Promise<boolean> {
  return async () => {
    if (url === "") return false;
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      return (await fetch(url, { method: "POST", signal })).ok;
    } catch {
      // The hook's address is a secret, so the error, which may name it, is not logged.
      console.error(JSON.stringify({ event: "rebuild-hook-failed" }));
      return false;
    }
  };
}
