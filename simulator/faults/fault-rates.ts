/** Faults of a judgment in an otherwise correct answer. */
const judgmentFaults = ["invalid-json", "wrong-schema", "out-of-range", "invented-quotes"] as const;
export type JudgmentFault = (typeof judgmentFaults)[number];

/** All faults of an endpoint. */
const faultKinds = [
  "429",
  "500",
  "503",
  "529",
  "401",
  "404",
  "timeout",
  "hang",
  "stall",
  "cut",
  "error-in-200",
  "slow-body",
  "truncated-json",
  "null-choices",
  "html",
  "huge",
  "redirect",
  "prose",
  "fenced",
  "refusal",
  "empty",
  ...judgmentFaults,
] as const;

/** A fault. */
export type FaultKind = (typeof faultKinds)[number];

/** The probability of each fault; their sum is at most 1. */
export type FaultRates = Partial<Record<FaultKind, number>>;

/** Faults by duration: drawn for each attempt, or once for all attempts of a sample. */
export interface Faults {
  passing: FaultRates;
  lasting: FaultRates;
}

/** Marks a fault that persists over all attempts. */
const lastingMark = "!";

/** Faults of `transient`, each with an equal part of its rate. */
const transientKinds = ["429", "500", "503", "cut"] as const;

/**
 * Parses fault rates; with an exclamation mark at the end, a fault persists. `transient:r` divides r over 429, 500, 503
 * and cut. Throws a one-sentence message.
 * @example parseFaults("transient:0.2,invalid-json:0.1!")
 */
export function parseFaults(text: string): Faults {
  const parts = text.split(",").map((part) => part.trim());
  const isLasting = (part: string) => part.endsWith(lastingMark);
  const passing = ratesIn(parts.filter((part) => !isLasting(part)));
  const lasting = ratesIn(parts.filter(isLasting).map((part) => part.slice(0, -1)));
  const all = [passing, lasting].flatMap((rates) => Object.values(rates));
  const sum = all.reduce((total, rate) => total + rate, 0);
  if (sum > 1 + 1e-9) throw new Error(`fault rates must add up to at most 1, not ${sum}`);
  return { passing, lasting };
}

function ratesIn(parts: readonly string[]): FaultRates {
  const kinds = [...faultKinds, "transient" as const];
  const { transient, ...rates } = parseRates(parts.join(","), kinds, "fault");
  if (transient === undefined) return rates;
  for (const kind of transientKinds) {
    rates[kind] = (rates[kind] ?? 0) + transient / transientKinds.length;
  }
  return rates;
}

/** The fault selected by `unit`, a number in 0..1; null for none. */
export function pickFault(rates: FaultRates, unit: number): FaultKind | null {
  let edge = 0;
  for (const kind of faultKinds) {
    edge += rates[kind] ?? 0;
    if (unit < edge) return kind;
  }
  return null;
}

/**
 * Parses `kind:rate,kind:rate`; a kind without rate has rate 1. Throws a one-sentence message.
 * @example parseRates("429:0.1,hang", ["429", "hang"], "fault") // { "429": 0.1, hang: 1 }
 */
export function parseRates<Kind extends string>(
  text: string,
  kinds: readonly Kind[],
  noun: string,
): Partial<Record<Kind, number>> {
  const rates: Partial<Record<Kind, number>> = {};
  for (const part of text.split(",").filter((piece) => piece.trim() !== "")) {
    const [name = "", share = "1"] = part.trim().split(":");
    const kind = kinds.find((known) => known === name);
    const rate = Number(share);
    if (kind === undefined)
      throw new Error(`unknown ${noun} '${name}'; known are ${kinds.join(", ")}`);
    if (share === "" || !(rate >= 0 && rate <= 1)) {
      throw new Error(`the rate of ${noun} '${name}' must be from 0 to 1, not '${share}'`);
    }
    rates[kind] = rate;
  }
  return rates;
}
