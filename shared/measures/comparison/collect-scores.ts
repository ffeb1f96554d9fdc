import type { RunScores, ScoreColumn, Share } from "../../contracts/run-scores.ts";
import type { ScoredSample } from "../../contracts/suite.ts";

/** A run's scores while its samples come in, in any order: sums over the repeats of each. */
export interface CollectedScores {
  rows: Map<string, CollectedRow>;
  columns: Map<string, { of: number[]; over: number[]; repeats: number[] }>;
}

interface CollectedRow {
  /** Place in the columns. */
  at: number;
  /** The first of its answers in the run. */
  seq: number;
  cluster: string | null;
  /** Whether any answer was given. */
  given: boolean;
}

/** What of an answer says where it belongs. */
type AnswerPlace = Pick<ScoredSample, "seq" | "id" | "tags"> & {
  call: Pick<ScoredSample["call"], "error">;
};

/**
 * The scores of no samples.
 * @example runScores(noScores()).ids // []
 */
export function noScores(): CollectedScores {
  return { rows: new Map(), columns: new Map() };
}

/**
 * Adds an answer's values. Changes `scores`.
 * @example collectScores(scores, scored, suite.sampleValues(scored.score))
 */
export function collectScores(
  scores: CollectedScores,
  { seq, id, tags, call }: AnswerPlace,
  values: Readonly<Record<string, number | Share | null>>,
): void {
  const row = scores.rows.get(id) ?? {
    at: scores.rows.size,
    seq,
    cluster: tags["cluster"] ?? null,
    given: false,
  };
  scores.rows.set(id, row);
  row.seq = Math.min(row.seq, seq);
  row.given ||= call.error?.class !== "not_submitted";
  for (const [metric, value] of Object.entries(values)) {
    let column = scores.columns.get(metric);
    if (column === undefined) {
      column = { of: [], over: [], repeats: [] };
      scores.columns.set(metric, column);
    }
    if (value === null) continue;
    const { of, over } = typeof value === "number" ? { of: value, over: 1 } : value;
    column.of[row.at] = (column.of[row.at] ?? 0) + of;
    column.over[row.at] = (column.over[row.at] ?? 0) + over;
    column.repeats[row.at] = (column.repeats[row.at] ?? 0) + 1;
  }
}

/**
 * The scores as comparisons take them, in the order of the run: repeats averaged over those that have a
 * value.
 * Source: docs/spec/statistics.md, repeats of a sample.
 * @example runScores(scores).values["eqs"]?.of // [0.9]
 */
export function runScores({ rows, columns }: CollectedScores): RunScores {
  const ordered = [...rows].sort(([, a], [, b]) => a.seq - b.seq);
  const places = ordered.map(([, { at }]) => at);
  const clusters = ordered.map(([, { cluster }]) => cluster);
  return {
    ids: ordered.map(([id]) => id),
    clusters: clusters.some((cluster) => cluster !== null) ? clusters : null,
    lacking: ordered.flatMap(([, { given }], i) => (given ? [] : [i])),
    values: Object.fromEntries(
      [...columns].map(([metric, sums]) => [metric, columnOf(sums, places)]),
    ),
  };
}

function columnOf(
  { of, over, repeats }: { of: number[]; over: number[]; repeats: number[] },
  places: readonly number[],
): ScoreColumn {
  const mean = (sums: number[], at: number) => (sums[at] ?? 0) / (repeats[at] ?? 1);
  const means = places.map((at) => mean(over, at));
  const isPlain = places.every((at, i) => repeats[at] === undefined || means[i] === 1);
  return {
    of: places.map((at) => (repeats[at] === undefined ? null : mean(of, at))),
    over: isPlain ? null : means,
  };
}
