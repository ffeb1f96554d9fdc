import type { Estimate } from "../../../contracts/metric.ts";
import type { ReportBlock, ReportSection } from "../../../contracts/report.ts";
import { brief, countRows, tableOf } from "../../../measures/report/blocks.ts";
import { intervalText } from "../../../measures/report/figure-text.ts";
import type { ReportFacts } from "./report-facts.ts";

/**
 * How answers were read, how many of them are valid, and which structured-output mode gave them.
 * Source: docs/spec/extraction.md, sections 1 and 5.
 * @example outputSection(facts).id // "outputs"
 */
export function outputSection({ breakdown, metrics }: ReportFacts): ReportSection {
  const { parse, refused, empty, truncated, structuredModes, errors } = breakdown;
  const { answers, unscored } = breakdown;
  const modes = Object.entries(structuredModes);
  const counts: [string, number][] = [
    ["Parsed at once", parse.clean],
    ["Recovered", parse.recovered],
    ["No JSON", parse.failed],
    ["Refused", refused],
    ["Empty", empty],
    ...Object.entries(errors).map(([name, count]): [string, number] => [
      `Request failed: ${name}`,
      count,
    ]),
    ...(unscored === 0 ? [] : [["Not scored", unscored] satisfies [string, number]]),
    ["Cut off at the token limit (also counted above)", truncated],
  ];
  const table = (title: string, label: string, rows: readonly [string, number][]) =>
    tableOf(
      title,
      [
        ["name", label, "text"],
        ["count", "Answers", "count"],
        ["share", "Share", "percent"],
      ],
      countRows(rows, answers + unscored),
    );
  return {
    id: "outputs",
    title: "Outputs",
    intro:
      "How answers were read, how many are valid against their schema, and which way of asking for structure the endpoint accepted. A null at a property that the schema does not require says the same as leaving it out, so it makes no output invalid; valid as is are those that fit with such nulls left in.",
    blocks: [
      ...brief(table("Output handling", "Outcome", counts)),
      ...validityTable(metrics),
      ...(modes.length === 0 ? [] : table("Structured output", "Mode", modes)),
    ],
  };
}

function validityTable(metrics: ReportFacts["metrics"]): ReportBlock[] {
  const row = (name: string, { value = null, interval = null }: Partial<Estimate> = {}) => {
    return { name, value, interval: intervalText(interval) };
  };
  return tableOf(
    "Validity",
    [
      ["name", "Against the schema", "text"],
      ["value", "Share", "percent"],
      ["interval", "95% interval", "figure"],
    ],
    [row("Valid", metrics["validity"]), row("Valid as is", metrics["validAsIs"])],
  );
}
