/**
 * Reads `kind:rate,kind:rate`; a kind alone has rate 1. Throws one sentence that names the culprit.
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
