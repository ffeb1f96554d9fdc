import type { Metric } from "./metric.ts";

/**
 * Categories that charts distinguish. The site gives each one colour, the same in every chart; tones that may
 * appear in the same chart have different colours. Kinds are for categories that fit none of the others.
 */
export const tones = [
  // How good a value is.
  ...(["excellent", "good", "fair", "poor", "veryPoor"] as const),
  // Verdict on an expected or a predicted item.
  ...(["right", "close", "other", "wrong", "missed", "extra"] as const),
  ...(["partMissed", "partExtra", "madeUp"] as const),
  // How an answer was read.
  ...(["read", "recovered", "unreadable", "refused", "empty", "failed"] as const),
  // A part compared with the whole.
  ...(["above", "below"] as const),
  ...(["kind0", "kind1", "kind2", "kind3", "kind4", "kind5"] as const),
  "neutral",
] as const;

/** A category as charts draw it. */
export type Tone = (typeof tones)[number];

/** A category of a chart, as its key names it. */
interface KeyEntry {
  tone: Tone;
  label: string;
}

interface Block {
  title: string;
  /** Also shown where there is room for little, such as a terminal. */
  brief?: true;
  /** Of second rank: closed until a reader opens it. */
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
  parts: { label: string; count: number; tone: Tone; definition: string }[];
}

/** Values side by side on a common axis, with intervals where there are any. */
export interface BarsBlock extends Block {
  kind: "bars";
  format: Metric["format"];
  bars: {
    label: string;
    value: number | null;
    interval: [number, number] | null;
    n: number;
    tone: Tone;
    /** A line that the others are read against, drawn across all rows, in place of a bar. */
    isReference?: true;
  }[];
  /** What must be known of several of its values, said once beneath. */
  below?: string;
  /** Meaning of the tones, if tones distinguish the bars. */
  legend: KeyEntry[];
}

interface LinePoint {
  x: number;
  y: number;
  /** The text of x in a table, where rounding by its format would make several points look equal. */
  text?: string;
}

/** A value that depends on another one, drawn as a line, with points of it that are worth a name. */
export interface LineBlock extends Block {
  kind: "line";
  x: { label: string; format: Metric["format"] };
  y: { label: string; format: Metric["format"] };
  /** In the order of x; the line is as high between two points as at the later one. */
  points: LinePoint[];
  marks: { x: number; y: number; label: string; tone: Tone }[];
}

/** `figure`: a number in words, of units that differ from row to row, or an interval. */
export type ColumnFormat = Metric["format"] | "text" | "figure";

/** Rows of text and numbers. A cell is printed by its column's format; null prints as "–". */
export interface TableBlock extends Block {
  kind: "table";
  columns: { id: string; label: string; format: ColumnFormat }[];
  rows: Record<string, string | number | null>[];
  /** What must be known of several of its rows, said once beneath. */
  below?: string;
}

/** A sentence or two, with what they rest on. */
export interface NoteBlock extends Block {
  kind: "note";
  tone: Tone;
  text: string;
}

/** A quantity of an axis or a cell: what it is, with its unit where the format does not say it. */
export interface Axis {
  label: string;
  format: Metric["format"];
}

/** Two to eight values 0–1 on axes from one centre. */
export interface RadarBlock extends Block {
  kind: "radar";
  axes: { label: string; value: number | null; interval: [number, number] | null }[];
}

/** Things in two quantities, a dot each. */
export interface ScatterBlock extends Block {
  kind: "scatter";
  x: Axis & { scale: "linear" | "log" };
  y: Axis;
  points: { x: number; y: number; label: string; tone: Tone }[];
  /** Meaning of the tones, if tones distinguish the points. */
  legend: KeyEntry[];
}

/** How often values fall between two bounds, with named values across. */
export interface HistogramBlock extends Block {
  kind: "histogram";
  x: Axis & { scale: "linear" | "log" };
  /** What is counted. */
  unit: string;
  /** In order, each up to the next one's `from`. */
  bins: { from: number; to: number; count: number }[];
  lines: { x: number; label: string }[];
}

/** Values by two names, as colours and numbers. */
export interface MatrixBlock extends Block {
  kind: "matrix";
  rows: { label: string; names: string[] };
  columns: { label: string; names: string[] };
  /** Row by row; null where there is nothing to measure. */
  cells: (number | null)[][];
  format: Metric["format"];
  /** What the colours run over: `diverging` from −1 to 1 around 0, `share` 0–1, `own` from least to most. */
  scale: "diverging" | "share" | "own";
}

/** The five numbers of distributions side by side. */
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

/** Counts in two levels, as areas. */
export interface TreeBlock extends Block {
  kind: "tree";
  unit: string;
  groups: { label: string; tone: Tone; parts: { label: string; count: number }[] }[];
}

/** Values over time, a column each; of lines, one a series. */
export interface SeriesBlock extends Block {
  kind: "series";
  x: Axis;
  y: Axis;
  series: { label: string; tone: Tone; points: { x: number; y: number | null }[] }[];
}

/** Text as it is, with marked passages; `from` and `to` count UTF-16 units, marks do not overlap. */
export interface TextBlock extends Block {
  kind: "text";
  text: string;
  marks: {
    from: number;
    to: number;
    tone: Tone;
    label: string;
    /** The text writes it otherwise than what was looked for: in case, blanks, separators of digits or the form of a date. */
    isLoose?: boolean;
  }[];
  /** Characters cut off at the end. */
  left: number;
  /** Set in a fixed width, such as JSON. */
  isCode: boolean;
}

/** Expected and answered values side by side. */
export interface FieldsBlock extends Block {
  kind: "fields";
  rows: {
    path: string;
    expected: string | null;
    answer: string | null;
    /** Its verdict, such as "exact" or "missed". */
    verdict: string;
    tone: Tone;
    note: string | null;
  }[];
  /** Rows left out. */
  left: number;
}

/** What to do next, each with the figure that it rests on. */
export interface AdviceBlock extends Block {
  kind: "advice";
  items: {
    tone: Tone;
    /** What was found, in a sentence. */
    finding: string;
    /** The figure behind it. */
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

/** A part of a run's report that its suite supplies; the site only draws. */
export interface ReportSection {
  id: string;
  title: string;
  /** One or two sentences: what the section shows. */
  intro: string;
  blocks: ReportBlock[];
}

/** A sample of a run as its suite shows it, and why it was picked. */
export interface ShownSample {
  kind: "worst" | "best" | "odd";
  /** In words, such as "slowest answer". */
  reason: string;
  id: string;
  /** From 0; which of its repeats. */
  repeat: number;
  status: "scored" | "unscored" | "not_applicable" | "answered";
  score: number | null;
  blocks: ReportBlock[];
}
