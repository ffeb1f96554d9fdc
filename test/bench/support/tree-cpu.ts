import { readFileSync } from "node:fs";
import { processTree } from "../../support/process-tree.ts";

export interface Times {
  wallMs: number;
  cpuMs: number;
}

/** Linux's unit of CPU time is a hundredth of a second. */
const TICK_MS = 10;

/** CPU time of a process and its descendants so far, ms; NaN except on Linux. */
export const treeCpuMs = (root: number): number =>
  processTree(root).reduce((sum, { pid }) => sum + cpuMs(pid), 0);

/** CPU time of this process's ended children so far, ms; NaN except on Linux. */
export const endedCpuMs = (): number => timesOf(process.pid, 13);

const cpuMs = (pid: number): number => timesOf(pid, 11);

/** The sum of two neighbouring times in /proc/PID/stat, ms. */
function timesOf(pid: number, at: number): number {
  if (process.platform !== "linux") return Number.NaN;
  try {
    // The name before the last parenthesis may contain spaces. After it, utime and stime are the 12th and 13th fields,
    // those of ended children the 14th and 15th.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
    return TICK_MS * (Number(fields[at]) + Number(fields[at + 1]));
  } catch {
    // The process has ended.
    return 0;
  }
}
