import type { ReportSection } from "../../../contracts/report.ts";
import { groupColumns, groupRows } from "./group-rows.ts";
import { type ReportFacts, tableOf } from "./report-facts.ts";

/** Tags with a table of their own. */
const mostTags = 5;

/**
 * The headline figures by value of each tag; null without any value of ten samples.
 * Source: specification of the extraction suite, section 6.
 * @example tagSection(facts)?.id // "tags"
 */
export function tagSection({ breakdown }: ReportFacts): ReportSection | null {
  const { groups } = breakdown.tags;
  const keys = [...new Set(groups.map(({ key }) => key))];
  if (keys.length === 0) return null;
  const more = keys.length > mostTags ? ` The first ${mostTags} of ${keys.length} tags.` : "";
  return {
    id: "tags",
    title: "By tag",
    intro: `Values of each tag with ten samples or more, the largest first.${more}`,
    blocks: keys
      .slice(0, mostTags)
      .flatMap((key) =>
        tableOf(
          `By ${key}`,
          groupColumns(key),
          groupRows(groups.filter((group) => group.key === key)),
        ),
      ),
  };
}
