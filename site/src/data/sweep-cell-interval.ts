import type { SweptVariant } from "#shared/contracts/sweep.ts";
import type { Variant } from "#shared/contracts/variant.ts";

/**
 * The interval of a map's cell that is of one variant alone, whose value it then shows; null where it is a mean over
 * several, which were asked the same samples, and whose scores a build does not have.
 */
export function sweepCellInterval(
  variants: readonly Pick<SweptVariant, "variant" | "leftOut" | "metrics">[],
  metric: string,
  at: Variant,
): [number, number] | null {
  const [only, ...others] = variants.filter(({ variant }) =>
    Object.entries(at).every(([name, value]) => (variant[name] ?? null) === value),
  );
  if (only === undefined || others.length > 0 || only.leftOut !== null) return null;
  return only.metrics?.[metric]?.interval ?? null;
}
