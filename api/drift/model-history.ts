import type { ModelHistory } from "#shared/contracts/drift.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";
import { seriesOf } from "./series-of.ts";

/** What a history is asked for by; left out: all. */
interface HistoryQuery {
  suite?: string | undefined;
  dataset?: string | undefined;
}

type Point = ModelHistory["histories"][number]["points"][number];

/**
 * The public runs of a model that asked the same of it, with how each lies to those before; null where it has
 * none.
 */
export async function modelHistory(
  ports: Ports,
  slug: string,
  { suite, dataset }: HistoryQuery,
): Promise<ModelHistory | null> {
  const found = await ports.drifts.ofModel(slug);
  if (found.length === 0) return null;
  const wanted = found.filter(
    ({ run }) =>
      (suite === undefined || run.suite === suite) &&
      (dataset === undefined || run.datasetName === dataset),
  );
  const groups = Map.groupBy(wanted, ({ run, record }) => record?.series ?? ownSeries(ports, run));
  return {
    model: slug,
    histories: [...groups.values()].flatMap((group) => {
      const run = group[0]?.run;
      if (run === undefined) return [];
      const { suite: id, headline: metric, datasetName } = run;
      return [
        {
          suite: id,
          metric,
          dataset: datasetName,
          points: group.map((one) => pointOf(one, metric)),
        },
      ];
    }),
  };
}

/** Of a run that has not been looked at, or whose options the suite of today does not take. */
function ownSeries(ports: Ports, run: RunRecord): string {
  const suite = ports.suites.byId(run.suite);
  return (suite && seriesOf(suite, run)) ?? run.id;
}

/** Runs of one series may have been ranked by another metric once: each has its value of `metric`. */
function pointOf(
  { run, record }: { run: RunRecord; record: { drift: Point["drift"] } | null },
  metric: string,
) {
  const { id, datasetVersion, scoringVersion, metrics, finishedAt } = run;
  return {
    run: id,
    datasetVersion,
    scoringVersion,
    headline: metrics?.[metric] ?? null,
    finishedAt: new Date(finishedAt ?? 0).toISOString(),
    drift: record?.drift ?? null,
  };
}
