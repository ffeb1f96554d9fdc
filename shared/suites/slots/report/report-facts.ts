import { metricNamed, metricValue } from "../../../measures/report/charts/blocks.ts";
import { shareSteps } from "../../../measures/report/charts/tone-steps.ts";
import type { ComparedFigure, PartCell } from "../../../measures/report/parts/strength-blocks.ts";
import type { PartFigures } from "../../../measures/report/parts/tag-blocks.ts";
import { distinguishingTags } from "../../../measures/report/parts/tag-blocks.ts";
import type { SuiteFacts } from "../../../measures/report/run/suite-report.ts";
import { slotsMetrics } from "../metrics.ts";
import type { SlotsOptions } from "../options.ts";
import type { SlotsBreakdown } from "../sum/breakdown.ts";

/** Input of the sections of a report. */
export type ReportFacts = SuiteFacts<SlotsOptions, SlotsBreakdown>;

export type Part = SlotsBreakdown["topics"][number];

const figure = (id: string) => metricNamed(slotsMetrics, id);

/** Labels of users, sessions and tags. */
export const shownParts: PartFigures = {
  figures: [
    figure("f1"),
    ...["precision", "recall", "valueF1", "extraSlots", "extraValues"].map(figure),
  ],
  steps: shareSteps,
  things: "Sessions",
};

/**
 * A figure of a part; null if it could not be measured.
 * @example partValue(topic, "f1") // 0–1
 */
export const partValue = ({ figures }: Part, id: string): number | null =>
  figures[id]?.value ?? null;

/**
 * Topics with expected slots; a topic that the model invented has no difficulty.
 * @example askedTopics(breakdown)[0]?.name // the easiest
 */
export const askedTopics = ({ topics }: SlotsBreakdown): Part[] =>
  topics.filter((topic) => partValue(topic, "expectedSlots") !== 0);

/** A part of a run with its kind: "topic", "user", "session" or the name of a tag. */
interface KindedPart extends PartCell {
  kind: string;
}

type Compared = ComparedFigure & { cells: KindedPart[] };

/**
 * The figures by which parts are compared: F1 and value F1 of topics, users, sessions and tags.
 * @example comparedFigures(facts)[0].cells[0]?.label // "topic basic_info"
 */
export function comparedFigures({
  metrics,
  breakdown,
}: Pick<ReportFacts, "metrics" | "breakdown">): [Compared, Compared] {
  const compared = (id: string): Compared => {
    const { label, format } = figure(id);
    return { label, format, value: metricValue(metrics, id), cells: cellsOf(breakdown, id) };
  };
  return [compared("f1"), compared("valueF1")];
}

function cellsOf(breakdown: ReportFacts["breakdown"], id: string): KindedPart[] {
  const cell = (kind: string, { name, n, figures }: Part): KindedPart => {
    const { value = null, interval = null } = figures[id] ?? {};
    return { kind, label: `${kind} ${name}`, value, interval, n };
  };
  return [
    ...askedTopics(breakdown).map((part) => cell("topic", part)),
    ...breakdown.users.map((part) => cell("user", part)),
    ...breakdown.sessions.map((part) => cell("session", part)),
    ...distinguishingTags(breakdown.tags).flatMap(([tag, parts]) =>
      parts.map((part) => cell(tag, part)),
    ),
  ];
}
