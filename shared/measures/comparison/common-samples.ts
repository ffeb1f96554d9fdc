import type { RunScores } from "../../contracts/run-scores.ts";

/** Scores of several runs on the samples that all of them have, and the units these are tested by. */
export interface CommonSamples {
  ids: string[];
  /** By run, by sample. */
  scores: number[][];
  units: { kind: "samples" | "clusters"; count: number };
  /** Unit of each sample, from 0. */
  unitOf: number[];
}

/**
 * The samples for which every run has a value of `metric`, in the order of the first run; with
 * clusters, samples of one source are one unit. Linear in all values.
 * Source: specification of statistics, two models on the same samples; bootstrap interval.
 * @example commonSamples([a, b], "eqs").ids.length
 */
export function commonSamples(runs: readonly RunScores[], metric: string): CommonSamples {
  const [first, ...others] = runs.map((run) => valuesById(run, metric));
  const ids = [...(first?.keys() ?? [])].filter((id) => others.every((run) => run.has(id)));
  const scores = [first, ...others].map((run) => ids.map((id) => run?.get(id) ?? 0));
  return { ids, scores, ...unitsOf(ids, clustersById(runs)) };
}

function valuesById({ ids, values }: RunScores, metric: string): Map<string, number> {
  const column = values[metric] ?? [];
  return new Map(
    ids.flatMap((id, i) => {
      const value = column[i];
      return value === null || value === undefined ? [] : [[id, value]];
    }),
  );
}

/** The clusters that any run knows: a run of answers may have been stored without. */
function clustersById(runs: readonly RunScores[]): ReadonlyMap<string, string> {
  const known = runs.flatMap(({ ids, clusters }) =>
    ids.flatMap((id, i): [string, string][] => {
      const cluster = clusters?.[i] ?? null;
      return cluster === null ? [] : [[id, cluster]];
    }),
  );
  return new Map(known);
}

function unitsOf(ids: readonly string[], clusters: ReadonlyMap<string, string>) {
  const numbers = new Map<string, number>();
  const unitOf = ids.map((id) => {
    const cluster = clusters.get(id);
    const name = cluster === undefined ? `sample ${id}` : `cluster ${cluster}`;
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  });
  const kind = ids.some((id) => clusters.has(id)) ? ("clusters" as const) : ("samples" as const);
  return { units: { kind, count: numbers.size }, unitOf };
}
