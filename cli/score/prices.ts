import { BadInput } from "../errors.ts";
import type { ScoredFiles } from "./score-files.ts";

/** Prices in the API's format; null without prices. Throws BadInput if only one is given. */
export function pricesOf(
  input: string | undefined,
  output: string | undefined,
): ScoredFiles["prices"] {
  if (input === undefined && output === undefined) return null;
  if (input === undefined || output === undefined) {
    throw new BadInput("give both --price-in and --price-out; 0 if free");
  }
  return {
    inputPerMillion: usd("--price-in", input),
    outputPerMillion: usd("--price-out", output),
  };
}

function usd(flag: string, text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (value >= 0 && Number.isFinite(value)) return value;
  throw new BadInput(`${flag} must be USD per million tokens, 0 or more, not "${text}"`);
}
