import type { Run } from "#shared/contracts/run.ts";
import { failureActions } from "#shared/measures/report/advice/failure-actions.ts";
import { formatCount } from "../terminal/format-value.ts";

/** Reasons told of a run; its report has all of them. */
const TOLD = 3;

/**
 * Why requests of a run failed for good, the most frequent reason first, each with what to do; empty where none did.
 * @example failureLines(run)[0] // "run_1: 5 of 5 requests failed: network (the connection failed)"
 */
export function failureLines({ id, points, progress }: Run): string[] {
  const failures = points?.failures ?? [];
  return failures.slice(0, TOLD).flatMap(({ class: name, count, message }) => {
    const share = `${formatCount(count)} of ${formatCount(progress.total)} requests failed`;
    const said = message === "" ? "" : ` (${message})`;
    return [
      `${id}: ${share}: ${name.replaceAll("_", " ")}${said}`,
      `    → ${failureActions[name].action}`,
    ];
  });
}
