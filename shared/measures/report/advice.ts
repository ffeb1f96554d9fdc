import type { AdviceBlock, ReportSection, Tone } from "../../contracts/report.ts";
import { fewestSamples } from "./part-interval.ts";

/** Something to change, with the figure that it rests on. */
export type Advice = AdviceBlock["items"][number];

/** What weighs most comes first. */
const order: readonly Tone[] = ["poor", "missed", "extra", "fair", "neutral", "good", "excellent"];

/**
 * Advice that rests on 20 samples or more, gravest first, else in the order given.
 * @example soundAdvice([]) // []
 */
export const soundAdvice = (items: readonly Advice[]): Advice[] =>
  items
    .filter(({ n }) => n >= fewestSamples)
    .sort((a, b) => order.indexOf(a.tone) - order.indexOf(b.tone));

/**
 * The last section of a report: what to change, gravest first, else in the order given; a sentence where
 * nothing was found, or where what was found rests on fewer than 20 samples.
 * @example adviceSection([]).id // "recommendations"
 */
export function adviceSection(items: readonly Advice[]): ReportSection {
  const sorted = soundAdvice(items);
  const left = items.length - sorted.length;
  const section = { id: "recommendations", title: "Recommendations" };
  if (sorted.length === 0) {
    const text =
      left === 0
        ? "Nothing is off its target, and no part of the run stands out enough to rest advice on."
        : `What was found rests on fewer than ${fewestSamples} samples, too few to advise anything.`;
    return {
      ...{ ...section, intro: "What to change, by fixed rules over the figures of this run." },
      blocks: [{ kind: "note", title: "No recommendation", tone: "neutral", text }],
    };
  }
  return {
    ...section,
    intro: `What to change, by fixed rules over the figures of this run, gravest first. Each names the figure that it rests on; none was tried out, and none rests on fewer than ${fewestSamples} samples.`,
    blocks: [{ kind: "advice", title: "What to change", brief: true, items: sorted }],
  };
}
