import type { Comparison } from "#shared/contracts/comparison.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { differencesText, effectsText, standingsText } from "./headline-text.ts";
import { bestText, differingText, otherMetricsText } from "./overview-text.ts";
import type { TextPart } from "./text-part.ts";

/** What a comparison says, a table for each question. `wholes`: what the best by metric go by. */
export function comparisonParts(suite: Suite, comparison: Comparison, wholes: string): TextPart[] {
  const [headline] = comparison.metrics;
  const metric = suite.metrics.find(({ id }) => id === headline?.metric);
  if (headline === undefined || metric === undefined) throw new Error("nothing was compared");
  const ranked = { ...suite, headline: metric.id };
  const parts = [
    standingsText(headline, metric),
    differencesText(headline, metric),
    effectsText(headline, metric),
    otherMetricsText(suite, comparison.metrics),
    bestText(ranked, comparison, wholes),
    differingText(ranked, comparison),
  ];
  return parts.filter((part) => part !== null);
}
