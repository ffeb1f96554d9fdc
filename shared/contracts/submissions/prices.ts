import { z } from "zod";

/** Token prices of a model, USD per million tokens, as vendors quote them. */
export interface Prices {
  inputPerMillion: number;
  outputPerMillion: number;
}

const usd = z.number().nonnegative().optional();
const deprecated = (kind: string) =>
  usd.meta({
    description: `USD per 1,000 ${kind} tokens; prefer USD per million`,
    deprecated: true,
  });

/** Significant digits of a price that survive a multiplication by 1,000. */
const DIGITS = 12;

const scaled = (price: number | undefined, factor: number): number | undefined =>
  price === undefined ? undefined : Number((price * factor).toPrecision(DIGITS));

/**
 * Prices as they are submitted, USD per million tokens. Prices per 1,000 tokens (`inputPer1k`, `outputPer1k`) are
 * deprecated aliases; a price that is given in both units is refused.
 * @example pricesSchema.parse({ inputPer1k: 0.00015, outputPer1k: 0.0006 }) // { inputPerMillion: 0.15, outputPerMillion: 0.6 }
 */
export const pricesSchema = z
  .strictObject({
    inputPerMillion: usd.meta({ description: "USD per million input tokens" }),
    outputPerMillion: usd.meta({ description: "USD per million output tokens" }),
    inputPer1k: deprecated("input"),
    outputPer1k: deprecated("output"),
  })
  .transform((given, context): Prices => {
    const priceOf = (perMillion: keyof Prices, per1k: "inputPer1k" | "outputPer1k"): number => {
      const price = given[perMillion] ?? scaled(given[per1k], 1_000);
      const isTwice = given[perMillion] !== undefined && given[per1k] !== undefined;
      const problem = isTwice
        ? `give ${perMillion} or ${per1k}, not both`
        : `is required: USD per million ${perMillion === "inputPerMillion" ? "input" : "output"} tokens, 0 for what is free`;
      if (isTwice || price === undefined) {
        context.addIssue({ code: "custom", path: [perMillion], message: problem });
      }
      return price ?? 0;
    };
    return {
      inputPerMillion: priceOf("inputPerMillion", "inputPer1k"),
      outputPerMillion: priceOf("outputPerMillion", "outputPer1k"),
    };
  });

/** Prices in responses. */
export const statedPricesSchema = z.object({
  inputPerMillion: z.number().meta({ description: "USD per million input tokens" }),
  outputPerMillion: z.number().meta({ description: "USD per million output tokens" }),
  inputPer1k: deprecated("input"),
  outputPer1k: deprecated("output"),
});

/** Prices with their deprecated aliases, for responses; null stays null. */
export const withDeprecatedPrices = (prices: Prices | null) =>
  prices === null
    ? null
    : {
        inputPerMillion: prices.inputPerMillion,
        outputPerMillion: prices.outputPerMillion,
        inputPer1k: scaled(prices.inputPerMillion, 1e-3)!,
        outputPer1k: scaled(prices.outputPerMillion, 1e-3)!,
      };
