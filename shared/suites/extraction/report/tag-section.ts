import type { BarsBlock, ReportBlock, ReportSection } from "../../../contracts/report.ts";
import { folded } from "../../../measures/report/blocks.ts";
import { barsOfParts, partInterval } from "../../../measures/report/part-interval.ts";
import { standingLegend, toneBeside } from "../../../measures/report/standing-tones.ts";
import type { TagsBreakdown } from "../sum/breakdown/breakdown-parts.ts";
import { groupTable } from "./group-table.ts";
import type { ReportFacts } from "./report-facts.ts";
import { tellingGroups } from "./telling-groups.ts";

/** Tags that are shown, and values of each in the chart and in the table. */
const mostTags = 4;
const mostBars = 10;
const mostRows = 10;

/**
 * EQS by value of each tag, the headline figures of each, and what is not shown; null without tags that tell samples apart.
 * Source: docs/spec/extraction.md, section 6.
 * @example tagSection(facts)?.id // "tags"
 */
export function tagSection({ breakdown, metrics }: ReportFacts): ReportSection | null {
  const { left } = breakdown.tags;
  const keys = tellingGroups(breakdown.tags);
  if (keys.length === 0) return null;
  const more = keys.length > mostTags ? ` The first ${mostTags} of ${keys.length} tags.` : "";
  const whole = metrics["eqs"]?.value ?? null;
  return {
    id: "tags",
    title: "By tag",
    intro: `Tags with two values or more of ten samples or more, the largest first; the run's breakdown in the API has every other figure of each. A value is coloured where its 95% interval leaves out the EQS of the run.${more}${leftText(left)}`,
    blocks: keys
      .slice(0, mostTags)
      .flatMap(([key, its]): ReportBlock[] => [
        tagBars(key, its, whole),
        ...folded(groupTable(`Figures by ${key}`, key, its, mostRows)),
      ]),
  };
}

function tagBars(key: string, groups: TagsBreakdown["groups"], whole: number | null): BarsBlock {
  const shown = groups.slice(0, mostBars);
  const part = shown.length < groups.length ? `, the ${mostBars} largest of ${groups.length}` : "";
  return barsOfParts({
    kind: "bars",
    title: `EQS by ${key}${part}`,
    format: "score",
    legend: standingLegend,
    bars: shown.map(({ name, n, figures }) => {
      const { value = null, interval = null } = figures["eqs"] ?? {};
      const tone = toneBeside(partInterval(n, interval), whole);
      return { label: name, value, interval, n, tone };
    }),
  });
}

function leftText({ small, large, tags }: TagsBreakdown["left"]): string {
  const parts = [
    ...(small > 0 ? [`${small} values of fewer than ten samples`] : []),
    ...(large > 0 ? [`${large} values past the 200 largest`] : []),
    ...tags.map(({ key, moreThan }) =>
      key === null
        ? `other tags, since there are more than ${moreThan}`
        : `the tag “${key}”, which has more than ${moreThan} values`,
    ),
  ];
  return parts.length === 0 ? "" : ` Left out: ${parts.join("; ")}.`;
}
