import type { NoteBlock } from "../../../contracts/report.ts";
import { note } from "../charts/blocks.ts";
import { figureText } from "./figure-text.ts";

/** The units that intervals resample. */
interface Units {
  kind: "samples" | "clusters" | "blocks";
  count: number;
}

/** What readers must know about the basis of intervals. */
export interface IntervalBasis {
  text: string;
  /** Too few for a reliable interval. */
  isFew: boolean;
}

/**
 * With fewer clusters the bootstrap interval is clearly too narrow (Cameron, Gelbach & Miller 2008: 5 to 30 are few).
 */
const fewestClusters = 20;

/** Intervals and tests on fewer samples or clusters are rough. Source: docs/spec/statistics.md, bootstrap interval. */
export const roughBelow = 30;

/**
 * The basis of intervals if it is not single samples, with a warning for fewer than 20 clusters; null if samples are
 * resampled. Boards, reports and comparisons share this text.
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example intervalBasis({ kind: "clusters", count: 3 })?.isFew // true
 */
export function intervalBasis({ kind, count }: Units): IntervalBasis | null {
  if (kind === "samples") return null;
  const isFew = count < fewestClusters;
  const things = kind === "clusters" ? "clusters" : "groups";
  const counted = `${figureText(count, "count")} ${count === 1 ? things.slice(0, -1) : things}`;
  const basis =
    kind === "clusters"
      ? `Intervals are based on ${counted} of samples that share a source; each is drawn as a whole.`
      : `A run of this size is stored as ${counted} of samples: intervals resample these, and percentiles of times are within 0.1%.`;
  if (count < 2) return { text: `${basis} So there are no intervals.`, isFew };
  const warning = ` With fewer than ${fewestClusters} ${things} they are rough and usually too narrow: use them, and everything based on them, only as hints.`;
  const rough = count < roughBelow ? ` With fewer than ${roughBelow} they are rough.` : "";
  return { text: `${basis}${isFew ? warning : rough}`, isFew };
}

/**
 * Warns if a board's intervals and tests are based on few samples or clusters; else null.
 * @example roughNote({ kind: "samples", count: 12 }) // "The models are compared on 12 samples: …"
 */
export function roughNote(units: Units): string | null {
  if (units.count >= roughBelow) return null;
  const text = `The models are compared on ${figureText(units.count, "count")} samples: with fewer than ${roughBelow}, intervals, ranks and tests are rough.`;
  return intervalBasis(units)?.text ?? text;
}

const fewSamples = (count: number): IntervalBasis => ({
  text: `There are ${figureText(count, "count")} samples: with fewer than ${roughBelow}, intervals and tests are rough.`,
  isFew: true,
});

/**
 * The basis of intervals as a note for reports; null if there are enough samples and these are resampled.
 * @example intervalNote({ kind: "samples", count: 40 }) // null
 */
export function intervalNote(units: Units): NoteBlock | null {
  const basis =
    units.kind === "samples" && units.count > 0 && units.count < roughBelow
      ? fewSamples(units.count)
      : intervalBasis(units);
  if (basis === null) return null;
  const { text, isFew } = basis;
  return { ...note("Basis of the intervals", text, isFew ? "fair" : "neutral"), brief: true };
}
