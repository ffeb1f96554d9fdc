import type { Axis, BoxesBlock, ReportBlock } from "../../../contracts/report.ts";
import { percentile } from "../../../stats/sums/percentile.ts";

/** Five numbers of fewer values would be the values themselves. */
const leastValues = 5;

/**
 * Distributions side by side: least, quartiles (type 7) and greatest of each group. Groups of fewer than five
 * values are left out, and a note names them. O(n log n).
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
    ...(left.length === 0
      ? []
      : [{ kind: "note", title: `${title}: left out`, tone: "neutral", text } as const]),
  ];
}

function fiveNumbers(values: readonly number[]): Omit<BoxesBlock["groups"][number], "label"> {
  const sorted = [...values].sort((a, b) => a - b);
  const [min, q1, median, q3, max] = [0, 0.25, 0.5, 0.75, 1].map((q) => percentile(sorted, q)!);
  return { n: values.length, min: min!, q1: q1!, median: median!, q3: q3!, max: max! };
}
