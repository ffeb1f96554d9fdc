import type { Variant, VariantValue } from "../../contracts/submissions/variant.ts";

/** A swept parameter with its values. */
export interface SweepParameter {
  name: string;
  /** Ascending, null first, without duplicates. */
  values: VariantValue[];
}

/**
 * The swept parameters and their values, from the variants; parameters in the order of the first variant. Linear
 * except for sorting values.
 * @example sweepParameters([{ top_p: 1 }, { top_p: 0.9 }]) // [{ name: "top_p", values: [0.9, 1] }]
 */
export function sweepParameters(variants: readonly Variant[]): SweepParameter[] {
  return Object.keys(variants[0] ?? {}).map((name) => ({
    name,
    values: [...new Set(variants.map((variant) => variant[name] ?? null))].sort(compareValues),
  }));
}

/**
 * Compares variants by their values; the first parameter has priority.
 * @example [{ seed: 2 }, { seed: 1 }].sort(compareVariants)[0] // { seed: 1 }
 */
export function compareVariants(a: Variant, b: Variant): number {
  for (const name of Object.keys(a)) {
    const order = compareValues(a[name] ?? null, b[name] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

/** Null first, then numbers by size, then anything else by its text. */
function compareValues(a: VariantValue, b: VariantValue): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "number" || typeof b === "number") return typeof a === "number" ? -1 : 1;
  return String(a) < String(b) ? -1 : 1;
}

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
