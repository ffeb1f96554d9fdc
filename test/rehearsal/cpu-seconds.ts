import { existsSync, readFileSync } from "node:fs";

/** CPU time of this process and its ended child processes, s; outside Linux only of this process. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  const own = Math.round((user + system) / 1e6);
  if (!existsSync("/proc/self/stat")) return own;
  // The fields after the name, which may contain spaces; 11–14 are utime, stime, cutime and cstime in 1/100 s.
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]!.split(" ");
  return Math.round(fields.slice(11, 15).reduce((sum, one) => sum + Number(one), 0) / 100);
}
