import type { ReportSection } from "../../../contracts/report.ts";
import { tagBlocks } from "../../../measures/report/tag-blocks.ts";
import { type ReportFacts, steps } from "./report-facts.ts";

/**
 * What the dataset says of its samples; null without tags that tell them apart.
 * @example tagSection(facts)?.id // "tags"
 */
export function tagSection({ breakdown }: ReportFacts): ReportSection | null {
  const blocks = tagBlocks(breakdown.tags, {
    figures: [
      { id: "avgF1", label: "Call F1", format: "score" },
      { id: "total", label: "Total", format: "percent" },
      { id: "onDeviceRatio", label: "On device", format: "percent" },
    ],
    steps,
    things: "Answers",
  });
  if (blocks.length === 0) return null;
  return { id: "tags", title: "By tag", intro: "What the dataset says of its samples.", blocks };
}
