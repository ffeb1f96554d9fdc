/** CPU time of this process so far, ms: all threads, so the compiler and the collector count. */
function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** CPU time of one call of `work`, ms: the mean over as many calls as fill `minMs`. */
export function cpuMs(minMs: number, work: () => void): number {
  const start = cpuNow();
  let calls = 0;
  let spent = 0;
  do {
    work();
    calls++;
    spent = cpuNow() - start;
  } while (spent < minMs);
  return spent / calls;
}
