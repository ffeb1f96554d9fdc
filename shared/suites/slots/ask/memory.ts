import type { Answer } from "../../../contracts/answer.ts";
import type { SlotsOptions } from "../options.ts";
import { readSlots } from "../read/read-slots.ts";
import type { Slots } from "../read/slots.ts";

/** Maximum slots and characters in a prompt; the oldest slots are left out. */
const maxSlots = 500;
const maxLength = 20_000;

/** A slot with its latest value. */
interface StoredSlot {
  topic: string;
  field: string;
  values: readonly string[];
}

/**
 * The slots stored in the answers to a user's earlier sessions, in the answer format: a later value of a slot
 * replaces the earlier one. Keeps the latest 500 slots within 20,000 characters; an unreadable answer stores
 * nothing. Never throws. Linear.
 * Source: docs/spec/slots.md, data.
 * @example storedText([{ ...emptyAnswer, output: '{"a": {"b": "c"}}' }], "json") // '{"a":{"b":"c"}}'
 */
export function storedText(replies: readonly Answer[], format: SlotsOptions["format"]): string {
  const stored = new Map<string, StoredSlot>();
  for (const reply of replies) addStored(stored, readSlots(reply, format).slots);
  const kept = latest([...stored.values()]);
  return format === "json" ? asJson(kept) : asLines(kept);
}

/** Slots stored again move to the end. */
function addStored(stored: Map<string, StoredSlot>, slots: Slots): void {
  for (const [topic, fields] of slots) {
    for (const [field, values] of fields) {
      const key = JSON.stringify([topic, field]);
      stored.delete(key);
      stored.set(key, { topic, field, values });
    }
  }
}

function latest(slots: readonly StoredSlot[]): StoredSlot[] {
  const kept: StoredSlot[] = [];
  let left = maxLength;
  for (const slot of slots.slice(-maxSlots).reverse()) {
    left -= slot.topic.length + slot.field.length;
    for (const value of slot.values) left -= value.length;
    if (left < 0) break;
    kept.push(slot);
  }
  return kept.reverse();
}

function asJson(slots: readonly StoredSlot[]): string {
  const topics = new Map<string, [string, string | readonly string[]][]>();
  for (const { topic, field, values } of slots) {
    const fields = topics.get(topic) ?? [];
    fields.push([field, values.length === 1 ? values[0]! : values]);
    topics.set(topic, fields);
  }
  const entries = [...topics].map(
    ([topic, fields]) => [topic, Object.fromEntries(fields)] as const,
  );
  return JSON.stringify(Object.fromEntries(entries));
}

const asLines = (slots: readonly StoredSlot[]): string =>
  slots.length === 0
    ? "NONE"
    : slots
        .map(({ topic, field, values }) => `${topic}::${field}::${values.join(", ")}`)
        .join("\n");
