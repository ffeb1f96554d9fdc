import { z } from "zod";

/**
 * A price per million tokens of a kind, USD; 0: free.
 * @example usdPerMillion("input").parse(0.15) // 0.15
 */
export const usdPerMillion = (kind: string) =>
  z
    .number({
      error: ({ input }) =>
        input === undefined
          ? `is required: USD per million ${kind} tokens, 0 for what is free`
          : undefined,
    })
    .nonnegative()
    .meta({ description: `USD per million ${kind} tokens` });

/** A price that only some vendors quote separately. */
const optionalPrice = (what: string) =>
  z
    .number()
    .nonnegative()
    .optional()
    .meta({ description: `USD per million ${what}` });

/**
 * Token prices of a model, USD per million tokens, as vendors quote them.
 * @example pricesSchema.parse({ inputPerMillion: 0.15, outputPerMillion: 0.6 })
 */
export const pricesSchema = z
  .strictObject({
    inputPerMillion: usdPerMillion("input"),
    outputPerMillion: usdPerMillion("output"),
    cachedPerMillion: optionalPrice("input tokens read from a cache; default: the price of input"),
    audioPerMillion: optionalPrice("input tokens of recordings; default: the price of input"),
    reasoningPerMillion: optionalPrice("tokens of thoughts; default: the price of output"),
  })
  .meta({ id: "Prices" });
export type Prices = z.infer<typeof pricesSchema>;
