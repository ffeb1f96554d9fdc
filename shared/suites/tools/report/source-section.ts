import type { ReportSection } from "../../../contracts/report.ts";
import { tableOf } from "../../../measures/report/blocks.ts";
import type { ReportFacts } from "./report-facts.ts";

/** Sources are few; an endpoint that names each answer's is cut here. */
const mostSources = 15;

/**
 * Where answers came from, as they say.
 * Source: specification of the tools suite, source and hybrid routing.
 * @example sourceSection(facts).id // "sources"
 */
export function sourceSection({
  breakdown: { sources, answers },
  options,
}: ReportFacts): ReportSection {
  const declared =
    options.source === undefined
      ? "An answer that does not say where it came from counts as cloud."
      : `Answers that do not say so themselves count as ${options.source}, as the run declares.`;
  return {
    id: "sources",
    title: "Where answers came from",
    intro: `The source on-device counts as the device, any other as cloud. ${declared}`,
    blocks: tableOf(
      "Sources",
      [
        ["name", "Source", "text"],
        ["n", "Answers", "count"],
        ["share", "Share", "percent"],
      ],
      sources.map(({ name, n }) => ({ name, n, share: answers === 0 ? null : n / answers })),
      mostSources,
    ),
  };
}
