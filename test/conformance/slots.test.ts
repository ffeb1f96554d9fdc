import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { emptyAnswer } from "../../shared/contracts/answer.ts";
import type { Json } from "../../shared/contracts/json.ts";
import { defaultOptions } from "../../shared/suites/slots/options.ts";
import { slotsOf } from "../../shared/suites/slots/read/slots.ts";
import type { SlotsSample } from "../../shared/suites/slots/sample.ts";
import { compareSlots } from "../../shared/suites/slots/score/compare-slots.ts";
import { scoreSlots } from "../../shared/suites/slots/score/score.ts";
import {
  addCounts,
  noSlots,
  type SlotCounts,
  slotFigures,
} from "../../shared/suites/slots/score/slot-counts.ts";
import { jsonLines } from "../support/json-lines.ts";

interface SlotsCase {
  sessions: { expected: SlotsSample["expected"]; predicted: Json }[];
  metrics: Record<string, number | Record<string, Figures>> & { topics: Record<string, Figures> };
}
type Figures = Record<string, number>;

/** Matches numbers within 5e-10. */
const close = (figures: Figures) =>
  Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, expect.closeTo(value, 9)]),
  );

const cases: SlotsCase[] = jsonLines(
  readFileSync(new URL("cases/slots.jsonl", import.meta.url), "utf8"),
);

test("there are 30 worked cases of slots", () => {
  expect(cases).toHaveLength(30);
});

test.each(cases.map((one, i) => [i + 1, one] as const))(
  "slotFigures() gives the metrics of worked case %d",
  (_, { sessions, metrics }) => {
    const topics = new Map<string, SlotCounts>();
    for (const { expected, predicted } of sessions) {
      const compared = compareSlots(slotsOf(expected), slotsOf(predicted), true);
      for (const [topic, counts] of compared.topics) {
        topics.set(topic, addCounts(topics.get(topic) ?? noSlots(), counts));
      }
    }
    const total = [...topics.values()].reduce(addCounts, noSlots());
    const { topics: byTopic, ...figures } = metrics;
    expect({ ...total, ...slotFigures(total) }).toMatchObject(close(figures as Figures));
    expect([...topics.keys()].sort()).toEqual(Object.keys(byTopic).sort());
    for (const [topic, wanted] of Object.entries(byTopic)) {
      expect(slotFigures(topics.get(topic) ?? noSlots()), topic).toMatchObject(close(wanted));
    }
  },
);

test.each(cases.map((one, i) => [i + 1, one] as const))(
  "scoreSlots() gives details that add up to the metrics of worked case %d",
  (_, { sessions, metrics }) => {
    const total = noSlots();
    for (const { expected, predicted } of sessions) {
      const sample: SlotsSample = {
        id: "s",
        user: "u",
        session: 1,
        turns: [],
        topics: {},
        tags: {},
        expected,
      };
      const answer = { ...emptyAnswer, output: JSON.stringify(predicted) };
      addCounts(total, scoreSlots(sample, answer, defaultOptions).detail);
    }
    const { topics: __, ...figures } = metrics;
    expect({ ...total, ...slotFigures(total) }).toMatchObject(close(figures as Figures));
  },
);
