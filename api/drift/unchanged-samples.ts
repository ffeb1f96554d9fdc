import { choose } from "#shared/stats/choose.ts";
import { isSameRow } from "../datasets/same-row.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";

/** Samples whose rows are held against each other: reading them all would take a large dataset's time. */
export const mostRows = 1_000;

/**
 * Which of a reference's samples have the same row in another version of its dataset, of a thousand of them at
 * the most: the same thousand for every version, so that runs on several of them have samples in common.
 */
export async function unchangedSamples(
  { datasets }: Pick<Ports, "datasets">,
  { id, suite, datasetVersion: before }: RunRecord,
  ids: readonly string[],
  now: string,
): Promise<ReadonlySet<string>> {
  const placesIn = async (version: string) => {
    const { heads } = await datasets.index(suite, version);
    return new Map(heads.map((head, position) => [head.id, position]));
  };
  const [then, today] = [await placesIn(before), await placesIn(now)];
  const same = new Set<string>();
  for (const i of choose(ids.length, mostRows, id)) {
    const sample = ids[i]!;
    const [old, its] = [then.get(sample), today.get(sample)];
    if (old === undefined || its === undefined) continue;
    const row = await datasets.row(suite, before, old);
    if (isSameRow(row, await datasets.row(suite, now, its))) same.add(sample);
  }
  return same;
}
