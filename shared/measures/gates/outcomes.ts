import type { ParityHost } from "../../contracts/boards/parity.ts";
import { isJsonObject, type Json } from "../../contracts/json.ts";

type Outcomes = NonNullable<ParityHost["outcomes"]>;

/** Names of each outcome in the suites' breakdowns: a top-level number, or an entry of `counts`. */
const names: Readonly<Record<keyof Outcomes, readonly string[]>> = {
  answers: ["answers"],
  refused: ["refused", "status refused"],
  empty: ["empty", "status empty", "status silent"],
  truncated: ["truncated"],
};

/**
 * How many answers of a run are refusals, empty or cut off, from its breakdown; null if the breakdown lacks the number
 * of answers. An outcome that the suite does not count is null; a counted outcome that did not occur is 0.
 * @example outcomesOf({ answers: 80, counts: { "status answered": 79, "status refused": 1 } })?.refused // 1
 */
export function outcomesOf(breakdown: Json): Outcomes | null {
  if (!isJsonObject(breakdown) || typeof breakdown["answers"] !== "number") return null;
  const counts = isJsonObject(breakdown["counts"]) ? breakdown["counts"] : {};
  // Counts by status omit statuses that did not occur.
  const least = Object.keys(counts).some((name) => name.startsWith("status ")) ? 0 : null;
  const numberOf = (outcome: keyof Outcomes): number | null => {
    const found = names[outcome].map((name) => breakdown[name] ?? counts[name]);
    const known = found.filter((one) => typeof one === "number");
    return known.length > 0 ? known.reduce((sum, one) => sum + one, 0) : least;
  };
  return {
    answers: breakdown["answers"],
    refused: numberOf("refused"),
    empty: numberOf("empty"),
    truncated: numberOf("truncated"),
  };
}
