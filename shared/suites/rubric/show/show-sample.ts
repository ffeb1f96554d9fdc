import { isJsonObject, type Json } from "../../../contracts/json.ts";
import type { ReportBlock, TableBlock } from "../../../contracts/report.ts";
import type { FieldTable, SampleToShow } from "../../../contracts/suite.ts";
import { judgmentColumns, judgmentParts, judgmentRows } from "../../../judges/metric-detail.ts";
import { judgeName, unjudgedText } from "../../../measures/judging/judge-blocks.ts";
import { answerNotes } from "../../../measures/report/show/answer-notes.ts";
import { foundMark, passagesIn } from "../../../measures/report/show/passages.ts";
import {
  cutPlace,
  type Mark,
  shownTable,
  shownText,
} from "../../../measures/report/show/shown-text.ts";
import type { RubricSample } from "../sample.ts";
import type { RubricDetail } from "../score/score.ts";

/** Characters shown of texts other than the answer, which is shown at greater length because it is judged. */
const mostOther = 600;
const mostAnswer = 1_800;

/** Maximum marked places of a quotation that occurs repeatedly. */
const mostPlaces = 3;

/**
 * A question with its answer: what the model and the judges were given, the answer with judges' quotations marked, and
 * every judgment. Without a detail there are no judgments. Never throws. Texts are cut.
 * @example showRubric({ sample, answer, score })[0]?.title // "Query"
 */
export function showRubric({
  sample,
  answer,
  score: { detail },
}: SampleToShow<RubricSample, RubricDetail>): ReportBlock[] {
  const { system, history, context, query, reference } = sample;
  const text = answer.output ?? "";
  const before = history.map(({ role, content }) => `${role}: ${content}`).join("\n");
  const marks = detail === null ? [] : marksOf(text.slice(0, cutPlace(text, mostAnswer)), detail);
  const shown = (title: string, value: string | null) =>
    value === null || value === "" ? [] : [shownText(title, value, { most: mostOther })];
  return [
    ...shown("System message", system),
    ...shown("Before", before),
    ...shown("Context", context),
    shownText("Query", query, { most: mostOther }),
    ...shown("Reference", reference),
    ...answerNotes(answer),
    ...(text.trim() === "" ? [] : [shownText("Answer", text, { marks, most: mostAnswer })]),
    ...(detail === null ? [] : judgmentTable(detail)),
  ];
}

const field = (judgment: Json, name: string): Json =>
  isJsonObject(judgment) ? (judgment[name] ?? null) : null;

/** The passages that judges quote, each with its criterion; invented quotations are not in the text. */
function marksOf(text: string, { criteria, metrics }: RubricDetail): Mark[] {
  const find = passagesIn(text);
  return criteria.flatMap(({ id, label }) =>
    (metrics[id]?.judges ?? []).flatMap(({ judgment, value }) => {
      const evidence = value === null ? null : field(judgment as Json, "evidence");
      const quoted = Array.isArray(evidence) ? evidence : [];
      return quoted
        .filter((words) => typeof words === "string")
        .flatMap((words) =>
          find(words)
            .slice(0, mostPlaces)
            .map((place) => foundMark(text, place, [words], { label, tone: "kind0" })),
        );
    }),
  );
}

function judgmentTable({ status, criteria, metrics }: RubricDetail): ReportBlock[] {
  if (status === "error") return [];
  const rows = criteria.flatMap(({ id, label, grade, best }): TableBlock["rows"] => {
    const its = metrics[id];
    if (its === undefined) return [];
    const of = (value: unknown) => (typeof value === "number" ? `${value} (best: ${best})` : null);
    if (its.judges.length === 0) {
      const said = its.unjudged === null ? "The fixed value of an empty answer." : null;
      const why = said ?? unjudgedText[its.unjudged ?? "not_given"];
      return [{ criterion: label, judge: null, grade: of(grade), said: why }];
    }
    return its.judges.map(({ judge, judgment, unjudged, message }) => {
      const why = unjudged && `${unjudgedText[unjudged]}${message && `: ${message}`}`;
      const reasoning = field(judgment as Json, "reasoning");
      return {
        criterion: label,
        judge: judgeName(judge),
        grade: unjudged === null ? of(field(judgment as Json, "score")) : null,
        said: why ?? (typeof reasoning === "string" && reasoning !== "" ? reasoning : null),
      };
    });
  });
  return shownTable(
    "Judgments",
    [
      ["criterion", "Criterion", "text"],
      ["judge", "Judge", "text"],
      ["grade", "Grade", "text"],
      ["said", "Reasoning", "text"],
    ],
    rows,
  );
}

/**
 * Judgments of an answer, one per row: each criterion by each judge, and one row for a criterion with a fixed value, or
 * without a judgment.
 * @example fieldTable.rows(shown)[0]?.["criterion"] // "correct"
 */
export const fieldTable: FieldTable<RubricSample, RubricDetail> = {
  columns: [
    { id: "criterion", description: "id of the criterion" },
    { id: "grade", description: "grade on its own scale; empty: unjudged" },
    ...judgmentColumns,
  ],
  rows({ score: { detail } }) {
    return (detail?.criteria ?? []).flatMap(({ id, grade }) => {
      const its = detail?.metrics[id];
      return its === undefined ? [] : judgmentRows({ criterion: id, grade }, its);
    });
  },
  parts: judgmentParts("criterion"),
};
