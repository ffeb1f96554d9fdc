import type { AdviceBlock, ReportSection, Tone } from "../../../contracts/report.ts";
import { note } from "../charts/blocks.ts";
import { fewestSamples } from "../figures/part-interval.ts";

/** A change to make, with the figure that supports it. */
export type Advice = AdviceBlock["items"][number];

/**
 * A suite's rules by name, in the order of what to change first. A rule gives nothing where its figure was not
 * measured or is good enough.
 */
export type AdviceRules<Facts> = Readonly<
  Record<string, (facts: Facts) => Advice | readonly Advice[] | null>
>;

/**
 * What the rules of a table advise, in the order of the table.
 * @example applyRules({ latency: () => null }, facts) // []
 */
export const applyRules = <Facts>(rules: AdviceRules<Facts>, facts: Facts): Advice[] =>
  Object.values(rules).flatMap((rule) => rule(facts) ?? []);

/** What weighs most comes first. */
const order: readonly Tone[] = ["poor", "missed", "extra", "fair", "neutral", "good", "excellent"];

const section = { id: "recommendations", title: "Recommendations" };
const rules = "What to change, by fixed rules over the figures of this run";

/**
 * Advice that rests on 20 samples or more, gravest first, else in the order given.
 * @example supportedAdvice([]) // []
 */
export const supportedAdvice = (items: readonly Advice[]): Advice[] =>
  items
    .filter(({ n }) => n >= fewestSamples)
    .sort((a, b) => order.indexOf(a.tone) - order.indexOf(b.tone));

/**
 * The last section of a report: what to change, gravest first, else in the order given; a sentence where
 * nothing was found, or where what was found rests on fewer than 20 samples.
 * @example adviceSection([]).id // "recommendations"
 */
export function adviceSection(items: readonly Advice[]): ReportSection {
  const sound = supportedAdvice(items);
  if (sound.length === 0) return noAdvice(items.length > 0);
  return {
    ...section,
    intro: `${rules}, most serious first. Each names the figure on which it is based; none was tested, and none is based on fewer than ${fewestSamples} samples.`,
    blocks: [changes(sound)],
  };
}

/**
 * The same of what is known without a sample's size, such as why requests failed, in the order given.
 * @example failureAdviceSection([advice]).blocks[0]?.title // "What to change"
 */
export const failureAdviceSection = (items: readonly Advice[]): ReportSection => ({
  ...section,
  intro: `${rules}. None was tested.`,
  blocks: [changes(items)],
});

const changes = (items: readonly Advice[]): AdviceBlock => ({
  kind: "advice",
  title: "What to change",
  brief: true,
  items: [...items],
});

function noAdvice(isTooFew: boolean): ReportSection {
  const text = isTooFew
    ? `The findings are based on fewer than ${fewestSamples} samples, too few for advice.`
    : "No rule found a cause to act on. The summary lists the metrics below target.";
  return {
    ...section,
    intro: `${rules}.`,
    blocks: [note("No recommendation", text)],
  };
}
