import type { PairedChange } from "#shared/contracts/drift.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import type { RankingMetric } from "#shared/measures/comparison/standings.ts";
import { pairedChange } from "#shared/measures/drift/paired-change.ts";
import { mostAtOneEnd, stepEValue } from "#shared/measures/drift/step-e-value.ts";
import { tableScores } from "#shared/measures/drift/table-scores.ts";
import type { Ports, RunRecord } from "../ports.ts";
import { readTable } from "./read-covered.ts";

/** A run against those before it. */
interface Held {
  /** An e-value of this run alone against "nothing changed since the reference". */
  stepEValue: number;
  againstReference: PairedChange | null;
  againstPrevious: PairedChange | null;
}

/** The suite's headline as comparisons take it. */
export function headlineOf({ headline, metrics, composites }: Suite): RankingMetric {
  const better = metrics.find(({ id }) => id === headline)?.better ?? "higher";
  return { id: headline, better, composite: composites?.[headline] };
}

/** Holds a run against its reference and the run before it, over the samples that both cover. */
export async function holdAgainst(
  ports: Ports,
  run: RunRecord,
  reference: RunRecord,
  previous: RunRecord,
): Promise<Held> {
  const suite = ports.suites.byId(run.suite);
  if (suite === undefined) throw new Error(`suite ${run.suite} is not registered`);
  const metric = headlineOf(suite);
  const ends = await runsAtBothEnds(ports, run, reference);
  const others = ends.some(({ id }) => id === previous.id) ? [] : [previous];
  const metrics = [metric.id, ...(metric.composite?.parts ?? [])];
  const table = await readTable(ports, [...ends, ...others], metrics);
  const { runs, unitOf } = tableScores(table, metric.id);
  return {
    stepEValue: stepEValue(runs.slice(0, ends.length), unitOf),
    againstReference: pairedChange(table, metric, run.id, reference.id),
    againstPrevious: pairedChange(table, metric, run.id, previous.id),
  };
}

/** The reference with the runs after it, and the newest with those before it: as many as are looked at. */
async function runsAtBothEnds(
  ports: Ports,
  run: RunRecord,
  reference: RunRecord,
): Promise<RunRecord[]> {
  const first = await ports.drifts.since(reference.id, mostAtOneEnd);
  const series = first[0]?.record.series ?? "";
  const position =
    (await ports.drifts.get(run.id))?.position ?? (await ports.drifts.length(series));
  const last = await ports.drifts.before(series, position, mostAtOneEnd - 1);
  const isOfBasis = ({ record }: (typeof last)[number]) => record.referenceId === reference.id;
  const known = [...first, ...last.filter(isOfBasis).reverse()];
  const byId = new Map(known.map((one) => [one.run.id, one.run]));
  byId.delete(run.id);
  const usable = [...byId.values()].filter(
    (one) => one.status === "finished" && one.datasetVersion === run.datasetVersion,
  );
  return [reference, ...usable.filter(({ id }) => id !== reference.id), run];
}
