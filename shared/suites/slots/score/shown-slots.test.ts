import { expect, test } from "vitest";
import type { ComparedSlot } from "./compare-slots.ts";
import { shownSlots } from "./score.ts";

const slot = (
  outcome: ComparedSlot["outcome"],
  part: Partial<ComparedSlot> = {},
): ComparedSlot => ({
  topic: "t",
  field: "f",
  outcome,
  expected: [],
  predicted: ["x"],
  ...part,
});
const slots = (outcome: ComparedSlot["outcome"], count: number) =>
  Array.from({ length: count }, () => slot(outcome));

test.each([
  [0, 0, 0, 0],
  [150, 0, 150, 0],
  [0, 101, 100, 1],
  [150, 250, 250, 150],
])("shownSlots() for %d missed and %d extra shows %d, hides %d", (own, extra, shown, hidden) => {
  const { fields, hiddenSlots } = shownSlots([...slots("missed", own), ...slots("extra", extra)]);
  expect([fields.length, hiddenSlots]).toEqual([shown, hidden]);
});

test("shownSlots() cuts names, values and lists of values", () => {
  const long = "x".repeat(300);
  const whole = slot("other", { topic: long, field: long, expected: Array(30).fill(long) });
  const [field] = shownSlots([whole]).fields;
  const cut = `${"x".repeat(199)}…`;
  expect(field).toEqual({
    topic: cut,
    field: cut,
    outcome: "other",
    expected: Array(20).fill(cut),
    predicted: ["x"],
  });
});
