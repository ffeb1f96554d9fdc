const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs `cleanUp` when the process gets a signal to end, then sends the signal again.
 * Call the returned function when nothing is left to clean up.
 */
export function onTermination(cleanUp: () => void): () => void {
  return handled((signal, release) => {
    release();
    cleanUp();
    process.kill(process.pid, signal);
  });
}

function handled(handle: (signal: NodeJS.Signals, release: () => void) => void): () => void {
  const handlers = SIGNALS.map((signal) => {
    const handler = () => handle(signal, release);
    process.on(signal, handler);
    return { signal, handler };
  });
  const release = () => {
    for (const { signal, handler } of handlers) process.off(signal, handler);
  };
  return release;
}

/** The same for an asynchronous cleanup; further signals are ignored meanwhile. */
export function onStop(stop: () => Promise<void>): () => void {
  let isStopping = false;
  return handled((signal, release) => {
    if (isStopping) return;
    isStopping = true;
    stop()
      // A failed cleanup must not keep the process alive.
      .catch(() => {})
      .then(() => {
        release();
        process.kill(process.pid, signal);
      });
  });
}
