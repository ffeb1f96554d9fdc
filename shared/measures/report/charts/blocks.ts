import type { Estimates, Metric } from "../../../contracts/metric.ts";
import type {
  BarsBlock,
  ColumnFormat,
  Loss,
  NoteBlock,
  ReportBlock,
  ReportSection,
  SampleFilter,
  StackBlock,
  TableBlock,
  Tone,
  TreeBlock,
} from "../../../contracts/report.ts";
import { figureText, intervalText } from "../figures/figure-text.ts";
import { stepsLegend, type ToneSteps, toneOf } from "./tone-steps.ts";

/** Blocks in order, nested in any way; null: nothing to show. */
export type BlockParts = ReportBlock | null | readonly BlockParts[];

/** A section as suites write it. */
export interface SectionParts extends Omit<ReportSection, "blocks"> {
  blocks: BlockParts;
}

/**
 * Flattens blocks into one list.
 * @example blocksOf([bars, null, [table, note]]) // [bars, table, note]
 */
export function blocksOf(parts: BlockParts): ReportBlock[] {
  if (parts === null) return [];
  return "kind" in parts ? [parts] : parts.flatMap(blocksOf);
}

/**
 * A note with a title.
 * @example note("Unscored answers", "None.").tone // "neutral"
 */
export const note = (title: string, text: string, tone: Tone = "neutral"): NoteBlock => ({
  kind: "note",
  title,
  tone,
  text,
});

/**
 * A note, or nothing if there is nothing to say.
 * @example noteIf("Left out", "") // null
 */
export const noteIf = (title: string, text: string): NoteBlock | null =>
  text === "" ? null : note(title, text.trim());

/** As many losses as a line has room for. */
const mostLosses = 5;

/**
 * The largest losses first; omits empty ones, and losses of one if there are larger ones.
 * @example largestLosses([["Wrong value", 3, { verdict: "incorrect" }]], "fields")[0]?.count // 3
 */
export const largestLosses = (
  kinds: readonly (readonly [label: string, count: number, samples: Loss["samples"]])[],
  unit: string,
): Loss[] =>
  kinds
    .filter(([, count]) => count > (kinds.some(([, other]) => other > 1) ? 1 : 0))
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostLosses)
    .map(([label, count, samples]) => ({ label, count, unit, samples }));

/** A part of a whole. */
export type StackPart = readonly [
  label: string,
  count: number,
  tone: Tone,
  definition: string,
  samples?: SampleFilter,
];

/**
 * A stack block from parts: name, count, tone and definition of each.
 * @example stackOf("Keys", "keys", [["Hits", 3, "right", "Required keys that answers use."]])
 */
export const stackOf = (title: string, unit: string, parts: readonly StackPart[]): StackBlock => ({
  kind: "stack",
  title,
  unit,
  parts: parts.map(([label, count, tone, definition, samples]) => ({
    label,
    count,
    tone,
    definition,
    ...(samples && { samples }),
  })),
});

type TreePart = TreeBlock["groups"][number]["parts"][number];

/**
 * The largest parts of a tree's group, and one part for all others, so that they sum to `total`, or to the sum of the
 * parts.
 * @example treeParts([{ label: "a", count: 3 }, { label: "b", count: 1 }], 1, "others") // a: 3, others: 1
 */
export function treeParts(
  parts: readonly TreePart[],
  most: number,
  others: string,
  total: number = parts.reduce((sum, { count }) => sum + count, 0),
): TreePart[] {
  const largest = parts
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, most);
  const rest = largest.reduce((left, { count }) => left - count, total);
  return rest > 0 ? [...largest, { label: others, count: rest }] : largest;
}

/**
 * A sentence with further counts of a run; null if all are zero. `one`: the words for a single one.
 * @example alsoNote({ truncated: 3 }, [["truncated", "answers were cut off"]])?.text // "3 answers were cut off."
 */
export function alsoNote(
  counts: Readonly<Record<string, number>>,
  texts: readonly (readonly [name: string, text: string, one?: string])[],
): NoteBlock | null {
  const parts = texts.flatMap(([name, text, one = text]) =>
    counts[name] ? [`${counts[name]} ${counts[name] === 1 ? one : text}`] : [],
  );
  return parts.length === 0 ? null : note("Also", `${parts.join("; ")}.`);
}

/** A part with the name under which it is counted. */
export type CountedPart = readonly [name: string, label: string, tone: Tone, definition: string];

/**
 * Parts with their counts by name; 0 if nothing was counted. `samplesOf`: the samples of a part.
 * @example countedParts({ "status empty": 2 }, [["status empty", "Empty", "empty", "Blank."]])[0]?.[1] // 2
 */
export const countedParts = (
  counts: Readonly<Record<string, number>>,
  parts: readonly CountedPart[],
  samplesOf?: (name: string) => SampleFilter,
): StackPart[] =>
  parts.map(([name, label, tone, definition]): StackPart => {
    const part = [label, counts[name] ?? 0, tone, definition] as const;
    return samplesOf === undefined ? part : [...part, samplesOf(name)];
  });

/** Maximum rows of a long table: as many as readers look through, and few enough for a small page. */
const mostTableRows = 15;

/** A row: cells by column id. */
export type Row = TableBlock["rows"][number];

/** A column; without `of`, its cells are the properties with that id. */
export type Column<Item = Row> = readonly [
  id: string,
  label: string,
  format: ColumnFormat,
  of?: (item: Item) => Row[string],
];

/**
 * A table of the first rows, with a note of the total if rows are omitted.
 * @example tableOf("Paths", [["path", "Path", "text"], ["n", "n", "count", ({ its }) => its.length]], paths)
 */
