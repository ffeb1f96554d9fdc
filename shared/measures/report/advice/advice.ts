import type { AdviceBlock, ReportSection, Tone } from "../../../contracts/report.ts";
import { note } from "../charts/blocks.ts";
import { fewestSamples } from "../figures/part-interval.ts";
import { levelNames } from "../figures/tier.ts";

/** A change to make, with the figure it is based on. */
export type Advice = AdviceBlock["items"][number];

/**
 * A suite's rules by name, in order of priority. A rule returns null if its figure was not measured or is good
 * enough.
 */
export type AdviceRules<Facts> = Readonly<
  Record<string, (facts: Facts) => Advice | readonly Advice[] | null>
>;

/**
 * Applies the rules of a table; returns their advice in the order of the table.
 * @example applyRules({ latency: () => null }, facts) // []
 */
export const applyRules = <Facts>(rules: AdviceRules<Facts>, facts: Facts): Advice[] =>
  Object.values(rules).flatMap((rule) => rule(facts) ?? []);

/** Most serious first. */
const order: readonly Tone[] = ["poor", "missed", "extra", "fair", "neutral", "good", "excellent"];

const section = { id: "recommendations", title: "Recommendations" };
const rules = "What to change, by fixed rules over the figures of this run";

/**
 * Advice based on at least 20 samples, the most serious first, else in the given order.
 * @example supportedAdvice([]) // []
 */
export const supportedAdvice = (items: readonly Advice[]): Advice[] =>
  items
    .filter(({ n }) => n >= fewestSamples)
    .sort((a, b) => order.indexOf(a.tone) - order.indexOf(b.tone));

/**
 * The last section of a report: what to change, the most serious first, else in the given order. A sentence replaces
 * it if there are no findings, or only findings based on fewer than 20 samples.
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
 * A section of advice that is not based on a number of samples, such as why requests failed, in the given order.
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
    : `No rule found a cause to act on. The summary lists the metrics that are not “${levelNames.target}”.`;
  return {
    ...section,
    intro: `${rules}.`,
    blocks: [note("No recommendation", text)],
  };
}
