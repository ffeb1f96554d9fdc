import type { Ports, RunRecord } from "../platform/ports.ts";
import { announceDrift } from "./announce-drift.ts";
import { lookAt } from "./compare-with-reference.ts";
import type { WatchedRun } from "./drift-ports.ts";
import { seriesOf } from "./series-of.ts";

/**
 * Holds a finished run against its reference, and says so where the model, or what measures it, has changed.
 * Can run any number of times: what was found is kept, and announced once. A run that was summed up anew
 * since is looked at again while it is the newest, and so is one that was not covered, on which nothing rests.
 */
export async function watchDrift(ports: Ports, runId: string): Promise<void> {
  const run = await ports.runs.get(runId);
  if (run === null || !isWatchable(run)) return;
  const suite = ports.suites.byId(run.suite);
  const series = suite === undefined ? null : seriesOf(suite, run);
  if (series === null) return;
  const kept = await ports.drifts.get(runId);
  const places = await ports.drifts.places(series);
  const isFree = kept === null || !kept.covered || kept.position === places.newest;
  if (kept !== null && (kept.finishedAt === run.finishedAt || !isFree)) {
    return announceDrift(ports, { run, record: kept });
  }
  const found = await lookAt(ports, run, { series, position: positionOf(kept, places.length) });
  if (found === null) return;
  if (kept !== null) await ports.drifts.replace(found);
  // Its place was taken just now by another run of the series, or by the same message sent twice.
  else if (!(await ports.drifts.insert(found))) return watchAgain(ports, runId);
  await announceDrift(ports, { run, record: found });
}

/** What was not covered goes to the end: a retry answered it after those that came since. */
function positionOf(kept: WatchedRun["record"] | null, length: number): number {
  if (kept === null) return length;
  return kept.covered || kept.position === length - 1 ? kept.position : length;
}

async function watchAgain(ports: Ports, runId: string): Promise<void> {
  if ((await ports.drifts.get(runId)) !== null) return;
  throw new Error(`run ${runId} lost its place in its series: it is looked at again`);
}

const isWatchable = ({ status, deletedAt, hiddenReason }: RunRecord): boolean =>
  status === "finished" && deletedAt === null && hiddenReason === null;
