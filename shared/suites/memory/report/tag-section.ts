import type { ReportSection } from "../../../contracts/report.ts";
import { tagBlocks } from "../../../measures/report/tag-blocks.ts";
import { memoryMetrics } from "../metrics.ts";
import { type ReportFacts, steps } from "./report-facts.ts";

const figure = (id: string) => {
  const { label = id, format = "score" } = memoryMetrics.find((metric) => metric.id === id) ?? {};
  return { id, label, format };
};

/**
 * What the dataset says of its samples; null without tags that tell them apart.
 * @example tagSection(facts)?.id // "tags"
 */
export function tagSection({ breakdown }: ReportFacts): ReportSection | null {
  const blocks = tagBlocks(breakdown.tags, {
    figures: [figure("mcs"), ...["memory_utilization", "groundedness", "safety"].map(figure)],
    steps,
    things: "Answers",
  });
  if (blocks.length === 0) return null;
  return { id: "tags", title: "By tag", intro: "What the dataset says of its samples.", blocks };
}
