import type { ReportBlock, TableBlock } from "../../../contracts/report.ts";
import type { FieldTable, SampleToShow } from "../../../contracts/suite.ts";
import { answerNotes } from "../../../measures/report/show/answer-notes.ts";
import {
  cutPlace,
  type Mark,
  shownTable,
  shownText,
} from "../../../measures/report/show/shown-text.ts";
import { labelOf, partIds, type QualityMetric } from "../metrics.ts";
import { connectors } from "../read/word-lists.ts";
import { foldCase, phrasePattern } from "../read/words.ts";
import type { QualitySample } from "../sample.ts";
import type { QualityDetail } from "../score/score.ts";
import { componentIds } from "../sum/columns.ts";

/** Characters shown of the prompt; more of the response is shown, because it is scored. */
const mostPrompt = 600;
const mostResponse = 1_800;

const connectorPattern = phrasePattern(connectors);

/**
 * A prompt and its response with discourse connectors marked, and the five metrics with their components. Without
 * a detail only prompt and response. Never throws. Texts are cut.
 * @example showQuality({ sample, answer, score })[0]?.title // "Prompt"
 */
export function showQuality({
  sample: { prompt, system },
  answer,
  score: { detail },
}: SampleToShow<QualitySample, QualityDetail>): ReportBlock[] {
  const { output } = answer;
  const marks = detail === null ? [] : connectorMarks(output ?? "");
  return [
    ...(system === undefined ? [] : [shownText("System message", system, { most: mostPrompt })]),
    shownText("Prompt", prompt, { most: mostPrompt }),
    ...answerNotes(answer),
    ...(output === null || output.trim() === ""
      ? []
      : [shownText("Response", output, { marks, most: mostResponse })]),
    ...(detail === null ? [] : [...languageNote(detail), ...metricTable(detail)]),
  ];
}

/** Empty if case folding shifts positions, because marks would then be misplaced. */
function connectorMarks(response: string): Mark[] {
  const shown = response.slice(0, cutPlace(response, mostResponse));
  const plain = foldCase(shown);
  if (plain.length !== shown.length) return [];
  return [...plain.matchAll(connectorPattern)].map(({ index, 0: phrase }) => ({
    from: index,
    to: index + phrase.length,
    tone: "kind0",
    label: "connector",
  }));
}

function languageNote({ language, status }: QualityDetail): ReportBlock[] {
  if (language === "supported" || status !== "answered") return [];
  const text =
    "Most letters are not Latin: the metrics are made for English, and mean little here.";
  return [{ kind: "note", title: "Unsupported language", tone: "fair", text }];
}

type Part = (typeof partIds)[number];

/**
 * The metrics of a response with their components and the counts behind them, and people's ratings if the dataset
 * has them.
 * @example metricTable(detail)[0]?.title // "Metrics of the response"
 */
function metricTable(detail: QualityDetail): ReportBlock[] {
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
      ["made", "Components", "text"],
      ["counts", "Counted", "text"],
      ...(hasPeople ? [["people", "People's rating", "text"] as [string, string, "text"]] : []),
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

/** The counts behind each metric, as text. */
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

/**
 * The five metrics of an answer with their components and counts, one per row.
 * Source: docs/spec/quality.md.
 * @example fieldTable.rows(shown)[0] // { metric: "coherence", part: "score", value: 0.8 }
 */
export const fieldTable: FieldTable<QualitySample, QualityDetail> = {
  columns: [
    { id: "metric", description: "coherence, completeness, length, structure or vocabulary" },
    { id: "part", description: "score: the metric itself; else a component or count of it" },
    { id: "value", description: "scores and components 0–1; counts and words as numbers" },
  ],
  rows({ score: { detail } }) {
    if (detail === null) return [];
    return partIds.flatMap((metric) =>
      Object.entries(detail[metric]).map(([part, value]) => ({
        metric,
        part,
        value: value as number,
      })),
    );
  },
};
