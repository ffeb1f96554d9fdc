import type { Metric } from "../../../contracts/metric.ts";
import type { BarsBlock, ReportBlock, Tone } from "../../../contracts/report.ts";
import { note, tableOf } from "../charts/blocks.ts";
import { differenceText, figureText, intervalText } from "../figures/figure-text.ts";
import { fewestSamples } from "../figures/part-interval.ts";

/** A part of a run with the value of the compared figure; more is better. */
export interface PartCell {
  label: string;
  value: number | null;
  interval: readonly [number, number] | null;
  /** Number of samples it is based on. */
  n: number;
}

/** A figure to compare parts by: its value over the whole run, and over the parts. */
export interface ComparedFigure {
  label: string;
  value: number | null;
  format: Metric["format"];
  cells: readonly PartCell[];
}

/** A part whose figure could be compared with the run's. */
interface TestedCell extends Pick<ComparedFigure, "format"> {
  part: string;
  measure: string;
  value: number;
  interval: readonly [number, number];
  whole: number;
  n: number;
}

/** Maximum number of strengths, and of weaknesses. */
const mostCells = 8;

/**
 * The parts of a run that clearly differ from it in a figure: at least 20 samples, and a 95% interval that excludes
 * the run's value; the furthest from it first. Each with value, interval, n and difference, and the number of parts
 * compared. A sentence replaces them if no part differs or none is large enough. O(n log n).
 * @example strengthBlocks([{ label: "F1", value: 0.8, format: "score", cells }])[0]?.title // "Strengths"
 */
export function strengthBlocks(compared: readonly ComparedFigure[]): ReportBlock[] {
  const tested = compared.flatMap(testedOf);
  if (tested.length === 0) {
    return [note("Strengths and weaknesses", "No part of this run has 20 samples or more.")];
  }
  const above = tested.filter(({ interval, whole }) => interval[0] > whole);
  const below = tested.filter(({ interval, whole }) => interval[1] < whole);
  if (above.length + below.length === 0) {
    return [note("Strengths and weaknesses", noneText(tested))];
  }
  const isOne = new Set(tested.map(({ measure }) => measure)).size === 1;
  return [
    ...side("Strengths", above, isOne),
    ...side("Weaknesses", below, isOne),
    note("How parts were picked", pickedText(tested, above.length + below.length)),
  ];
}

function testedOf({ label: measure, value: whole, format, cells }: ComparedFigure): TestedCell[] {
  if (whole === null) return [];
  return cells.flatMap(({ label: part, value, interval, n }) =>
    n < fewestSamples || value === null || interval === null
      ? []
      : [{ part, measure, format, value, interval, whole, n }],
  );
}

function side(title: string, cells: readonly TestedCell[], isOne: boolean): ReportBlock[] {
  const [first] = cells;
  if (first === undefined) {
    const place = title === "Strengths" ? "above" : "below";
    return [note(title, `No part of 20 samples or more is clearly ${place} the whole run.`)];
  }
  const distance = ({ value, whole }: TestedCell) => Math.abs(value - whole);
  const furthest = [...cells].sort((a, b) => distance(b) - distance(a)).slice(0, mostCells);
  return tableOf(
    title,
    [
      ["part", "Part", "text"],
      ...measureColumn(isOne),
      ["value", isOne ? first.measure : "Value", isOne ? first.format : "figure"],
      ["interval", "95% interval", "figure"],
      ["difference", "Against the whole run", "figure"],
      ["n", "Samples", "count"],
    ],
    furthest.map(({ part, measure, value, interval, n, whole, format }) => ({
      part,
      measure,
      interval: intervalText(interval, format),
      n,
      // Figures of different formats share a column, as text.
      value: isOne ? value : figureText(value, format),
      difference: differenceText(value - whole, format),
    })),
  );
}

const measureColumn = (isOne: boolean): [string, string, "text"][] =>
  isOne ? [] : [["measure", "Measure", "text"]];

const measuresOf = (tested: readonly TestedCell[]): string[] => [
  ...new Set(tested.map(({ measure }) => measure)),
];

function countText(tested: readonly TestedCell[]): string {
  const measures = measuresOf(tested);
  const parts = new Set(tested.map(({ part }) => part)).size;
  return measures.length === 1
    ? `${tested.length} parts of 20 samples or more`
    : `${tested.length} values of ${parts} parts of 20 samples or more (${measures.join(", ")})`;
}

function noneText(tested: readonly TestedCell[]): string {
  const [first] = tested;
  if (tested.length === 1) {
    return `The only part of 20 samples or more does not differ clearly: its 95% interval contains the ${first?.measure} of the whole run.`;
  }
  const measures = measuresOf(tested);
  const what = measures.length === 1 ? `the ${measures[0]}` : "the value";
  return `None of ${countText(tested)} differs clearly: the 95% interval of each contains ${what} of the whole run. This is not corrected for the number of tests.`;
}

/** Share of 95% intervals that don't contain the true value. */
const byChance = 0.05;

function pickedText(tested: readonly TestedCell[], out: number): string {
  const expected = Math.max(1, Math.round(tested.length * byChance));
  const chance =
    tested.length < 1 / byChance ? "about one in twenty would" : `about ${expected} would`;
  return `Of ${countText(tested)}, ${out} ${out === 1 ? "has" : "have"} a 95% interval that does not contain the value of the whole run. This is not corrected for the number of tests: by chance, ${chance}.`;
}

/** The legend of charts that colour parts by comparison with the whole run. */
export const aboveBelowLegend: BarsBlock["legend"] = [
  { tone: "above", label: "Clearly above the run" },
  { tone: "below", label: "Clearly below the run" },
  { tone: "neutral", label: "Neither, or in too few samples to say" },
];

/**
 * The tone for a comparison with the whole run.
 * @example aboveBelowTone("level") // "neutral"
 */
export const aboveBelowTone = (standing: "above" | "level" | "below" | null): Tone =>
  standing === "above" || standing === "below" ? standing : "neutral";

/**
 * The tone of a part by its interval: above or below if it excludes the run's value; neutral if it does not, or if
 * either is unknown.
 * @example toneAgainstWhole([0.8, 0.9], 0.7) // "above"
 */
export function toneAgainstWhole(
  interval: readonly [number, number] | null,
  whole: number | null,
): Tone {
  if (interval === null || whole === null) return "neutral";
  if (interval[0] > whole) return "above";
  return interval[1] < whole ? "below" : "neutral";
}
