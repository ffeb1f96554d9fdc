import type { NoteBlock, ReportBlock } from "../../../contracts/report.ts";
import type { SampleToShow } from "../../../contracts/suite.ts";
import { folded } from "../../../measures/report/blocks.ts";
import { figureText } from "../../../measures/report/figure-text.ts";
import { shownJson } from "../../../measures/report/shown-json.ts";
import { shownText } from "../../../measures/report/shown-text.ts";
import type { ExtractionSample } from "../sample.ts";
import type { FieldScore } from "../score/field-score.ts";
import { lostOutput } from "../score/lost-output.ts";
import type { ExtractionDetail, UnscoredDetail } from "../score/score.ts";
import { evidenceText } from "./evidence-text.ts";
import { failureNotes } from "./failure-notes.ts";
import { fieldRows } from "./field-rows.ts";

type Shown = SampleToShow<ExtractionSample, ExtractionDetail | UnscoredDetail>;

/**
 * One answer for a reader to judge: what failed, the text with the values of the answer marked in it, field by
 * field what was expected and what came, and what that earned. An output that does not fit the schema is shown
 * as if it did; one that is no JSON, or of which no details are kept, as it came. Never throws.
 * Source: docs/spec/extraction.md, sections 4, 5 and 8.
 * @example showSample({ sample, answer, score })[0]?.kind // "text"
 */
export function showSample({ sample, answer, score: { detail } }: Shown): ReportBlock[] {
  const notes = failureNotes(answer, detail);
  const output = answer.output ?? "";
  const raw =
    output === "" ? [] : folded([shownText("Answer as it came", output, { isCode: true })]);
  if (detail === null || "unscored" in detail) {
    const expected = shownJson("Expected", sample.expected_output);
    return [...notes, shownText("Text", sample.text), expected, ...raw];
  }
  const used = detail.salvage ?? detail;
  const lost = lostOutput({ covered: answer.error === null, detail });
  const title = detail.salvage === undefined ? "Field by field" : "Field by field, as if valid";
  return [
    ...notes,
    evidenceText(sample.text, used.fields),
    fieldRows(title, used.fields, used.fieldsLeftOut, detail.salvage === undefined ? lost : null),
    ...(detail.parse === "failed" ? [] : [scoreNote(detail)]),
    ...(detail.parse === "clean" ? [] : raw),
  ];
}

/** An invalid output earns nothing, so what it would have earned is said instead. */
function scoreNote({ salvage, ...detail }: ExtractionDetail): NoteBlock {
  const text =
    salvage === undefined
      ? `${scoreText(detail)}.`
      : `EQS 0. If it were valid: ${scoreText(salvage)}.`;
  return { kind: "note", title: "Score", tone: "neutral", text };
}

function scoreText(score: FieldScore): string {
  const rate = figureText(score.hallucinationRate ?? 0, "percent");
  return `EQS ${figureText(score.eqs, "score")}, partial F1 ${figureText(score.partialF1, "score")}, type accuracy ${figureText(score.typeAccuracy, "score")}, hallucination rate ${rate}, ${score.exactMatch ? "" : "no "}exact match`;
}
