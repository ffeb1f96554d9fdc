import type { Json } from "#shared/contracts/json.ts";
import type { Run } from "#shared/contracts/run.ts";
import type { RunPoints } from "#shared/contracts/run-points.ts";
import type { Timeline } from "#shared/contracts/timeline.ts";
import type { Account } from "../../security/account.ts";
import type { Ports, RunRecord } from "../ports.ts";
import { breakdownKey, pointsKey, timelineKey } from "./run-objects.ts";
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
  const [breakdown, timeline, points] = await Promise.all([
    ports.objects.get<Json>(breakdownKey(run)),
    ports.objects.get<Timeline>(timelineKey(run)),
    ports.objects.get<RunPoints>(pointsKey(run)),
  ]);
  if (readsSamples(run, account)) return runView(run, now, { breakdown, timeline, points });
  return runView(run, now, {
    breakdown: breakdownWithoutSamples(ports.suites.byId(run.suite), breakdown),
    timeline,
    points: pointsWithoutSamples(points),
  });
}
