import type { JudgeFigure } from "../../../contracts/judge.ts";
import type { Composite } from "../../../contracts/suite.ts";
import { weighed } from "../../../judges/figures.ts";
import { judges } from "../../../judges/judges.ts";

/**
 * Whether a figure's value over samples is no mean of what samples are worth by themselves.
 * @example isComposite(figure) // true for a ratio of sums
 */
export const isComposite = ({ empty }: JudgeFigure): boolean => empty !== null;

/**
 * What a figure's two sides come to of one answer's numbers.
 * @example sidesOf(figure, { tp: 1, judged: 1 }).of // 2
 */
export function sidesOf({ of, over }: JudgeFigure, numbers: Readonly<Record<string, number>>) {
  const sum = (name: string) => numbers[name] ?? 0;
  return { of: weighed(of, sum), over: over === null ? 1 : weighed(over, sum) };
}

/** Micro figures over samples, from the means of both of their sides. */
export const composites: Readonly<Record<string, Composite>> = Object.fromEntries(
  judges.flatMap(({ figures: [main] }) =>
    isComposite(main)
      ? [[main.metric.id, { parts: partsOf(main), value: compositeValue(main) }] as const]
      : [],
  ),
);

/**
 * Ids of a micro figure's sides; no metric has such a name.
 * @example partsOf(figure) // ["groundedness.of", "groundedness.over"]
 */
export function partsOf({ metric }: JudgeFigure): [of: string, over: string] {
  return [`${metric.id}.of`, `${metric.id}.over`];
}

function compositeValue({ empty }: JudgeFigure) {
  return ([of, over]: readonly (number | null)[]): number | null => {
    if (of === null || of === undefined || over === null || over === undefined) return null;
    return over === 0 ? empty : of / over;
  };
}
