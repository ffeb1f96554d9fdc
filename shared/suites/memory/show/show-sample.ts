import type { ReportBlock } from "../../../contracts/report.ts";
import type { SampleToShow } from "../../../contracts/suite.ts";
import { answerNotes } from "../../../measures/report/answer-notes.ts";
import { cutPlace, shownText } from "../../../measures/report/shown-text.ts";
import type { MemorySample } from "../sample.ts";
import type { MemoryDetail } from "../score/score.ts";
import { evidenceMarks } from "./evidence-marks.ts";
import { claimTable, judgmentTable } from "./judgment-table.ts";
import { keyFields } from "./key-fields.ts";

/** The answer is what is judged, so more of it is shown than of what came before. */
const mostBefore = 600;
const mostAnswer = 1_800;

/**
 * A question with the answer to it: history and query, the memory key by key, the answer with what judges quote
 * of it marked, its claims, and every judgment. Without a detail nothing is said of judgments. Never throws. Texts
 * are cut.
 * @example showMemory({ sample, answer, score })[0]?.title // "Query"
 */
export function showMemory({
  sample,
  answer,
  score: { detail },
}: SampleToShow<MemorySample, MemoryDetail>): ReportBlock[] {
  const { history, query } = sample;
  const { output } = answer;
  const text = output ?? "";
  const before = history.map(({ role, content }) => `${role}: ${content}`).join("\n");
  const marks =
    detail === null ? [] : evidenceMarks(text.slice(0, cutPlace(text, mostAnswer)), detail);
  return [
    ...(history.length === 0 ? [] : [shownText("Before", before, { most: mostBefore })]),
    shownText("Query", query, { most: mostBefore }),
    ...answerNotes(answer),
    ...(text.trim() === "" ? [] : [shownText("Answer", text, { marks, most: mostAnswer })]),
    keyFields(sample, detail),
    ...(detail === null ? [] : [...claimTable(detail), ...judgmentTable(detail)]),
  ];
}
