import type { RadarBlock, ReportBlock } from "../../../contracts/report.ts";
import { tableOf } from "../../../measures/report/blocks.ts";
import { intervalText } from "../../../measures/report/figure-text.ts";
import type { ReportFacts } from "./report-facts.ts";

type Name = keyof ReportFacts["options"]["weights"];

const components: readonly { name: Name; axis: string; label: string; metric: string }[] = [
  { name: "validity", axis: "Validity", label: "Schema validity", metric: "validity" },
  {
    name: "partialF1",
    axis: "Partial F1",
    metric: "partialF1Macro",
    label: "Partial F1, mean of samples",
  },
  { name: "typeAccuracy", axis: "Types", label: "Type accuracy", metric: "typeAccuracy" },
  {
    name: "noHallucination",
    axis: "Not made up",
    metric: "hallucinationRate",
    label: "1 − hallucination rate",
  },
];

/**
 * What EQS is made of: its four components from one centre, and as a table with their weights, whose shares
 * add up to EQS.
 * Source: docs/spec/extraction.md, sections 5 and 6.
 * @example componentBlocks(facts)[0]?.kind // "radar"
 */
export function componentBlocks(facts: ReportFacts): ReportBlock[] {
  const { breakdown, options } = facts;
  const rows = components.map((component) => {
    const value = breakdown.eqs.components?.[component.name] ?? null;
    const weight = options.weights[component.name];
    const share = value === null ? null : value * weight;
    const interval = intervalText(intervalOf(component, facts));
    return { component: component.label, value, interval, weight, share };
  });
  return [
    radar(facts),
    ...tableOf(
      "Components",
      [
        ["component", "Component", "text"],
        ["value", "Value", "score"],
        ["interval", "95% interval", "figure"],
        ["weight", "Weight", "score"],
        ["share", "Share of EQS", "score"],
      ],
      rows,
    ),
  ];
}

function intervalOf(
  { name, metric }: (typeof components)[number],
  { metrics }: ReportFacts,
): [number, number] | null {
  const interval = metrics[metric]?.interval ?? null;
  const isTurned = interval !== null && name === "noHallucination";
  return isTurned ? [1 - interval[1], 1 - interval[0]] : interval;
}

function radar(facts: ReportFacts): RadarBlock {
  return {
    kind: "radar",
    title: "What EQS is made of",
    axes: components.map((component) => ({
      label: component.axis,
      interval: intervalOf(component, facts),
      value: facts.breakdown.eqs.components?.[component.name] ?? null,
    })),
  };
}
