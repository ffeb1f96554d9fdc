import type { ReportSection } from "../../../contracts/report.ts";
import { tableOf } from "../../../measures/report/blocks.ts";
import type { TagsBreakdown } from "../breakdown-parts.ts";
import { groupColumns, groupRows } from "./group-rows.ts";
import type { ReportFacts } from "./report-facts.ts";

/** Tags with a table of their own. */
const mostTags = 5;

/**
 * The headline figures by value of each tag, and what is not shown; null without tags.
 * Source: specification of the extraction suite, section 6.
 * @example tagSection(facts)?.id // "tags"
 */
export function tagSection({ breakdown }: ReportFacts): ReportSection | null {
  const { groups, left } = breakdown.tags;
  const keys = [...new Set(groups.map(({ key }) => key))];
  if (keys.length === 0 && left.small === 0 && left.tags.length === 0) return null;
  const more = keys.length > mostTags ? ` The first ${mostTags} of ${keys.length} tags.` : "";
  return {
    id: "tags",
    title: "By tag",
    intro: `Values of each tag with ten samples or more, the largest first; the run's breakdown in the API has every other figure of each.${more}${leftText(left)}`,
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

function leftText({ small, large, tags }: TagsBreakdown["left"]): string {
  const parts = [
    ...(small > 0 ? [`${small} values of fewer than ten samples`] : []),
    ...(large > 0 ? [`${large} values past the 200 largest`] : []),
    ...tags.map(({ key, moreThan }) =>
      key === null
        ? `all tags, since there are more than ${moreThan}`
        : `the tag “${key}”, which has more than ${moreThan} values`,
    ),
  ];
  return parts.length === 0 ? "" : ` Left out: ${parts.join("; ")}.`;
}
