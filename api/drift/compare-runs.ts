import type { PairedChange } from "#shared/contracts/drift.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import type { RankingMetric } from "#shared/measures/comparison/standings.ts";
import { pairedChange } from "#shared/measures/drift/paired-change.ts";
import { mostAtOneEnd, stepEValue } from "#shared/measures/drift/step-e-value.ts";
import { tableScores } from "#shared/measures/drift/table-scores.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";
import { readTable } from "./read-covered.ts";

/** A run against those before it. */
export interface Held {
  /** An e-value of this run alone against "nothing changed since the reference". */
  stepEValue: number;
  againstReference: PairedChange | null;
  againstPrevious: PairedChange | null;
  /** Samples of the run, whether or not the others have them. */
  samples: number;
}

/** Where a run stands among those that were asked the same. */
export interface Place {
  series: string;
  position: number;
}

/** A run's headline as comparisons take it. */
export function rankingMetric(
  { metrics, composites }: Suite,
  { headline }: Pick<RunRecord, "headline">,
): RankingMetric {
  const better = metrics.find(({ id }) => id === headline)?.better ?? "higher";
  return { id: headline, better, composite: composites?.[headline] };
}

/**
 * Holds a run against its reference and the run before it, over the samples that both cover; where the dataset
 * has another version than the reference's, over those with the same row.
 */
export async function holdAgainst(
  ports: Ports,
  run: RunRecord,
  reference: RunRecord,
  previous: RunRecord,
  place: Place,
): Promise<Held> {
  const suite = ports.suites.byId(run.suite);
  if (suite === undefined) throw new Error(`suite ${run.suite} is not registered`);
  const metric = rankingMetric(suite, run);
  const ends = await runsAtBothEnds(ports, run, reference, place);
  const others = ends.some(({ id }) => id === previous.id) ? [] : [previous];
  const metrics = [metric.id, ...(metric.composite?.parts ?? [])];
  const table = await readTable(ports, reference, [...ends.slice(1), ...others], metrics);
  const { runs, unitOf } = tableScores(table, metric.id);
  return {
    stepEValue: stepEValue(runs.slice(0, ends.length), unitOf),
    againstReference: pairedChange(table, metric, run.id, reference.id),
    againstPrevious: pairedChange(table, metric, run.id, previous.id),
    samples: table.runs.find((one) => one.run === run.id)?.samples ?? 0,
  };
}

/** The reference with the runs after it, and the newest with those before it: as many as are looked at. */
async function runsAtBothEnds(
  ports: Ports,
  run: RunRecord,
  reference: RunRecord,
  { series, position }: Place,
): Promise<RunRecord[]> {
  const first = await ports.drifts.since(reference.id, mostAtOneEnd);
  const last = await ports.drifts.before(series, position, mostAtOneEnd - 1);
  const isOfBasis = ({ record }: (typeof last)[number]) => record.referenceId === reference.id;
  const known = [...first, ...last.filter(isOfBasis).reverse()];
  const byId = new Map(known.map((one) => [one.run.id, one.run]));
  byId.delete(run.id);
  const usable = [...byId.values()].filter(({ status }) => status === "finished");
  return [reference, ...usable.filter(({ id }) => id !== reference.id), run];
}
