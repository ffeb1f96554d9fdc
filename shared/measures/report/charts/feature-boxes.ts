import type { Axis, BoxesBlock, ReportBlock } from "../../../contracts/report.ts";
import type { RunPoints } from "../../../contracts/runs/run-points.ts";
import { percentile } from "../../../stats/sums/percentile.ts";
import { note } from "./blocks.ts";
import { type PointAxis, pointsText } from "./point-scatter.ts";

/** Up to this many distinct values have a box each; with more, neighbouring values share about four boxes. */
const mostBoxes = 6;
const sharedBoxes = 4;
/** A box of fewer answers is not informative: neighbouring values share one. */
const leastInBox = 5;

/**
 * The distribution of a quantity of single answers by a numeric feature from the suite: by its values if these are
 * few, else by ranges of values. Empty without points, or with a single range. O(n log n).
 * @example featureBoxes("F1 by expected slots", points, "expectedSlots", f1Axis)[0]?.kind // "boxes"
 */
export function featureBoxes(
  title: string,
  points: RunPoints | null,
  feature: string,
  y: PointAxis,
): ReportBlock[] {
  if (points === null) return [];
  const known = points.points.flatMap((point) => {
    const [at, value] = [point.features[feature], y.of(point)];
    return typeof at === "number" && value !== null ? [{ at, value }] : [];
  });
  const bins = binsOf(known.map(({ at }) => at));
  if (bins.length < 2) return [];
  const groups = bins.map(([low, high]) => ({
    label: low === high ? String(low) : `${low}–${high}`,
    values: known.flatMap(({ at, value }) => (low <= at && at <= high ? [value] : [])),
  }));
  const { label, format } = y;
  return boxesOf(`${title}${pointsText(points, known.length)}`, { label, format }, groups);
}

/** Bounds of disjoint ranges; both ends are values that occur. */
function binsOf(values: readonly number[]): [low: number, high: number][] {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const isFew = counts.size <= mostBoxes;
  const least = isFew ? leastInBox : Math.max(leastInBox, values.length / sharedBoxes);
  const bins: { low: number; high: number; count: number }[] = [];
  for (const [value, count] of [...counts].sort(([a], [b]) => a - b)) {
    const last = bins.at(-1);
    if (last === undefined || last.count >= least) bins.push({ low: value, high: value, count });
    else Object.assign(last, { high: value, count: last.count + count });
  }
  const [before, last] = bins.slice(-2);
  // A short rest at the end joins the previous range.
  if (last !== undefined && before !== last && last.count < leastInBox) {
    before!.high = last.high;
    bins.pop();
  }
  return bins.map(({ low, high }) => [low, high]);
}

/** With fewer values, the five numbers would be the values themselves. */
const leastValues = 5;

/**
 * Distributions of groups: minimum, quartiles (type 7) and maximum of each. Groups of fewer than five values are
 * omitted, and a note names them. O(n log n).
 * Source: Hyndman and Fan 1996, type 7.
 * @example boxesOf("EQS by language", { label: "EQS", format: "score" }, [{ label: "en", values }])
 */
export function boxesOf(
  title: string,
  y: Axis,
  groups: readonly { label: string; values: readonly number[] }[],
): ReportBlock[] {
  const drawn = groups.filter(({ values }) => values.length >= leastValues);
  const left = groups.filter(({ values }) => values.length < leastValues);
  const block: BoxesBlock = {
    kind: "boxes",
    title,
    y,
    groups: drawn.map(({ label, values }) => ({ label, ...fiveNumbers(values) })),
  };
  const names = left.map(({ label, values }) => `${label} (${values.length})`);
  const text = `With fewer than ${leastValues} values: ${names.join(", ")}.`;
  return [
    ...(drawn.length === 0 ? [] : [block]),
    ...(left.length === 0 ? [] : [note(`${title}: left out`, text)]),
  ];
}

function fiveNumbers(values: readonly number[]): Omit<BoxesBlock["groups"][number], "label"> {
  const sorted = [...values].sort((a, b) => a - b);
  const [min, q1, median, q3, max] = [0, 0.25, 0.5, 0.75, 1].map((q) => percentile(sorted, q)!);
  return { n: values.length, min: min!, q1: q1!, median: median!, q3: q3!, max: max! };
}
