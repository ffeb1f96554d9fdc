import { choose } from "#shared/stats/choose.ts";
import type { Ports, RunRecord } from "../ports.ts";

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
    const rows = [await datasets.row(suite, before, old), await datasets.row(suite, now, its)];
    if (JSON.stringify(rows[0]) === JSON.stringify(rows[1])) same.add(sample);
  }
  return same;
}
