const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Has `cleanUp` done when the process is told to end, which it then does as if nothing had been done.
 * Call what it returns once there is nothing to clean up any more.
 */
export function onTermination(cleanUp: () => void): () => void {
  return handled((signal, release) => {
    release();
    cleanUp();
    process.kill(process.pid, signal);
  });
}

/** The same for what takes a while; further signals do not hurry it. */
export function onStop(stop: () => Promise<void>): () => void {
  let isStopping = false;
  return handled((signal, release) => {
    if (isStopping) return;
    isStopping = true;
    stop()
      // What can't be stopped keeps nobody from ending.
      .catch(() => {})
      .then(() => {
        release();
        process.kill(process.pid, signal);
      });
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
