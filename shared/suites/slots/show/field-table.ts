import type { FieldRow, FieldTable } from "../../../contracts/suite.ts";
import type { SlotsSample } from "../sample.ts";
import type { SlotsDetail } from "../score/score.ts";

type Slot = SlotsDetail["fields"][number];

/**
 * Slots of a session, one per row: every expected slot and the first extra ones, with their ratings.
 * Source: docs/spec/slots.md, metrics.
 * @example fieldTable.rows(shown)[0]?.["category"] // "exact"
 */
export const fieldTable: FieldTable<SlotsSample, SlotsDetail> = {
  columns: [
    { id: "topic", description: "topic of the slot" },
    { id: "field", description: "its name in the topic" },
    { id: "expected", description: "values, a list; empty for an extra slot" },
    { id: "predicted", description: "values stored, a list; empty for a missed slot" },
    { id: "category", description: "exact, other (stored with other values), missed or extra" },
    { id: "score", description: "1 if the slot is expected and stored, else 0" },
    {
      id: "valueScore",
      description: "1 if it is stored with exactly the expected values, else 0",
    },
    { id: "judgeScore", description: "the judges' rating of the value, 0–1; empty: not judged" },
    { id: "unjudged", description: "why it was not judged" },
    { id: "judgments", description: "judge, value and reasoning of each, a list" },
  ],
  rows: ({ score: { detail } }) => (detail?.fields ?? []).map(rowOf),
  parts: {
    name: "slot",
    of: ({ topic, field, category }) => ({
      path: `${topic}.${field}`,
      verdict: `${category}`,
      isRight: category === "exact",
      patterns: [],
      judge: null,
    }),
    verdicts: ["exact", "other", "missed", "extra"],
    patterns: [],
  },
};

function rowOf({ topic, field, outcome, expected, predicted, judged }: Slot): FieldRow {
  const isStored = outcome === "exact" || outcome === "other";
  return {
    topic,
    field,
    expected: [...expected],
    predicted: [...predicted],
    category: outcome,
    score: Number(isStored),
    valueScore: Number(outcome === "exact"),
    judgeScore: judged?.value ?? null,
    unjudged: judged?.unjudged ?? null,
    judgments: judged === undefined ? null : judged.judges.map(judgmentOf),
  };
}

const judgmentOf = (one: NonNullable<Slot["judged"]>["judges"][number]) => ({
  judge: one.judge,
  provider: one.provider,
  value: one.value,
  unjudged: one.unjudged,
  reasoning: one.judgment?.reasoning ?? null,
});
