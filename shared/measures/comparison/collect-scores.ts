import type { RunScores, ScoreColumn, Share } from "../../contracts/runs/run-scores.ts";
import type { ScoredSample } from "../../contracts/suite.ts";

/** A run's scores while they are collected, in any order: sums over the repeats of each sample. */
export interface CollectedScores {
  /** By index in the columns. */
  rows: CollectedRow[];
  /** Indexes by sample id; empty while the rows are the expected ones. */
  places: Map<string, number>;
  expected: readonly string[];
  columns: Map<string, { of: number[]; over: number[]; repeats: number[] }>;
}

interface CollectedRow {
  id: string;
  /** Index in the run of its first answer. */
  seq: number;
  cluster: string | null;
  /** Whether the sample has any answer. */
  given: boolean;
}

/** The fields of an answer that identify its sample. */
type AnswerPlace = Pick<ScoredSample, "seq" | "id" | "tags"> & {
  call: Pick<ScoredSample["call"], "error">;
};

/**
 * Scores without samples. `expected`: distinct ids, probably in this order, because comparing ids is faster than
 * finding them.
 * @example runScores(noScores()).ids // []
 */
export function noScores(expected: readonly string[] = []): CollectedScores {
  return { rows: [], places: new Map(), expected, columns: new Map() };
}

/**
 * Adds an answer's values, of all `metrics` or some. Changes `scores`.
 * @example collectScores(scores, scored, suite.sampleValues(scored.score))
 */
export function collectScores(
  scores: CollectedScores,
  { seq, id, tags, call }: AnswerPlace,
  values: Readonly<Record<string, number | Share | null>>,
  metrics: readonly string[] = Object.keys(values),
): void {
  const at = placeOf(scores, id);
  const row = scores.rows[at] ?? { id, seq, cluster: tags["cluster"] ?? null, given: false };
  scores.rows[at] = row;
  row.seq = Math.min(row.seq, seq);
  row.given ||= call.error?.class !== "not_submitted";
  for (const metric of metrics) {
    const value = values[metric];
    let column = scores.columns.get(metric);
    if (column === undefined) {
      column = { of: [], over: [], repeats: [] };
      scores.columns.set(metric, column);
    }
    if (value === null || value === undefined) continue;
    // Without holes, arrays are several times as fast.
    while (column.of.length <= at) {
      column.of.push(0);
      column.over.push(0);
      column.repeats.push(0);
    }
    const isPlain = typeof value === "number";
    column.of[at]! += isPlain ? value : value.of;
    column.over[at]! += isPlain ? 1 : value.over;
    column.repeats[at]! += 1;
  }
}

/** Index of a sample's row, which is created if missing. */
function placeOf({ rows, places, expected }: CollectedScores, id: string): number {
  const next = rows.length;
  if (places.size === 0 && expected[next] === id) return next;
  if (places.size === 0) for (const [at, row] of rows.entries()) places.set(row.id, at);
  const known = places.get(id);
  if (known === undefined) places.set(id, next);
  return known ?? next;
}

/**
 * The scores as comparisons need them, in the order of the run; repeats are averaged over those with a value.
 * Source: docs/spec/statistics.md, repeats of a sample.
 * @example runScores(scores).values["eqs"]?.of // [0.9]
 */
export function runScores({ rows, columns }: CollectedScores): RunScores {
  const places = [...rows.keys()].sort((a, b) => rows[a]!.seq - rows[b]!.seq);
  const ordered = places.map((at) => rows[at]!);
  const clusters = ordered.map(({ cluster }) => cluster);
  return {
    ids: ordered.map(({ id }) => id),
    clusters: clusters.some((cluster) => cluster !== null) ? clusters : null,
    lacking: ordered.flatMap(({ given }, i) => (given ? [] : [i])),
    values: Object.fromEntries(
      [...columns].map(([metric, sums]) => [metric, columnOf(sums, places)]),
    ),
  };
}

function columnOf(
  { of, over, repeats }: { of: number[]; over: number[]; repeats: number[] },
  places: readonly number[],
): ScoreColumn {
  const mean = (sums: number[], at: number) => (sums[at] ?? 0) / (repeats[at] || 1);
  const means = places.map((at) => mean(over, at));
  const isPlain = places.every((at, i) => !repeats[at] || means[i] === 1);
  return {
    of: places.map((at) => (repeats[at] ? mean(of, at) : null)),
    over: isPlain ? null : means,
  };
}

/** The values of a column so far, as JSON without brackets. */
interface ColumnText {
  of: string[];
  over: string[];
  isPlain: boolean;
}

/**
 * Joins the scores of a run's pieces, each the JSON of `runScores` over whole samples, in the order of the run.
 * Returns JSON in parts to write one after the other, with the same bytes as for the run in one piece; one piece is
 * parsed at a time. Linear.
 * @example joinScores([JSON.stringify(runScores(scores))]).join("") // the same text
 */
export function joinScores(pieces: readonly string[]): string[] {
  if (pieces.length === 1) return [...pieces];
  const [ids, clusters, lacking]: string[][] = [[], [], []];
  const columns = new Map<string, ColumnText>();
  let count = 0;
  let isClustered = false;
  for (const piece of pieces) {
    const scores = JSON.parse(piece) as RunScores;
    const its = scores.ids.length;
    ids!.push(elements(scores.ids));
    clusters!.push(elements(scores.clusters ?? repeated(null, its)));
    isClustered ||= scores.clusters !== null;
    const before = count;
    if (scores.lacking.length > 0) lacking!.push(elements(scores.lacking.map((i) => before + i)));
    for (const metric of new Set([...columns.keys(), ...Object.keys(scores.values)])) {
      const column = columns.get(metric) ?? valuesOf(repeated(null, before));
      columns.set(metric, column);
      const { of, over } = scores.values[metric] ?? { of: repeated(null, its), over: null };
      addValues(column, of, over);
    }
    count += its;
  }
  const parts = [...columns].map(([metric, { of, over, isPlain }], i) => [
    `${i === 0 ? "" : ","}${JSON.stringify(metric)}:{"of":[`,
    ...listed(of),
    '],"over":',
    ...(isPlain ? ["null"] : ["[", ...listed(over), "]"]),
    "}",
  ]);
  return [
    '{"ids":[',
    ...listed(ids!),
    '],"clusters":',
    ...(isClustered ? ["[", ...listed(clusters!), "]"] : ["null"]),
    ',"lacking":[',
    ...listed(lacking!),
    '],"values":{',
    ...parts.flat(),
    "}}",
  ];
}

const repeated = <T>(value: T, count: number): T[] => new Array<T>(count).fill(value);

const elements = (values: readonly unknown[]): string => JSON.stringify(values).slice(1, -1);

const listed = (texts: readonly string[]): string[] =>
  texts.flatMap((text, i) => (i === 0 ? [text] : [",", text]));

function valuesOf(of: ScoreColumn["of"]): ColumnText {
  const column = { of: [], over: [], isPlain: true };
  if (of.length > 0) addValues(column, of, null);
  return column;
}

/** A sample without a value has no weight. */
function addValues(column: ColumnText, of: ScoreColumn["of"], over: ScoreColumn["over"]): void {
  column.of.push(elements(of));
  column.over.push(elements(over ?? of.map((value) => (value === null ? 0 : 1))));
  column.isPlain &&= over === null;
}
