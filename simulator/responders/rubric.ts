import type { JsonObject } from "../../shared/contracts/json.ts";
import { messageText } from "../../shared/suites/rubric/ask.ts";
import { checkSample, type RubricSample } from "../../shared/suites/rubric/sample.ts";
import { sentencesOf } from "../language/stems.ts";
import { textGarbleKinds } from "../mistakes/garble.ts";
import { type Mistakes, makesMistake } from "../mistakes/mistakes.ts";
import { offTopicSentences } from "./prose.ts";
import { completeAnswer, type Responder, textKey } from "./responder.ts";

/**
 * Answers questions that have a reference: with its sentences, some of which are missing, off topic or repeated by the
 * model's mistakes.
 */
export function rubricResponder(rows: readonly JsonObject[]): Responder {
  const samples = rows.flatMap(readSample);
  const byText = new Map(samples.map((sample) => [messageText(sample).trim(), sample]));
  return {
    claim(request) {
      const last = request.messages.at(-1);
      const sample = last?.role === "user" ? byText.get(last.text.trim()) : undefined;
      if (sample === undefined) return null;
      const { id, reference } = sample;
      return {
        key: textKey(messageText(sample)),
        id,
        answer: (context) =>
          completeAnswer(context, textGarbleKinds, (made) =>
            fromReference(reference ?? "", { ...context, made }),
          ),
      };
    },
  };
}

function readSample(row: JsonObject): RubricSample[] {
  const checked = checkSample(row);
  return checked.ok && checked.value.sample.reference !== null ? [checked.value.sample] : [];
}

type SaidWith = Pick<Mistakes, "rates" | "draws" | "made">;

/** Each sentence of the reference, unless a mistake takes its place; at least one sentence. */
function fromReference(reference: string, mistakes: SaidWith): string {
  const written: string[] = [];
  for (const sentence of sentencesOf(reference)) {
    if (makesMistake(mistakes, "unhelpful")) continue;
    if (makesMistake(mistakes, "off_topic")) written.push(mistakes.draws.pick(offTopicSentences));
    else written.push(sentence);
    if (makesMistake(mistakes, "repeated_sentence")) written.push(written.at(-1)!);
  }
  return written.length === 0 ? mistakes.draws.pick(offTopicSentences) : written.join(" ");
}
