import type { Metric } from "../../contracts/metric.ts";
import type { NoteBlock, ReportBlock, TableBlock } from "../../contracts/report.ts";
import { tableOf } from "./blocks.ts";
import { differenceText, intervalText } from "./figure-text.ts";

/** A part of a run with the value of the figure that parts are compared by; more is better. */
export interface StandingCell {
  label: string;
  value: number | null;
  interval: readonly [number, number] | null;
  /** Samples that it rests on. */
  n: number;
}

/** The figure that parts are compared by, and what it is over the whole run. */
interface Overall {
  label: string;
  value: number | null;
  format: Metric["format"];
}

type KnownCell = StandingCell & { value: number; interval: readonly [number, number] };

/** Intervals of fewer samples are too unsteady to rest a word on. */
const leastSamples = 20;

/** Of strengths and of weaknesses. */
const mostCells = 8;

/**
 * The parts of a run that clearly differ from it: 20 samples or more, and a 95% interval that leaves out the
 * value of the whole run; those furthest from it first. Each with value, interval, n and difference. Where no
 * part stands out, a sentence says so; where no part is large enough, another. O(n log n).
 * @example standingBlocks(cells, { label: "Partial F1", value: 0.8, format: "score" })[0]?.title // "Strengths"
 */
export function standingBlocks(cells: readonly StandingCell[], overall: Overall): ReportBlock[] {
  const { value } = overall;
  const tested = cells.filter(isTested);
  if (value === null || tested.length === 0) {
    return [note("Strengths and weaknesses", "No part of this run has 20 samples or more.")];
  }
  const above = tested.filter(({ interval }) => interval[0] > value);
  const below = tested.filter(({ interval }) => interval[1] < value);
  if (above.length + below.length === 0) {
    const which =
      tested.length === 1
        ? "The only part of 20 samples or more does not stand out: its 95% interval holds"
        : `None of ${tested.length} parts of 20 samples or more stands out: the 95% interval of each holds`;
    const text = `${which} the ${overall.label} of the whole run.`;
    return [note("Strengths and weaknesses", text)];
  }
  return [
    ...side("Strengths", above, overall.label, value, overall.format),
    ...side("Weaknesses", below, overall.label, value, overall.format),
    note("How parts were picked", pickedText(tested.length, above.length + below.length)),
  ];
}

function isTested(cell: StandingCell): cell is KnownCell {
  return cell.n >= leastSamples && cell.value !== null && cell.interval !== null;
}

function side(
  title: string,
  cells: readonly KnownCell[],
  label: string,
  whole: number,
  format: Metric["format"],
): ReportBlock[] {
  if (cells.length === 0) {
    const place = title === "Strengths" ? "above" : "below";
    return [note(title, `No part of 20 samples or more is clearly ${place} the whole run.`)];
  }
  const furthest = [...cells].sort((a, b) => Math.abs(b.value - whole) - Math.abs(a.value - whole));
  const rows = furthest.map(({ label: part, value, interval, n }): TableBlock["rows"][number] => ({
    ...{ part, value, interval: intervalText(interval, format), n },
    difference: differenceText(value - whole, format),
  }));
  return tableOf(
    title,
    [
      ["part", "Part", "text"],
      ["value", label, format],
      ["interval", "95% interval", "figure"],
      ["difference", "Against the whole run", "figure"],
      ["n", "Samples", "count"],
    ],
    rows.slice(0, mostCells),
  );
}

function pickedText(tested: number, out: number): string {
  return `Of ${tested} parts of 20 samples or more, ${out} ${out === 1 ? "has" : "have"} a 95% interval that leaves out the value of the whole run. By chance alone, about one in twenty would.`;
}

function note(title: string, text: string): NoteBlock {
  return { kind: "note", title, tone: "neutral", text };
}
