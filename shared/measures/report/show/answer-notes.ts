import type { Answer } from "../../../contracts/answer.ts";
import type { ReportBlock } from "../../../contracts/report.ts";
import { asFolded, note } from "../charts/blocks.ts";
import { messageStart, shownText } from "./shown-text.ts";

/** Limit, because thoughts can be many pages, and are never scored. */
const mostThoughts = 4_000;

/**
 * Notes on an answer as a whole: a failed request, a refusal, a truncated text, and the model's thoughts. Empty for
 * any other answer.
 * @example answerNotes({ ...emptyAnswer, finishReason: "length" })[0]?.title // "Cut off"
 */
export function answerNotes(answer: Answer): ReportBlock[] {
  const { error, refusal, finishReason, output, thoughts = "", toolCalls } = answer;
  const isSilent = (output ?? "").trim() === "" && !refusal && !toolCalls?.length;
  const missed = (title: string, text: string) => note(title, text, "missed");
  if (error !== null) {
    const message = messageStart(error.message);
    const words = error.class.replaceAll("_", " ");
    const { received = "" } = error;
    return [
      missed("No answer", `The request failed: ${words}${message && `. ${message}`}`),
      ...(received === "" ? [] : asFolded([shownText("Received before it failed", received)])),
    ];
  }
  return [
    ...(refusal ? [shownText("Refusal", refusal)] : []),
    ...(finishReason === "length"
      ? [missed("Cut off", "The endpoint cut the answer off at the token limit.")]
      : []),
    ...(thoughts !== "" && isSilent
      ? [missed("Thoughts only", "The model returned only thoughts: no answer.")]
      : []),
    ...(thoughts === "" ? [] : asFolded([shownText("Thoughts", thoughts, { most: mostThoughts })])),
  ];
}
