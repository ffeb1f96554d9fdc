import type { MetricComparison } from "#shared/contracts/boards/comparison.ts";
import type { View } from "#shared/contracts/suite.ts";
import type { Compared } from "./compared.ts";

/** What of a comparison is shown. */
export interface Selection {
  view: View;
  /** Null where no sample is common. */
  tested: MetricComparison | null;
  /** Only differences from this run are drawn; null: of all pairs. */
  against: string | null;
}

/** More pairs than this are too many to draw at once: those of one run are. */
const mostDrawnPairs = 15;

/** Whether differences are drawn for one run at a time. */
export const drawsAgainstOne = ({ comparison: { runs } }: Compared): boolean =>
  (runs.length * (runs.length - 1)) / 2 > mostDrawnPairs;
