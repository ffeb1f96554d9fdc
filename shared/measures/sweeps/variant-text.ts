import type { Variant, VariantValue } from "../../contracts/submissions/variant.ts";

/**
 * A value as text; null is the endpoint's default.
 * @example valueText(null) // "unset"
 */
export const valueText = (value: VariantValue): string =>
  value === null ? "unset" : String(value);

/**
 * A variant as text.
 * @example variantText({ temperature: 0.7, top_p: null }) // "temperature 0.7, top_p unset"
 */
export const variantText = (variant: Variant): string =>
  Object.entries(variant)
    .map(([name, value]) => `${name} ${valueText(value)}`)
    .join(", ");
