import { z } from "zod";
import type { AskedJudge } from "../../contracts/judging/judge.ts";
import { defaultModels } from "../default-models.ts";
import { meanValue, readingOf } from "../figures.ts";
import { reasoning, share } from "../judgment-parts.ts";

/** A slot that is expected and stored, with its session. */
export interface StoredSlot {
  turns: readonly { role: string; content: string }[];
  topic: string;
  field: string;
  /** Values as texts; one or more. */
  expected: readonly string[];
  /** Empty: the slot was missed. */
  predicted: readonly string[];
}

const judgment = z.object({ reasoning, accuracy: share });
type Judgment = z.infer<typeof judgment>;

/**
 * How far the stored value of a slot has the meaning of the expected one. Everything shown is JSON, so that no value
 * can look like a turn or another value.
 */
export const slotAccuracy: AskedJudge<Judgment, StoredSlot> = {
  kind: "asked",
  id: "slot_accuracy",
  label: "Slot accuracy",
  version: "1",
  scale: "ratio",
  route: defaultModels.tone,
  rubric: {
    task: "An assistant read a conversation session and stored what is to be remembered of its user, slot by slot; a slot is a field of a topic. The answer to be judged is what it stored in one slot, the piece `predicted`. Judge how far that says of the user what the piece `expected` says, which a careful reader of the same session stored there.",
    levels: [
      [1, "It means the same: all that is expected is there, in these or in other words."],
      [0.75, "Right in what matters; a detail is missing, added or vaguer, and changes little."],
      [0.5, "Half of it is right: some of several values, or a true value that is far too vague."],
      [0.25, "A trace of what is expected, and the rest of it is missing or wrong."],
      [0, "Another value, its contrary, something else's, or nothing that answers to the field."],
    ],
    rules: [
      "Values between the given ones are allowed.",
      "Both pieces are lists of values. Go by what they mean: synonyms, abbreviations, another language, spelling, numbers in words, order, and whether values are split or joined make no difference.",
      "The session is there to tell what words refer to and how things stand at its end; what it holds beside the slot is not expected.",
      "A detail that the expected values lack costs nothing where the user says it of themselves in the session and it belongs to the field. What the session does not bear out, or says of somebody else, is wrong.",
      "Several expected values weigh the same each. One that is missing and one that is wrong each take away their part.",
      "What the user denies, or gives up in the course of the session, is wrong.",
    ],
    notAbout: [
      "which other slots were stored, or should have been",
      "whether the fact was worth storing",
      "wording, letter case and punctuation of values",
    ],
  },
  sections: [
    { name: "conversation", textOf: ({ turns }) => JSON.stringify(turns, null, 1) },
    { name: "slot", textOf: ({ topic, field }) => JSON.stringify({ topic, field }) },
    { name: "expected", textOf: ({ expected }) => JSON.stringify(expected) },
    { name: "predicted", textOf: ({ predicted }) => JSON.stringify(predicted) },
  ],
  judgment,
  // A missed slot has no correct value, even if the recorded judgment says otherwise.
  read: ({ accuracy }, { predicted }) => readingOf(predicted.length === 0 ? 0 : accuracy),
  empty: () => readingOf(0),
  numbers: { whole: [], fractions: [] },
  labels: {},
  figures: [
    meanValue(
      {
        id: "slot_accuracy",
        label: "Slot accuracy",
        definition:
          "Mean over stored expected slots of how far their values mean the expected ones, 0–1.",
      },
      "ratio",
    ),
  ],
};
