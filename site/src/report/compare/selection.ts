import type { MarginTests, MetricComparison } from "#shared/contracts/boards/comparison.ts";
import type { View } from "#shared/contracts/suite.ts";
import type { Compared } from "./compared.ts";

/** The shown part of a comparison. */
export interface Selection {
  view: View;
  /** Null without common samples. */
  tested: MetricComparison | null;
  /** Only differences from this run are drawn; null: of all pairs. */
  against: string | null;
  /** Whether runs are within a margin of each other; a text: why that is not known yet; null: not asked. */
  margin: MarginTests | string | null;
}

/** Margins of scores from 0 to 1 that are offered. */
export const margins = [0.01, 0.02, 0.05, 0.1] as const;

/** Maximum pairs in a drawing; with more, only those of one run are drawn. */
const mostDrawnPairs = 15;

/** Whether differences are drawn for one run at a time. */
export const drawsAgainstOne = ({ comparison: { runs } }: Compared): boolean =>
  (runs.length * (runs.length - 1)) / 2 > mostDrawnPairs;
