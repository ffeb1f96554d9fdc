import type { RankChange, Republication } from "#shared/contracts/boards/republication.ts";
import type { Platform } from "../platform/platform.ts";
import type { RepublicationRecord } from "./schema.ts";

/** Re-publications as the API shows them, without withdrawn runs. */
export async function republicationViews(
  platform: Pick<Platform, "runs">,
  records: readonly (RepublicationRecord & { omitted?: number })[],
): Promise<Republication[]> {
  const runsOf = ({ before, after }: RankChange) => [before.run, ...(after ? [after.run] : [])];
  const named = records.flatMap(({ changes }) => changes.flatMap(runsOf));
  const inView = named.length === 0 ? new Set<string>() : await platform.runs.inView(named);
  return records.map((record) => {
    const told = record.changes.filter((change) => runsOf(change).every((run) => inView.has(run)));
    return {
      id: record.id,
      suite: record.suite,
      dataset: record.datasetName,
      metric: record.headline,
      causes: record.causes,
      reason: record.reason,
      correctedSamples: record.correctedSamples,
      from: {
        board: record.fromBoard,
        datasetVersion: record.fromDataset,
        suiteVersion: record.fromSuiteVersion,
      },
      to: {
        board: record.toBoard,
        datasetVersion: record.toDataset,
        suiteVersion: record.toSuiteVersion,
      },
      startedAt: new Date(record.startedAt).toISOString(),
      finishedAt: record.finishedAt === null ? null : new Date(record.finishedAt).toISOString(),
      withdrawn: record.changes.length - told.length,
      changes: record.finishedAt === null ? null : told,
      ...(record.finishedAt !== null && record.omitted ? { omitted: record.omitted } : {}),
    };
  });
}
