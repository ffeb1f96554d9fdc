import type { StoredSlot } from "../metrics/slot-accuracy.ts";

/** A slot that is half right. */
export const aStoredSlot = (more: Partial<StoredSlot> = {}): StoredSlot => ({
  turns: [
    { role: "user", content: "I sing, and I'm learning chess. Ben runs." },
    { role: "assistant", content: "Good luck with the chess!" },
  ],
  topic: "interests",
  field: "hobbies",
  expected: ["singing", "chess"],
  predicted: ["choir", "running"],
  ...more,
});
