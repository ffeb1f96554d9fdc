import type { ReportSection } from "../../../contracts/report.ts";
import { partIds } from "../metric-ids.ts";
import { labelOf } from "../metrics.ts";
import { componentIds } from "../sum/columns.ts";
import { bars, type ReportFacts } from "./report-facts.ts";

/**
 * What each metric is made of.
 * Source: docs/spec/quality.md.
 * @example componentSection(facts).id // "components"
 */
export function componentSection({ metrics }: ReportFacts): ReportSection {
  const parts = partIds.filter((id) => componentIds[id].length > 0);
  return {
    id: "components",
    title: "What they are made of",
    intro: "Each metric but length is the mean of three components.",
    blocks: parts.map((part) => bars(labelOf(part), componentIds[part], metrics)),
  };
}
