import { expect, test } from "vitest";
import { type Answer, emptyAnswer } from "../../../contracts/answer.ts";
import { answerNotes } from "./answer-notes.ts";

test.each<[string, Partial<Answer>, object[]]>([
  ["a complete answer", { output: "Yes.", finishReason: "stop" }, []],
  ["nothing", {}, []],
  ["a refusal", { refusal: "No." }, [{ kind: "text", title: "Refusal", text: "No." }]],
  ["an empty refusal", { refusal: "" }, []],
  ["a cut", { output: "Ye", finishReason: "length" }, [{ kind: "note", title: "Cut off" }]],
  [
    "a failed request",
    { error: { class: "rate_limited", message: "429, three times" }, refusal: "No." },
    [
      {
        title: "No answer",
        text: "The request failed: rate limited. 429, three times",
      },
    ],
  ],
  [
    "a failed request without a message",
    { error: { class: "timeout", message: "" } },
    [{ text: "The request failed: timeout" }],
  ],
])("answerNotes() of %s", (_, answer, notes) => {
  const shown = answerNotes({ ...emptyAnswer, ...answer });
  expect(shown).toHaveLength(notes.length);
  expect(shown).toMatchObject(notes);
});

test("answerNotes() cuts an endpoint's message", () => {
  const error = { class: "server_error", message: "<html>".repeat(500) } as const;
  const [note] = answerNotes({ ...emptyAnswer, error });
  expect(note?.kind === "note" && note.text.length).toBeLessThan(350);
});
