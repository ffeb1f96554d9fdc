import type { ReportBlock, ReportSection } from "../../../contracts/report.ts";
import { brief, metricBars } from "../../../measures/report/blocks.ts";
import { intervalNote } from "../../../measures/report/interval-basis.ts";
import { metricRadar } from "../../../measures/report/metric-radar.ts";
import { type StandingCell, standingBlocks } from "../../../measures/report/standing-blocks.ts";
import { toneGauge } from "../../../measures/report/tone-gauge.ts";
import { slotsMetrics } from "../metrics.ts";
import { askedTopics, type Part, type ReportFacts, steps } from "./report-facts.ts";

const headline = slotsMetrics[0]!;

/**
 * F1 on its scale, what it is made of, and which topics, users, sessions and tags differ from the whole.
 * Source: specification of the slots suite, metrics.
 * @example summarySection(facts).id // "summary"
 */
export function summarySection({ metrics, breakdown, options }: ReportFacts): ReportSection {
  const remembered =
    options.memory === "cumulative"
      ? "The model was given what it had stored of the user's earlier sessions."
      : "Each session was read on its own.";
  const clusters =
    breakdown.units.kind === "clusters" ? " A cluster of samples is a user with all sessions." : "";
  const bars = metricBars("Slots stored", ["f1", "precision", "recall", "f1Macro"], metrics, {
    ...{ catalogue: slotsMetrics, steps },
  });
  const axes = ["precision", "recall", "valueF1", "tokenF1"].map((id) => ({ id }));
  return {
    id: "summary",
    title: "Summary",
    intro: `A slot is a field of a topic. It counts as stored with any value; whether the value is right comes next. ${remembered}${clusters}`,
    blocks: [
      ...brief<ReportBlock>([toneGauge(headline, metrics["f1"], steps), bars]),
      ...intervalNote(breakdown.units),
      metricRadar("Slots and values", axes, metrics, slotsMetrics),
      ...standingBlocks(cellsOf(breakdown), {
        ...{ label: headline.label, value: metrics["f1"]?.value ?? null, format: "score" },
      }),
    ],
  };
}

/** A part of a run with what it is a part by: "topic", "user", "session" or the name of a tag. */
interface PartCell extends StandingCell {
  kind: string;
}

/**
 * Topics, users, sessions and tags with their F1.
 * @example cellsOf(breakdown)[0]?.label // "topic basic_info"
 */
export function cellsOf(breakdown: ReportFacts["breakdown"]): PartCell[] {
  const cell = (kind: string, { name, n, figures }: Part): PartCell => {
    const { value = null, interval = null } = figures["f1"] ?? {};
    return { kind, label: `${kind} ${name}`, value, interval, n };
  };
  return [
    ...askedTopics(breakdown).map((part) => cell("topic", part)),
    ...breakdown.users.map((part) => cell("user", part)),
    ...breakdown.sessions.map((part) => cell("session", part)),
    ...breakdown.tags.map((part) => cell(part.tag, part)),
  ];
}
