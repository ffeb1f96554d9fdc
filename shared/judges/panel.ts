import type { Judge, Reading } from "../contracts/judging/judge.ts";

/** How the values of a panel are combined. */
export const panelRules = ["median", "majority"] as const;
export type PanelRule = (typeof panelRules)[number];

/**
 * The median: for an even number of values, the mean of the two middle ones. NaN if empty.
 * @example medianOf([1, 5, 4]) // 4
 */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}

/**
 * The most frequent vote; ties go to the one last in `order`. Undefined without votes.
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

/** The most frequent value; ties go to the middle one, of two to the lower. */
function majorityValue(values: readonly number[]): number {
  const count = (value: number) => values.filter((one) => one === value).length;
  const most = Math.max(...values.map(count));
  const tied = [...new Set(values)].filter((value) => count(value) === most).sort((a, b) => a - b);
  return tied[Math.floor((tied.length - 1) / 2)]!;
}

/**
 * Combines a panel's judgments of one answer: the median of the values, or the most frequent value (ties: the middle
 * one, of two the lower). Counts use the majority with the same tie rule; labels use the majority, with ties going to
 * the worse label. Lists of keys and claims use the judge's own rule. A single judgment is returned as it is.
 * Invented evidence is summed. Null without judgments.
 * Source: docs/spec/memory.md, panels.
 * @example panelReading(empathy, [judgment], exchange, "median")?.value
 */
export function panelReading(
  judge: Judge,
  judgments: readonly unknown[],
  material: unknown,
  rule: PanelRule,
): Reading | null {
  // Judgments have different types; only the judge's own functions read them.
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
