import type { ReportSection } from "../../../contracts/report.ts";
import { tagBlocks } from "../../../measures/report/tag-blocks.ts";
import { partIds } from "../metric-ids.ts";
import { labelOf } from "../metrics.ts";
import type { ReportFacts } from "./report-facts.ts";

const figure = (id: string) => ({ id, label: labelOf(id), format: "score" as const });

/**
 * What the dataset says of its samples; null without tags that tell them apart.
 * @example tagSection(facts)?.id // "tags"
 */
export function tagSection({ breakdown }: ReportFacts): ReportSection | null {
  const blocks = tagBlocks(breakdown.tags, {
    figures: [figure("overall"), ...partIds.map(figure)],
    steps: [],
    things: "Answers",
  });
  if (blocks.length === 0) return null;
  return { id: "tags", title: "By tag", intro: "What the dataset says of its samples.", blocks };
}
