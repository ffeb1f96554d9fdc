import type { ReportSection } from "../../../contracts/report.ts";
import { tableOf } from "../../../measures/report/blocks.ts";
import type { ReportFacts } from "./report-facts.ts";

const componentLabels = {
  validity: "Schema validity",
  partialF1: "Partial F1, mean of samples",
  typeAccuracy: "Type accuracy",
  noHallucination: "1 − hallucination rate",
} as const;

/**
 * What EQS is made of.
 * Source: specification of the extraction suite, sections 5 and 6.
 * @example componentSection(facts).id // "components"
 */
export function componentSection({ breakdown, options }: ReportFacts): ReportSection {
  const names = Object.keys(componentLabels) as (keyof typeof componentLabels)[];
  const rows = names.map((name) => {
    const value = breakdown.eqs.components?.[name] ?? null;
    const weight = options.weights[name];
    const share = value === null ? null : value * weight;
    return { ...{ component: componentLabels[name], value, weight }, share };
  });
  return {
    id: "components",
    title: "What EQS is made of",
    intro: "Means over all samples; an invalid output has 0 in each. The shares add up to EQS.",
    blocks: tableOf(
      "Components",
      [
        ["component", "Component", "text"],
        ["value", "Value", "score"],
        ["weight", "Weight", "score"],
        ["share", "Share of EQS", "score"],
      ],
      rows,
    ),
  };
}
