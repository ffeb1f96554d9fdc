import type { RadarBlock, ReportBlock } from "../../../contracts/report.ts";
import { tableOf } from "../../../measures/report/blocks.ts";
import type { ReportFacts } from "./report-facts.ts";

type Name = keyof ReportFacts["options"]["weights"];

const components: readonly { name: Name; axis: string; label: string; metric: string }[] = [
  { name: "validity", axis: "Validity", label: "Schema validity", metric: "validity" },
  {
    ...{ name: "partialF1", axis: "Partial F1", metric: "partialF1Macro" },
    label: "Partial F1, mean of samples",
  },
  { name: "typeAccuracy", axis: "Types", label: "Type accuracy", metric: "typeAccuracy" },
  {
    ...{ name: "noHallucination", axis: "Not made up", metric: "hallucinationRate" },
    label: "1 − hallucination rate",
  },
];

/**
 * What EQS is made of: its four components from one centre, and as a table with their weights, whose shares
 * add up to EQS.
 * Source: specification of the extraction suite, sections 5 and 6.
 * @example componentBlocks(facts)[0]?.kind // "radar"
 */
export function componentBlocks(facts: ReportFacts): ReportBlock[] {
  const { breakdown, options } = facts;
  const rows = components.map(({ name, label }) => {
    const value = breakdown.eqs.components?.[name] ?? null;
    const weight = options.weights[name];
    const share = value === null ? null : value * weight;
    return { component: label, value, weight, share };
  });
  return [
    radar(facts),
    ...tableOf(
      "Components",
      [
        ["component", "Component", "text"],
        ["value", "Value", "score"],
        ["weight", "Weight", "score"],
        ["share", "Share of EQS", "score"],
      ],
      rows,
    ),
  ];
}

function radar({ breakdown, metrics }: ReportFacts): RadarBlock {
  return {
    ...{ kind: "radar", title: "What EQS is made of" },
    axes: components.map(({ name, axis, metric }) => {
      const interval = metrics[metric]?.interval ?? null;
      const isTurned = interval !== null && name === "noHallucination";
      return {
        ...{ label: axis, value: breakdown.eqs.components?.[name] ?? null },
        interval: isTurned ? [1 - interval[1], 1 - interval[0]] : interval,
      };
    }),
  };
}
