import type { Json } from "../../shared/contracts/json.ts";
import { contentPhrases } from "../responders/prose.ts";
import { type Mistakes, makesMistake } from "./mistakes.ts";
import { perturbScalar } from "./perturb-scalar.ts";

/** A stored fact about a user. */
export interface Slot {
  topic: string;
  field: string;
  /** Texts, numbers and booleans; not empty. */
  values: readonly Json[];
}

/** The available fields by topic. */
export type Topics = Readonly<Record<string, readonly string[]>>;

/** Unrequested fields that models often add. */
const inventedNames = ["notes", "personality", "other", "summary"] as const;

/**
 * `slots` as a model of the given error rates would store them: some missing, some with truncated or unrelated values,
 * and hints stored as facts. Its mistakes are added to `mistakes.made`. `mistakes.text` is the conversation.
 */
export function perturbSlots(slots: readonly Slot[], topics: Topics, mistakes: Mistakes): Slot[] {
  const hints = contentPhrases(mistakes.text);
  const hint = (): Json[] => [hints.length > 0 ? mistakes.draws.pick(hints) : "unknown"];
  const result: Slot[] = [];
  for (const slot of slots) {
    if (makesMistake(mistakes, "missed_slot")) continue;
    const isMisread = makesMistake(mistakes, "misread_slot");
    result.push({ ...slot, values: isMisread ? hint() : perturbValues(slot.values, mistakes) });
  }
  const expected = new Set(slots.map(({ topic, field }) => JSON.stringify([topic, field])));
  for (const [topic, fields] of Object.entries(topics)) {
    for (const field of fields) {
      if (expected.has(JSON.stringify([topic, field])) || !makesMistake(mistakes, "extra_slot"))
        continue;
      result.push({ topic, field, values: hint() });
    }
    const field = mistakes.draws.pick(inventedNames);
    if (!fields.includes(field) && makesMistake(mistakes, "extra_field")) {
      result.push({ topic, field, values: hint() });
    }
  }
  return result;
}

function perturbValues(values: readonly Json[], mistakes: Mistakes): Json[] {
  const result = values.map((value) => perturbScalar(value, {}, mistakes));
  if (result.length > 1 && makesMistake(mistakes, "dropped_element")) {
    result.splice(mistakes.draws.index(result.length), 1);
  }
  return result;
}
