import type { ReportBlock } from "../../../contracts/report.ts";
import type { SampleToShow } from "../../../contracts/suite.ts";
import { answerNotes } from "../../../measures/report/answer-notes.ts";
import { cutPlace, type Mark, shownText } from "../../../measures/report/shown-text.ts";
import { phrasePattern } from "../read/phrases.ts";
import { connectors } from "../read/word-lists.ts";
import { folded } from "../read/words.ts";
import type { QualitySample } from "../sample.ts";
import type { QualityDetail } from "../score/score.ts";
import { metricTable } from "./metric-table.ts";

/** A response is what is judged, so more of it is shown than of its prompt. */
const mostPrompt = 600;
const mostResponse = 1_800;

const connectorPattern = phrasePattern(connectors);

/**
 * A prompt with the response to it, its discourse connectors marked, and the five metrics with what they are
 * made of. Without a detail prompt and response alone. Never throws. Texts are cut.
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

/** None where folding moves letters, so that places in the folded text are not those in the response. */
function connectorMarks(response: string): Mark[] {
  const shown = response.slice(0, cutPlace(response, mostResponse));
  const plain = folded(shown);
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
