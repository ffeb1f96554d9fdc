import { cutText } from "../../../contracts/bounds.ts";
import type { ComparedSlot } from "./compare-slots.ts";

/** What a sample page shows of a slot; all that counts is counted before. */
const maxExtraSlots = 100;
const maxValues = 20;
const maxLength = 200;

/**
 * The slots as they are kept for readers: all expected ones, which the sample bounds, and the first 100
 * extra ones; of each the first 20 values, texts cut after 200 characters.
 * @example shownSlots([]) // { fields: [], hiddenSlots: 0 }
 */
export function shownSlots(slots: readonly ComparedSlot[]): {
  fields: ComparedSlot[];
  hiddenSlots: number;
} {
  const extra = slots.findIndex(({ outcome }) => outcome === "extra");
  const shown = extra < 0 ? slots : slots.slice(0, extra + maxExtraSlots);
  return { fields: shown.map(cutSlot), hiddenSlots: slots.length - shown.length };
}

function cutSlot({ topic, field, outcome, expected, predicted }: ComparedSlot): ComparedSlot {
  const cut = (values: readonly string[]) =>
    values.slice(0, maxValues).map((value) => cutText(value, maxLength));
  return {
    topic: cutText(topic, maxLength),
    field: cutText(field, maxLength),
    outcome,
    expected: cut(expected),
    predicted: cut(predicted),
  };
}
