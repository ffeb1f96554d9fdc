import type { AdviceBlock, ReportSection, Tone } from "../../contracts/report.ts";

/** Something to change, with the figure that it rests on. */
export type Advice = AdviceBlock["items"][number];

/** What weighs most comes first. */
const order: readonly Tone[] = ["poor", "missed", "extra", "fair", "neutral", "good", "excellent"];

/**
 * The last section of a report: what to change, gravest first, else in the order given; a sentence where
 * nothing was found.
 * @example adviceSection([]).id // "recommendations"
 */
export function adviceSection(items: readonly Advice[]): ReportSection {
  const sorted = [...items].sort((a, b) => order.indexOf(a.tone) - order.indexOf(b.tone));
  const section = { id: "recommendations", title: "Recommendations" };
  if (sorted.length === 0) {
    const text =
      "Nothing is off its target, and no part of the run stands out enough to rest advice on.";
    return {
      ...{ ...section, intro: "What to change, by fixed rules over the figures of this run." },
      blocks: [{ kind: "note", title: "No recommendation", tone: "neutral", text }],
    };
  }
  return {
    ...section,
    intro:
      "What to change, by fixed rules over the figures of this run, gravest first. Each names the figure that it rests on; none was tried out.",
    blocks: [{ kind: "advice", title: "What to change", brief: true, items: sorted }],
  };
}
