const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Has `cleanUp` done when the process is told to end, which it then does as if nothing had been done.
 * Call what it returns once there is nothing to clean up any more.
 */
export function onTermination(cleanUp: () => void): () => void {
  const handlers = SIGNALS.map((signal) => {
    const handler = () => {
      release();
      cleanUp();
      process.kill(process.pid, signal);
    };
    process.on(signal, handler);
    return { signal, handler };
  });
  const release = () => {
    for (const { signal, handler } of handlers) process.off(signal, handler);
  };
  return release;
}
