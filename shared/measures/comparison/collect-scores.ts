import type { RunScores, ScoreColumn, Share } from "../../contracts/run-scores.ts";

/** A run's scores while its samples come in: sums over the repeats of each. */
export interface CollectedScores {
  rows: Map<string, number>;
  clusters: (string | null)[];
  columns: Map<string, { of: number[]; over: number[]; repeats: number[] }>;
}

/**
 * The scores of no samples.
 * @example runScores(noScores()).ids // []
 */
export function noScores(): CollectedScores {
  return { rows: new Map(), clusters: [], columns: new Map() };
}

/**
 * Adds an answer's values. Samples stand in the order in which each first comes. Changes `scores`.
 * @example collectScores(scores, { id: "s1", tags: {} }, { eqs: 0.9 })
 */
export function collectScores(
  scores: CollectedScores,
  { id, tags }: { id: string; tags: Readonly<Record<string, string>> },
  values: Readonly<Record<string, number | Share | null>>,
): void {
  const row = scores.rows.get(id) ?? scores.rows.size;
  scores.rows.set(id, row);
  scores.clusters[row] = tags["cluster"] ?? null;
  for (const [metric, value] of Object.entries(values)) {
    let column = scores.columns.get(metric);
    if (column === undefined) {
      column = { of: [], over: [], repeats: [] };
      scores.columns.set(metric, column);
    }
    if (value === null) continue;
    const { of, over } = typeof value === "number" ? { of: value, over: 1 } : value;
    column.of[row] = (column.of[row] ?? 0) + of;
    column.over[row] = (column.over[row] ?? 0) + over;
    column.repeats[row] = (column.repeats[row] ?? 0) + 1;
  }
}

/**
 * The scores as comparisons take them: repeats averaged over those that have a value.
 * Source: specification of statistics, repeats of a sample.
 * @example runScores(scores).values["eqs"]?.of // [0.9]
 */
export function runScores({ rows, clusters, columns }: CollectedScores): RunScores {
  return {
    ids: [...rows.keys()],
    clusters: clusters.some((cluster) => cluster !== null) ? clusters : null,
    values: Object.fromEntries(
      [...columns].map(([metric, sums]) => [metric, columnOf(sums, rows.size)]),
    ),
  };
}

function columnOf(
  { of, over, repeats }: { of: number[]; over: number[]; repeats: number[] },
  count: number,
): ScoreColumn {
  const rows = Array.from({ length: count }, (_, row) => row);
  const mean = (sums: number[], row: number) => (sums[row] ?? 0) / (repeats[row] ?? 1);
  const means = rows.map((row) => mean(over, row));
  return {
    of: rows.map((row) => (repeats[row] === undefined ? null : mean(of, row))),
    over: rows.every((row) => repeats[row] === undefined || means[row] === 1) ? null : means,
  };
}
