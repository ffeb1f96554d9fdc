import type { BarsBlock, Tone } from "../../../contracts/report.ts";

/** The key of charts that colour parts by where they stand beside the whole run. */
export const standingLegend: BarsBlock["legend"] = [
  { tone: "above", label: "Clearly above the run" },
  { tone: "below", label: "Clearly below the run" },
  { tone: "neutral", label: "Neither, or in too few samples to say" },
];

/**
 * The tone of a part whose standing is known.
 * @example standingTone("level") // "neutral"
 */
export const standingTone = (standing: "above" | "level" | "below" | null): Tone =>
  standing === "above" || standing === "below" ? standing : "neutral";

/**
 * The tone of a part by its interval: above or below where that leaves out the value of the whole run; neutral
 * where either is not known.
 * @example toneBeside([0.8, 0.9], 0.7) // "above"
 */
export function toneBeside(interval: readonly [number, number] | null, whole: number | null): Tone {
  if (interval === null || whole === null) return "neutral";
  if (interval[0] > whole) return "above";
  return interval[1] < whole ? "below" : "neutral";
}
