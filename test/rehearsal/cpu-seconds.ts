import { existsSync, readFileSync } from "node:fs";

/** Processor time of this process and those that it started and that have ended, s; of this one alone outside Linux. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  const own = Math.round((user + system) / 1e6);
  if (!existsSync("/proc/self/stat")) return own;
  // After the name, which may contain spaces: utime, stime, cutime and cstime in hundredths of a second.
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]!.split(" ");
  return Math.round(fields.slice(11, 15).reduce((sum, one) => sum + Number(one), 0) / 100);
}
