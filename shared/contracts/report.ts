import type { Metric } from "./metric.ts";

/**
 * Categories that charts distinguish. The site gives each one colour, the same in every chart; tones that may
 * appear in the same chart have different colours. Kinds are for categories that fit none of the others.
 */
export const tones = [
  // Quality of a value.
  "excellent",
  "good",
  "fair",
  "poor",
  "veryPoor",
  // Verdict on an expected or a predicted item.
  "right",
  "close",
  "other",
  "wrong",
  "missed",
  "extra",
  "partMissed",
  "partExtra",
  "madeUp",
  // How an answer was parsed.
  "read",
  "recovered",
  "unreadable",
  "refused",
  "empty",
  "failed",
  // A part compared with the whole.
  "above",
  "below",
  "kind0",
  "kind1",
  "kind2",
  "kind3",
  "kind4",
  "kind5",
  "neutral",
] as const;

/** A category in charts. */
export type Tone = (typeof tones)[number];

/** A category with its label in a chart's key. */
interface KeyEntry {
  tone: Tone;
  label: string;
}

/** A filter for lists of samples that selects those behind a row, an area or a dot. */
export interface SampleFilter {
  /** Place of a judged part, without indices; `*` matches any characters. */
  path?: string;
  verdict?: string;
  /** Error pattern of a part. */
  pattern?: string;
  /** Model that judged a part. */
  judge?: string;
  /** Tag and value: `domain:law`. */
  tag?: string;
  /** Class of the error of failed requests. */
  error?: string;
  /** Id of a single sample, and the index of its repeat. */
  sample?: string;
  repeat?: string;
}

interface Block {
  title: string;
  /** Also shown where space is limited, such as in a terminal. */
  brief?: true;
  /** Secondary: collapsed until a reader opens it. */
  folded?: true;
}

/** A value on a scale with named zones. */
export interface GaugeBlock extends Block {
  kind: "gauge";
  value: number | null;
  interval: [number, number] | null;
  min: number;
  max: number;
  format: Metric["format"];
  /** Consecutive, from `min` to `max`. */
  zones: { from: number; to: number; label: string; tone: Tone }[];
}

/** Parts of a whole, drawn as one stacked bar. */
export interface StackBlock extends Block {
  kind: "stack";
  unit: string;
  parts: {
    label: string;
    count: number;
    tone: Tone;
    definition: string;
    samples?: SampleFilter;
  }[];
}

/** Values side by side on a common axis, with intervals if there are any. */
export interface BarsBlock extends Block {
  kind: "bars";
  format: Metric["format"];
  bars: {
    label: string;
    value: number | null;
    interval: [number, number] | null;
    n: number;
    tone: Tone;
    /** Reference line across all rows; it replaces a bar. */
    isReference?: true;
    samples?: SampleFilter;
  }[];
  /** Notes on the values, shown once below the chart. */
  below?: string;
  /** Meaning of the tones, if tones distinguish the bars. */
  legend: KeyEntry[];
}

interface LinePoint {
  x: number;
  y: number;
  /** Text for x in tables, for points that would look equal when x is rounded. */
  text?: string;
}

/** A function drawn as a line, with some labelled points on it. */
export interface LineBlock extends Block {
  kind: "line";
  x: { label: string; format: Metric["format"] };
  y: { label: string; format: Metric["format"] };
  /** In ascending order of x; between two points the line has the y of the later one. */
  points: LinePoint[];
  marks: { x: number; y: number; label: string; tone: Tone }[];
}

/**
 * `figure`: a number with its unit in words (units differ from row to row), or an interval. `grade`: a level in words,
 * such as "Good, could be Minimum"; its row may have a `letter`.
 */
export type ColumnFormat = Metric["format"] | "text" | "figure" | "grade";

/** Whether cells of a format are printed as they are. */
export const isPrinted = (
  format: ColumnFormat,
): format is Exclude<ColumnFormat, Metric["format"]> =>
  format === "text" || format === "figure" || format === "grade";

/** Rows of text and numbers. The column's format applies to each cell; null prints as "–". */
export interface TableBlock extends Block {
  kind: "table";
  columns: { id: string; label: string; format: ColumnFormat }[];
  /** Cells by column. Not printed: `metric`, the id of a row's metric, and `letter`, the letter of its grade. */
  rows: Record<string, string | number | null>[];
  /** By row; null: none. */
  samples?: (SampleFilter | null)[];
  /** Notes on the rows, shown once below the table. */
  below?: string;
}

/** One or two sentences with the figure behind them. */
export interface NoteBlock extends Block {
  kind: "note";
  tone: Tone;
  text: string;
}

/** Quantity of an axis or a cell: its name, with its unit if the format does not show it. */
export interface Axis {
  label: string;
  format: Metric["format"];
}

/** Two to eight values 0–1 on axes around one centre. */
export interface RadarBlock extends Block {
  kind: "radar";
  axes: { label: string; value: number | null; interval: [number, number] | null }[];
}

