import { sumOf } from "../../../stats/compensated-sum.ts";
import type { Tallies } from "./tallies.ts";

/** How far a model's confidence is from how right it was. */
export interface Calibration {
  /** Answers that came with a confidence. */
  n: number;
  /** Expected calibration error, 0–1. */
  error: number;
  bins: {
    from: number;
    to: number;
    n: number;
    /** Means, 0–1; null in an empty bin. */
    confidence: number | null;
    accuracy: number | null;
  }[];
}

/**
 * Calibration over ten equal bins of confidence; accuracy is the partial F1 that answers earned. Null
 * where no answer came with a confidence.
 * Source: docs/spec/extraction.md, section 11; Naeini et al. 2015 (ECE).
 * @example calibrationOf(noTallies()) // null
 */
export function calibrationOf({ confidence: tallied }: Tallies): Calibration | null {
  const n = tallied.reduce((sum, bin) => sum + bin.n, 0);
  if (n === 0) return null;
  const bins = tallied.map((bin, k) => {
    const mean = (sum: number) => (bin.n === 0 ? null : sum / bin.n);
    return {
      from: k / tallied.length,
      to: (k + 1) / tallied.length,
      n: bin.n,
      confidence: mean(sumOf(bin.confidence)),
      accuracy: mean(sumOf(bin.accuracy)),
    };
  });
  const gap = ({ accuracy, confidence, n: inBin }: (typeof bins)[number]) =>
    (Math.abs((accuracy ?? 0) - (confidence ?? 0)) * inBin) / n;
  return { n, error: bins.reduce((sum, bin) => sum + gap(bin), 0), bins };
}
