import type { Run } from "#shared/contracts/run.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";
import type { Account } from "../security/account.ts";
import { partsKey, type RunParts } from "./run-objects.ts";
import { runView } from "./run-view.ts";
import { breakdownWithoutSamples, pointsWithoutSamples, readsSamples } from "./sample-access.ts";

/**
 * A run as the API shows it to somebody, with what it keeps apart from its row once it has finished; without
 * what tells of hidden samples.
 */
export async function wholeRun(
  ports: Ports,
  run: RunRecord,
  account: Account | null,
): Promise<Run> {
  const now = ports.now();
  if (run.status !== "finished") return runView(run, now);
  const parts = await ports.objects.get<RunParts>(partsKey(run));
  if (parts === null) return runView(run, now);
  if (readsSamples(run, account)) return runView(run, now, parts);
  return runView(run, now, {
    breakdown: breakdownWithoutSamples(ports.suites.byId(run.suite), parts.breakdown),
    timeline: parts.timeline,
    points: pointsWithoutSamples(parts.points),
  });
}
