import { readFileSync } from "node:fs";
import { processTree } from "../../support/process-tree.ts";

/** What work takes, ms. */
export interface Times {
  wallMs: number;
  cpuMs: number;
}

/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;

/** CPU time that a process and all that it has started have used so far, ms; on other systems than Linux NaN. */
export const treeCpuMs = (root: number): number =>
  processTree(root).reduce((sum, { pid }) => sum + cpuMs(pid), 0);

/** CPU time that processes which this one started, and which have ended, have used so far, ms; elsewhere than on Linux NaN. */
export const endedCpuMs = (): number => timesOf(process.pid, 13);

const cpuMs = (pid: number): number => timesOf(pid, 11);

/** The sum of two neighbouring times in Linux's own figures of a process, ms. */
function timesOf(pid: number, at: number): number {
  if (process.platform !== "linux") return Number.NaN;
  try {
    // The name before the last parenthesis may contain spaces. Then: state, …, utime and stime as 12th and 13th, those of
    // ended children as 14th and 15th.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
    return TICK_MS * (Number(fields[at]) + Number(fields[at + 1]));
  } catch {
    // It has ended.
    return 0;
  }
}
