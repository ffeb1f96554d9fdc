import type { SlotsSample } from "../sample.ts";

/** Runs of digits within a text compare as numbers: "s2" is before "s10", 2025-01-31 before 2025-02-01. */
const { compare } = new Intl.Collator("en", { numeric: true });

/**
 * Positions of sessions in the order in which they took place: numbers by value, before texts; texts in
 * alphabetical order, digits in them as numbers; what is the same as it stands.
 * Source: docs/spec/slots.md, data.
 * @example sessionOrder([{ session: "s10" }, { session: "s2" }]) // [1, 0]
 */
export function sessionOrder(samples: readonly Pick<SlotsSample, "session">[]): number[] {
  return samples
    .map(({ session }, at) => ({ session, at }))
    .sort((a, b) => compareSessions(a.session, b.session))
    .map(({ at }) => at);
}

function compareSessions(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return compare(String(a), String(b));
}
