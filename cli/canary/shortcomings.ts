import type { CanaryReport, CanaryResult } from "#shared/contracts/canary.ts";
import type { FollowedRun } from "../remote/follow-runs.ts";

/** Why a deployment's judges can't be said to keep within all bounds; none: they do. */
export function shortcomings(report: CanaryReport, runs: readonly FollowedRun[]): string[] {
  const bounded = report.canaries.filter(({ bound }) => bound !== null);
  const idsOf = (verdict: CanaryResult["verdict"]) =>
    bounded.flatMap((canary) => (canary.verdict === verdict ? [canary.id] : []));
  const broken = idsOf("broken");
  const unmeasured = idsOf("unmeasured");
  return [
    ...runs.filter(({ status }) => status !== "finished").map(runText),
    ...(broken.length > 0 ? [`more than its bound: ${broken.join(", ")}`] : []),
    ...(unmeasured.length > 0 ? [`not measured: ${unmeasured.join(", ")}`] : []),
  ];
}

function runText({ id, model, status, statusReason }: FollowedRun): string {
  const state = status === "failed" ? "failed" : `is ${status}`;
  return `${model.name}: run ${id} ${state}${statusReason === null ? "" : `: ${statusReason}`}`;
}
