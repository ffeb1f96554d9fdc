import type { ReportBlock, TableBlock } from "../../../contracts/report.ts";
import { shownTable } from "../../../measures/report/shown-table.ts";
import { partIds, type QualityMetric } from "../metric-ids.ts";
import { labelOf } from "../metrics.ts";
import type { QualityDetail } from "../score/score.ts";
import { componentIds } from "../sum/columns.ts";

type Part = (typeof partIds)[number];

/**
 * The metrics of a response with their components and the counts behind them, and what people gave it where the
 * dataset says so.
 * @example metricTable(detail)[0]?.title // "Metrics of the response"
 */
export function metricTable(detail: QualityDetail): ReportBlock[] {
  const people = detail.human ?? {};
  const hasPeople = Object.keys(people).length > 0;
  const row = (id: QualityMetric, value: number, more: object): TableBlock["rows"][number] => ({
    metric: labelOf(id),
    value,
    made: null,
    counts: null,
    ...more,
    ...(hasPeople && { people: ratingsText(people[id] ?? []) }),
  });
  return shownTable(
    "Metrics of the response",
    [
      ["metric", "Metric", "text"],
      ["value", "Value", "score"],
      ["made", "Made of", "text"],
      ["counts", "Counted", "text"],
      ...(hasPeople ? [["people", "People gave", "text"] as [string, string, "text"]] : []),
    ],
    [
      row("overall", detail.overall, {}),
      ...partIds.map((id) =>
        row(id, detail[id].score, { made: madeOf(id, detail), counts: countsOf[id](detail) }),
      ),
    ],
  );
}

function ratingsText(ratings: readonly (number | null)[]): string | null {
  const known = ratings.filter((rating) => rating !== null);
  return known.length === 0 ? null : known.join(", ");
}

function madeOf(id: Part, detail: QualityDetail): string | null {
  const values = detail[id] as unknown as Record<string, number>;
  const parts = componentIds[id].map(
    (component) => `${labelOf(component).toLowerCase()} ${(values[component] ?? 0).toFixed(2)}`,
  );
  return parts.length === 0 ? null : parts.join(", ");
}

/** What each metric counts in a response. */
const countsOf: Readonly<Record<Part, (detail: QualityDetail) => string>> = {
  coherence: ({ coherence: its }) =>
    `sentences: ${its.sentences}; connectors: ${its.connectors}; unclear pronouns: ${its.unclearPronouns} of ${its.pronouns}; shifts of topic: ${its.shifts}`,
  completeness: ({ completeness: its }) =>
    `keywords: ${its.matchedKeywords} of ${its.keywords}; questions: ${its.answeredQuestions} of ${its.questions}; tasks: ${its.completedTasks} of ${its.tasks}`,
  length: ({ length: its }) =>
    `words: ${its.responseWords}, ideal ${Math.round(its.idealWords)}; of the prompt: ${its.promptWords}`,
  structure: ({ structure: its }) => `paragraphs: ${its.paragraphs}`,
  vocabulary: ({ vocabulary: its }) =>
    `words: ${its.distinctWords} distinct, ${its.sophisticatedWords} sophisticated, ${its.repeatedWords} repeated`,
};
