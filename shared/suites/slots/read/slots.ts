import { isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";

/** The raw values stored under each field of each topic; each slot has at least one value. */
export type Slots = Map<string, Map<string, string[]>>;

/**
 * The slots of `{"<topic>": {"<field>": value | [values]}}`. Topics without fields (a text, a list) have no slot.
 * Any value other than an object has no slots. Linear.
 * Source: docs/spec/slots.md, data.
 * @example slotsOf({ interests: { sport: "golf", food: null } }).get("interests")?.size // 1
 */
export function slotsOf(value: Json): Slots {
  const slots: Slots = new Map();
  if (!isJsonObject(value)) return slots;
  for (const [topic, fields] of Object.entries(value)) {
    if (!isJsonObject(fields)) continue;
    const stored = storedFields(fields);
    if (stored.size > 0) slots.set(topic, stored);
  }
  return slots;
}

function storedFields(fields: JsonObject): Map<string, string[]> {
  const stored = new Map<string, string[]>();
  for (const [field, value] of Object.entries(fields)) {
    const values = valuesOf(value);
    if (values.length > 0) stored.set(field, values);
  }
  return stored;
}

/**
 * Appends values to a slot; does nothing if there are none. Changes `slots`.
 * @example addSlot(slots, "basic_info", "age", ["34"])
 */
export function addSlot(
  slots: Slots,
  topic: string,
  field: string,
  values: readonly string[],
): void {
  if (values.length === 0) return;
  const fields = slots.get(topic) ?? new Map<string, string[]>();
  const stored = fields.get(field) ?? [];
  for (const value of values) stored.push(value);
  slots.set(topic, fields.set(field, stored));
}

/**
 * The values of a slot as texts. A text, number or boolean is one value, and so is an object or a list within a list;
 * all but texts are written as JSON. Null, blank texts and empty lists or objects are no values. Linear.
 * Source: docs/spec/slots.md, data.
 * @example valuesOf([25, "chess", " "]) // ["25", "chess"]
 */
export function valuesOf(value: Json): string[] {
  const parts = Array.isArray(value) ? value : [value];
  return parts.map(textOf).filter((text) => text !== "");
}

/** Empty if it is not a value. */
function textOf(value: Json): string {
  if (typeof value === "string") return value.trim() === "" ? "" : value;
  if (typeof value !== "object") return JSON.stringify(value);
  return value === null || Object.keys(value).length === 0 ? "" : JSON.stringify(value);
}
