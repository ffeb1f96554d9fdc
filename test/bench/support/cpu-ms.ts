/** CPU time of this process so far, ms, over all threads including compiler and garbage collector. */
function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Mean CPU time of a call of `work`, ms, over calls that take at least `minMs` together. */
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
