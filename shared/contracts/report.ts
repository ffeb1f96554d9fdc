import type { Metric } from "./metric.ts";

/** How good a zone, part or row is; the site gives each tone one colour everywhere. */
export type Tone = "excellent" | "good" | "fair" | "poor" | "missed" | "extra" | "neutral";

interface Block {
  title: string;
  /** Also shown where there is room for little, such as a terminal. */
  brief?: true;
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
  }[];
}

/** A value that depends on another one, drawn as a line, with points of it that are worth a name. */
export interface LineBlock extends Block {
  kind: "line";
  x: { label: string; format: Metric["format"] };
  y: { label: string; format: Metric["format"] };
  /** In the order of x; the line is as high between two points as at the later one. */
  points: { x: number; y: number }[];
  marks: { x: number; y: number; label: string; tone: Tone }[];
}

/** Rows of text and numbers. A cell is printed by its column's format; null prints as "–". */
export interface TableBlock extends Block {
  kind: "table";
  columns: { id: string; label: string; format: Metric["format"] | "text" }[];
  rows: Record<string, string | number | null>[];
}

/** A sentence or two, with what they rest on. */
export interface NoteBlock extends Block {
  kind: "note";
  tone: Tone;
  text: string;
}

export type ReportBlock = GaugeBlock | StackBlock | BarsBlock | LineBlock | TableBlock | NoteBlock;

/** A part of a run's report that its suite supplies; the site only draws. */
export interface ReportSection {
  id: string;
  title: string;
  /** One or two sentences: what the section shows. */
  intro: string;
  blocks: ReportBlock[];
}
