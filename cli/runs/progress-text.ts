import { type FollowedRun, hasStopped } from "../remote/follow-runs.ts";
import { counted, formatCount } from "../score/format-value.ts";

/** How far so many runs are, of which some are known: "1 of 4 runs done, 120 of 400 samples …". */
export function progressText(runs: readonly FollowedRun[], total: number): string {
  const sum = (of: "done" | "total") => runs.reduce((all, { progress }) => all + progress[of], 0);
  const over = `${runs.filter(hasStopped).length} of ${counted(total, "run")} done`;
  return `${over}, ${formatCount(sum("done"))} of ${counted(sum("total"), "sample")} …`;
}
