import type { ValueSource } from "../schemas/generate-value.ts";
import type { MistakeKind, MistakeRates } from "./rates.ts";

/** What making mistakes needs, and the list of those made so far. */
export interface Slips extends ValueSource {
  rates: MistakeRates;
  /** Decoding follows the schema: no mistake may break it. */
  constrained: boolean;
  made: MistakeKind[];
}

/** Decides whether a mistake of this kind is made here, and notes it. */
export function slip(slips: Pick<Slips, "rates" | "draws" | "made">, kind: MistakeKind): boolean {
  const made = slips.draws.chance(slips.rates[kind]);
  if (made) slips.made.push(kind);
  return made;
}
