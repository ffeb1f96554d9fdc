import type { ComparedFigure, StandingCell } from "../../../measures/report/standing-blocks.ts";
import { tellingTags } from "../../../measures/report/telling-tags.ts";
import { slotsMetrics } from "../metrics.ts";
import { askedTopics, type Part, type ReportFacts } from "./report-facts.ts";

/** A part of a run with what it is a part by: "topic", "user", "session" or the name of a tag. */
interface PartCell extends StandingCell {
  kind: string;
}

type Compared = ComparedFigure & { cells: PartCell[] };

/**
 * What parts are compared by: F1, and value F1, of topics, users, sessions and tags.
 * @example comparedFigures(facts)[0].cells[0]?.label // "topic basic_info"
 */
export function comparedFigures({
  metrics,
  breakdown,
}: Pick<ReportFacts, "metrics" | "breakdown">): [Compared, Compared] {
  const compared = (id: string): Compared => {
    const { label = id, format = "score" } = slotsMetrics.find((metric) => metric.id === id) ?? {};
    return { label, format, value: metrics[id]?.value ?? null, cells: cellsOf(breakdown, id) };
  };
  return [compared("f1"), compared("valueF1")];
}

function cellsOf(breakdown: ReportFacts["breakdown"], id: string): PartCell[] {
  const cell = (kind: string, { name, n, figures }: Part): PartCell => {
    const { value = null, interval = null } = figures[id] ?? {};
    return { kind, label: `${kind} ${name}`, value, interval, n };
  };
  return [
    ...askedTopics(breakdown).map((part) => cell("topic", part)),
    ...breakdown.users.map((part) => cell("user", part)),
    ...breakdown.sessions.map((part) => cell("session", part)),
    ...tellingTags(breakdown.tags).flatMap(([tag, parts]) => parts.map((part) => cell(tag, part))),
  ];
}
