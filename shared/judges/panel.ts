import type { Judge, Reading } from "../contracts/judge.ts";

/** How a panel's values become one. */
export const panelRules = ["median", "majority"] as const;
export type PanelRule = (typeof panelRules)[number];

/**
 * The middle of some values, the mean of the two middle ones where they are even in number; NaN of none.
 * @example medianOf([1, 5, 4]) // 4
 */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}

/**
 * What most say; where several are said equally often, the one that comes last in `order`. Undefined of none.
 * @example majorityOf(["high", "low"], ["high", "low"]) // "low"
 */
export function majorityOf<T>(votes: readonly T[], order: readonly T[]): T | undefined {
  let [best, most] = [undefined as T | undefined, 0];
  for (const one of order) {
    const count = votes.filter((vote) => vote === one).length;
    if (count >= most && count > 0) [best, most] = [one, count];
  }
  return best;
}

/** Of values that are said equally often, the one in the middle, of two in the middle the lower. */
function majorityValue(values: readonly number[]): number {
  const count = (value: number) => values.filter((one) => one === value).length;
  const most = Math.max(...values.map(count));
  const tied = [...new Set(values)].filter((value) => count(value) === most).sort((a, b) => a - b);
  return tied[Math.floor((tied.length - 1) / 2)]!;
}

/**
 * What a panel's judgments of one answer come to: the median of the values, or the one that most gave (of
 * several that in the middle, of two the lower); counts by majority likewise, labels in doubt the worse; of listed keys and
 * claims what the judge's own rule makes of the lists. A panel of one is its judgment. Invented evidence
 * adds up. Null of none.
 * Source: docs/spec/memory.md, panels.
 * @example panelReading(empathy, [judgment], exchange, "median")?.value
 */
export function panelReading(
  judge: Judge,
  judgments: readonly unknown[],
  material: unknown,
  rule: PanelRule,
): Reading | null {
  // Only the judge's own functions look inside its judgments.
  const its = judgments as readonly never[];
  const readings = its.map((judgment) => judge.read(judgment, material));
  if (readings.length <= 1) return readings[0] ?? null;
  const unsupportedEvidence = readings.reduce((sum, one) => sum + one.unsupportedEvidence, 0);
  if (judge.combine) {
    return { ...judge.read(judge.combine(its, material), material), unsupportedEvidence };
  }
  const values = readings.map(({ value }) => value);
  const names = Object.keys(readings[0]!.numbers);
  const numbers = names.map((name) => [
    name,
    majorityValue(readings.map((reading) => reading.numbers[name] ?? 0)),
  ]);
  const labels = Object.entries(judge.labels).flatMap(([name, order]) => {
    const votes = readings.flatMap((reading) => reading.labels[name] ?? []);
    const label = majorityOf(votes, order);
    return label === undefined ? [] : [[name, label] as const];
  });
  return {
    value: rule === "median" ? medianOf(values) : majorityValue(values),
    numbers: Object.fromEntries(numbers),
    labels: Object.fromEntries(labels),
    unsupportedEvidence,
  };
}