export function tableOf<Item>(
  title: string,
  columns: readonly Column<Item>[],
  items: readonly Item[],
  most: number = mostTableRows,
): [TableBlock] | [TableBlock, NoteBlock] {
  const rowOf = (item: Item): Row =>
    Object.fromEntries(columns.map(([id, , , of]) => [id, of ? of(item) : (item as Row)[id]!]));
  const table: TableBlock = {
    kind: "table",
    title,
    columns: columns.map(([id, label, format]) => ({ id, label, format })),
    rows: items.slice(0, most).map(rowOf),
  };
  if (items.length <= most) return [table];
  const text = `The first ${most} of ${items.length}; the run's breakdown in the API has all of them.`;
  return [table, note(`${title}: more`, text)];
}

/**
 * A table with the samples of each row, so that readers can open them.
 * @example withSamples(tableOf("Paths", columns, paths), paths, ({ path }) => ({ path }))
 */
export const withSamples = <Item>(
  [table, ...more]: [TableBlock, ...NoteBlock[]],
  items: readonly Item[],
  of: (item: Item) => SampleFilter | null,
): [TableBlock, ...NoteBlock[]] => [
  { ...table, samples: items.slice(0, table.rows.length).map(of) },
  ...more,
];

/**
 * A table of the first rows, with the total in the title if rows are omitted.
 * @example cutTable("Functions", [["name", "Function", "text"]], rows, 2).title // "Functions, 2 of 71"
 */
export function cutTable<Item>(
  title: string,
  columns: readonly Column<Item>[],
  items: readonly Item[],
  most: number = mostTableRows,
): TableBlock {
  const shown = items.length > most ? `${title}, ${most} of ${items.length}` : title;
  return tableOf(shown, columns, items.slice(0, most))[0];
}

/**
 * The column of 95% intervals in one format. `id`: needed for a second such column in a table.
 * @example intervalColumn((alpha) => alpha.interval)
 */
export const intervalColumn = <Item>(
  of: (item: Item) => readonly [number, number] | null,
  format: Metric["format"] = "score",
  id = "interval",
): Column<Item> => [id, "95% interval", "figure", (item) => intervalText(of(item), format)];

/**
 * Columns for metrics whose units differ from row to row, with values printed as text: value, interval and n.
 * @example tableOf("Rates", [["label", "Rate", "text"], ...figureColumns(metrics)], rates)
 */
export const figureColumns = (metrics: Estimates, things = "n"): Column<NamedMetric>[] => [
  ["value", "Value", "figure", ({ id, format }) => figureText(metricValue(metrics, id), format)],
  [
    "interval",
    "95% interval",
    "figure",
    ({ id, format }) => intervalText(metrics[id]?.interval ?? null, format),
  ],
  ["n", things, "count", ({ id }) => metrics[id]?.n ?? 0],
];

/** A metric with the fields that charts and tables show. */
export type NamedMetric = Pick<Metric, "id" | "label" | "format">;

/**
 * A metric of a catalogue; for an unknown one, its id as label and the score format.
 * @example metricNamed(catalogue, "f1").label // "F1"
 */
export function metricNamed(catalogue: readonly Metric[], id: string): NamedMetric {
  const { label = id, format = "score" } = catalogue.find((metric) => metric.id === id) ?? {};
  return { id, label, format };
}

/**
 * Metrics of one format as bars, with their labels from the catalogue.
 * @example metricBars("F1", ["f1"], metrics, { catalogue, steps })
 */
export function metricBars(
  title: string,
  ids: readonly string[],
  metrics: Estimates,
  { catalogue, steps }: { catalogue: readonly Metric[]; steps: ToneSteps },
): BarsBlock {
  const { format } = metricNamed(catalogue, ids[0] ?? "");
  return {
    kind: "bars",
    title,
    format,
    legend: stepsLegend(steps, format),
    bars: ids.map((id) => {
      const { value = null, interval = null, n = 0 } = metrics[id] ?? {};
      const { label } = metricNamed(catalogue, id);
      return { label, value, interval, n, tone: toneOf(value, steps) };
    }),
  };
}

/**
 * Marks the blocks as shown where space is limited.
 * @example asBrief(tableOf("Paths", columns, rows))
 */
export const asBrief = (parts: BlockParts): ReportBlock[] =>
  blocksOf(parts).map((block) => ({ ...block, brief: true }));

/**
 * Marks the blocks as secondary: collapsed until a reader opens them.
 * @example asFolded(tableOf("Paths", columns, rows))
 */
export const asFolded = (parts: BlockParts): ReportBlock[] =>
  blocksOf(parts).map((block) => ({ ...block, folded: true }));

/**
 * Counts by name with their share of `total`, as table rows.
 * @example countRows([["exact", 3]], 4) // [{ name: "exact", count: 3, share: 0.75 }]
 */
export const countRows = (
  counts: readonly (readonly [name: string, count: number])[],
  total: number,
): Row[] =>
  counts.map(([name, count]) => ({ name, count, share: total === 0 ? null : count / total }));

/**
 * The value of a metric; null if it was not measured.
 * @example metricValue(metrics, "eqs")
 */
export const metricValue = (metrics: Estimates, id: string): number | null =>
  metrics[id]?.value ?? null;

/**
 * Moves folded blocks to the end, else keeps the order, so that secondary blocks don't separate charts that belong
 * together.
 * @example foldedLast([bars, ...asFolded([table]), boxes]) // bars, boxes, table
 */
export const foldedLast = (parts: BlockParts): ReportBlock[] =>
  blocksOf(parts).toSorted((a, b) => Number(a.folded ?? false) - Number(b.folded ?? false));