/** Points in two quantities. */
export interface ScatterBlock extends Block {
  kind: "scatter";
  x: Axis & { scale: "linear" | "log" };
  y: Axis;
  points: { x: number; y: number; label: string; tone: Tone; samples?: SampleFilter }[];
  /** Points are single samples, and their labels the ids. */
  areSamples?: true;
  /** Meaning of the tones, if tones distinguish the points. */
  legend: KeyEntry[];
}

/** How many values are between two bounds, with labelled values as vertical lines. */
export interface HistogramBlock extends Block {
  kind: "histogram";
  x: Axis & { scale: "linear" | "log" };
  /** What is counted. */
  unit: string;
  /** In order; each bin ends where the next one begins. */
  bins: { from: number; to: number; count: number }[];
  lines: { x: number; label: string }[];
}

/** Values by two categories, as colours and numbers. */
export interface MatrixBlock extends Block {
  kind: "matrix";
  rows: { label: string; names: string[] };
  columns: { label: string; names: string[] };
  /** By row; null if there is nothing to measure. */
  cells: (number | null)[][];
  /** By row and column; null: none. */
  samples?: (SampleFilter | null)[][];
  format: Metric["format"];
  /**
   * Range of the colours: `diverging` from −1 to 1 around 0, `share` 0–1, `own` from the smallest to the largest
   * value.
   */
  scale: "diverging" | "share" | "own";
}

/** The five-number summaries of several distributions. */
export interface BoxesBlock extends Block {
  kind: "boxes";
  y: Axis;
  groups: {
    label: string;
    n: number;
    min: number;
    q1: number;
    median: number;
    q3: number;
    max: number;
  }[];
}

/** Counts in two levels, drawn as areas. */
export interface TreeBlock extends Block {
  kind: "tree";
  unit: string;
  groups: {
    label: string;
    tone: Tone;
    parts: { label: string; count: number; samples?: SampleFilter }[];
  }[];
}

/** Values over time: one column each, or one line for each series. */
export interface SeriesBlock extends Block {
  kind: "series";
  x: Axis;
  y: Axis;
  series: { label: string; tone: Tone; points: { x: number; y: number | null }[] }[];
}

/** Unformatted text with marked passages; `from` and `to` count UTF-16 units, marks do not overlap. */
export interface TextBlock extends Block {
  kind: "text";
  text: string;
  marks: {
    from: number;
    to: number;
    tone: Tone;
    label: string;
    /** The passage differs from the searched value in case, blanks, digit separators or date format. */
    isLoose?: boolean;
  }[];
  /** Number of characters cut off at the end. */
  left: number;
  /** Monospaced, such as JSON. */
  isCode: boolean;
}

/** Expected and predicted values next to each other. */
export interface FieldsBlock extends Block {
  kind: "fields";
  rows: {
    path: string;
    expected: string | null;
    answer: string | null;
    /** The verdict, such as "exact" or "missed". */
    verdict: string;
    tone: Tone;
    note: string | null;
  }[];
  /** Number of rows omitted. */
  left: number;
}

/** Recommendations, each with the figure it is based on. */
export interface AdviceBlock extends Block {
  kind: "advice";
  items: {
    tone: Tone;
    /** The finding, in one sentence. */
    finding: string;
    /** The figure it is based on. */
    cell: string;
    value: number | null;
    format: Metric["format"];
    interval: [number, number] | null;
    n: number;
    /** What to change. */
    change: "prompt" | "mode" | "parameters" | "model" | "data" | "judges";
    action: string;
  }[];
}

export type ReportBlock =
  | GaugeBlock
  | StackBlock
  | BarsBlock
  | LineBlock
  | TableBlock
  | NoteBlock
  | RadarBlock
  | ScatterBlock
  | HistogramBlock
  | MatrixBlock
  | BoxesBlock
  | TreeBlock
  | SeriesBlock
  | TextBlock
  | FieldsBlock
  | AdviceBlock;

/** A kind of error by which a run loses points. */
export interface Loss {
  label: string;
  count: number;
  /** What is counted, in the plural. */
  unit: string;
  /** Selects its samples, as parameters of the page of samples; empty: nothing does. */
  samples: Readonly<Record<string, string>>;
}

/** A part of a run's report. The suite supplies the data; the site draws it. */
export interface ReportSection {
  id: string;
  title: string;
  /** Description of the section in one or two sentences. */
  intro: string;
  blocks: ReportBlock[];
  /** In sections on errors: the largest losses, most first. */
  losses?: Loss[] | undefined;
}

/** A sample of a run as its suite shows it, and why it was picked. */
export interface ShownSample {
  kind: "worst" | "best" | "odd";
  /** Why it was picked, such as "slowest answer". */
  reason: string;
  id: string;
  /** Index of the repeat, from 0. */
  repeat: number;
  status: "scored" | "unscored" | "not_applicable" | "answered";
  score: number | null;
  blocks: ReportBlock[];
}
