import { parseRates } from "../parse-rates.ts";

/** Every way in which an endpoint can fail. */
const faultKinds = [
  "429",
  "500",
  "503",
  "529",
  "401",
  "404",
  "timeout",
  "hang",
  "cut",
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
] as const;

/** A way to fail. */
export type FaultKind = (typeof faultKinds)[number];

/** The probability of each fault, drawn once per attempt; they add up to at most 1. */
export type FaultRates = Partial<Record<FaultKind, number>>;

/** What `transient` stands for: its rate is spread evenly over these. */
const transientKinds = ["429", "500", "503", "cut"] as const;

/**
 * Reads fault rates. `transient:r` spreads r over 429, 500, 503 and cut. Throws one sentence that
 * says what is wrong.
 * @example parseFaults("transient:0.2,hang:0.01")
 */
export function parseFaults(text: string): FaultRates {
  const { transient, ...rates } = parseRates(text, [...faultKinds, "transient" as const], "fault");
  if (transient !== undefined) {
    for (const kind of transientKinds) {
      rates[kind] = (rates[kind] ?? 0) + transient / transientKinds.length;
    }
  }
  const sum = Object.values(rates).reduce((total, rate) => total + rate, 0);
  if (sum > 1 + 1e-9) throw new Error(`fault rates must add up to at most 1, not ${sum}`);
  return rates;
}

/** The fault that `unit`, a number in 0..1, falls on; null for none. */
export function pickFault(rates: FaultRates, unit: number): FaultKind | null {
  let edge = 0;
  for (const kind of faultKinds) {
    edge += rates[kind] ?? 0;
    if (unit < edge) return kind;
  }
  return null;
}
