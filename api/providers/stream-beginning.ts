import { emptyAnswer } from "#shared/contracts/answer.ts";
import type { Protocol, StreamParts } from "#shared/protocols/protocol.ts";

/** Texts that came before streams broke, by the errors that they broke with. */
const beginnings = new WeakMap<object, string>();

/** Stores the text received before a stream failed, for the failure record. */
export function keepBeginning(error: unknown, protocol: Protocol, parts: StreamParts): void {
  if (typeof error !== "object" || error === null) return;
  try {
    const { output, thoughts = "" } = protocol.read(parts.body(true), null) ?? emptyAnswer;
    beginnings.set(error, output || thoughts);
  } catch {
    // What came reports a failure itself.
  }
}

/** The text that came before a stream broke with this error, or else the thoughts; empty if there was none. */
export const beginningOf = (error: unknown): string =>
  typeof error === "object" && error !== null ? (beginnings.get(error) ?? "") : "";
