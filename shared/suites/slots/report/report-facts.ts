import type { Estimate } from "../../../contracts/metric.ts";
import type { ReportedRun } from "../../../contracts/suite.ts";
import type { ToneSteps } from "../../../measures/report/blocks.ts";
import type { PartFigures } from "../../../measures/report/tag-blocks.ts";
import { slotsMetrics } from "../metrics.ts";
import type { SlotsOptions } from "../options.ts";
import type { SlotsBreakdown } from "../sum/breakdown.ts";

/** What the sections of a report are made from. */
export interface ReportFacts extends ReportedRun<SlotsOptions> {
  metrics: Readonly<Record<string, Estimate>>;
  breakdown: SlotsBreakdown;
}

export type Part = SlotsBreakdown["topics"][number];

/** Where a share turns good. */
export const steps = [
  [0.9, "excellent"],
  [0.75, "good"],
  [0.5, "fair"],
] as const satisfies ToneSteps;

const figure = (id: string) => {
  const { label = id, format = "score" } = slotsMetrics.find((metric) => metric.id === id) ?? {};
  return { id, label, format };
};

/** How users, sessions and tags are shown. */
export const shownParts: PartFigures = {
  figures: [
    figure("f1"),
    ...["precision", "recall", "valueF1", "extraSlots", "extraValues"].map(figure),
  ],
  steps,
  things: "Sessions",
};

/**
 * A figure of a part; null where it could not be measured.
 * @example partValue(topic, "f1") // 0–1
 */
export const partValue = ({ figures }: Part, id: string): number | null =>
  figures[id]?.value ?? null;

/**
 * Topics of which something is expected: one that a model made up is neither easy nor hard.
 * @example askedTopics(breakdown)[0]?.name // the easiest
 */
export const askedTopics = ({ topics }: SlotsBreakdown): Part[] =>
  topics.filter((topic) => partValue(topic, "expectedSlots") !== 0);
