import type { ReportSection } from "../../../contracts/report.ts";
import { brief, countRows, tableOf } from "../../../measures/report/blocks.ts";
import type { ReportFacts } from "./report-facts.ts";

/**
 * How answers were read, and which structured-output mode gave them.
 * Source: specification of the extraction suite, section 1.
 * @example outputSection(facts).id // "outputs"
 */
export function outputSection({ breakdown }: ReportFacts): ReportSection {
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
    intro: "How answers were read, and which way of asking for structure the endpoint accepted.",
    blocks: [
      ...brief(table("Output handling", "Outcome", counts)),
      ...(modes.length === 0 ? [] : table("Structured output", "Mode", modes)),
    ],
  };
}
