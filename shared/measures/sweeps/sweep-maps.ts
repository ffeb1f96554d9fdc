import type { SweepMap } from "../../contracts/submissions/sweep.ts";
import type { Variant, VariantValue } from "../../contracts/submissions/variant.ts";
import { eachPair } from "../comparison/measured-runs.ts";
import type { SweepParameter } from "./sweep-parameters.ts";

/** A variant in maps; null: the metric was not measured, or the variant is excluded. */
export interface MappedVariant {
  variant: Variant;
  value(metric: string): number | null;
}

type Cell = SweepMap["metrics"][number]["rows"][number][number];

/**
 * A map for each pair of parameters with more than one value: every metric as its mean over the variants with these
 * two values, whatever their other parameters. The parameter with fewer values is in the columns, so that a map is
 * taller than wide. If only one parameter has several values, there is one map with one row; if none has, no map.
 * O(variants · metrics · pairs).
 * Source: docs/spec/quality.md, sweep.
 * @example sweepMaps(parameters, variants, ["overall"])[0]?.metrics[0]?.rows[0]?.[0]?.value
 */
export function sweepMaps(
  parameters: readonly SweepParameter[],
  variants: readonly MappedVariant[],
  metrics: readonly string[],
): SweepMap[] {
  const varied = parameters.filter(({ values }) => values.length > 1);
  const [only] = varied;
  if (only === undefined) return [];
  if (varied.length === 1) return [mapOf(only, null, variants, metrics)];
  return eachPair(varied, (a, b) => {
    const [x, y] = a.values.length <= b.values.length ? [a, b] : [b, a];
    return mapOf(x, y, variants, metrics);
  });
}

function mapOf(
  x: SweepParameter,
  y: SweepParameter | null,
  variants: readonly MappedVariant[],
  metrics: readonly string[],
): SweepMap {
  const rowValues: (VariantValue | undefined)[] = y?.values ?? [undefined];
  const cells = rowValues.map((row) =>
    x.values.map((column) =>
      variants.filter(({ variant }) => {
        const isInRow = y === null || (variant[y.name] ?? null) === row;
        return isInRow && (variant[x.name] ?? null) === column;
      }),
    ),
  );
  return {
    x: x.name,
    y: y?.name ?? null,
    metrics: metrics.map((metric) => ({
      metric,
      rows: cells.map((row) => row.map((its) => cellOf(its, metric))),
    })),
  };
}

function cellOf(variants: readonly MappedVariant[], metric: string): Cell {
  const known = variants.map(({ value }) => value(metric)).filter((value) => value !== null);
  const sum = known.reduce((total, value) => total + value, 0);
  return {
    value: known.length === 0 ? null : sum / known.length,
    variants: known.length,
    of: variants.length,
  };
}
