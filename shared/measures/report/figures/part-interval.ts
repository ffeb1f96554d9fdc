import type { BarsBlock, NoteBlock } from "../../../contracts/report.ts";
import { note } from "../charts/blocks.ts";

/** Parts with fewer samples have no interval, and no conclusion is based on them. */
export const fewestSamples = 20;

const why = `Parts of fewer than ${fewestSamples} samples have no interval here: it would be too rough.`;

/**
 * The interval of a part of a run, such as the samples of a topic; null for fewer than 20 samples.
 * @example partInterval(19, [0.2, 0.9]) // null
 */
export const partInterval = <Ends>(n: number, interval: Ends | null): Ends | null =>
  n < fewestSamples ? null : interval;

/**
 * Replaces agreement with people if fewer than 20 answers were rated.
 * @example tooFewRated("Metrics and people", 3).text // "People rated 3 of these answers: …"
 */
export const tooFewRated = (title: string, most: number): NoteBlock =>
  note(
    title,
    `People rated ${most} of these answers: from ${fewestSamples} on their agreement is shown.`,
  );

/**
 * Why some of these parts have no interval, to be shown once below them; null if all are large enough. A part without
 * a value has no interval for another reason.
 * @example fewSamplesText([{ n: 40, value: 0.5 }]) // null
 */
export function fewSamplesText(
  parts: readonly { n: number; value: number | null }[],
): string | null {
  return parts.some(({ n, value }) => n < fewestSamples && value !== null) ? why : null;
}

/**
 * The same as a caption of a block; empty if all are large enough.
 * @example belowParts([{ n: 3, value: 0.5 }]).below // "Parts of fewer than 20 samples …"
 */
export function belowParts(parts: Parameters<typeof fewSamplesText>[0]): { below?: string } {
  const below = fewSamplesText(parts);
  return below === null ? {} : { below };
}

const fewKey: BarsBlock["legend"][number] = {
  tone: "neutral",
  label: `On fewer than ${fewestSamples} samples`,
};

/** The key of the bars' grades, if one is graded, with an entry for few samples unless it has one. */
function keyOf({ bars, legend }: BarsBlock): BarsBlock["legend"] {
  if (legend.length === 0 || legend.some(({ tone }) => tone === "neutral")) return legend;
  const few = bars.filter(({ n, value }) => n < fewestSamples && value !== null);
  if (few.length === 0) return legend;
  return few.length === bars.length ? [fewKey] : [...legend, fewKey];
}

/**
 * Bars of parts of a run; those with fewer than 20 samples have no interval and no grade, and a caption says why.
 * @example barsOfParts({ kind: "bars", title: "F1 by topic", format: "score", bars }).below
 */
export function barsOfParts(block: BarsBlock): BarsBlock {
  // Without a key all bars have the same meaning, and so the same tone.
  const isGraded = block.legend.length > 0;
  return {
    ...block,
    ...belowParts(block.bars),
    legend: keyOf(block),
    bars: block.bars.map((bar) => ({
      ...bar,
      interval: partInterval(bar.n, bar.interval),
      tone: isGraded && bar.n < fewestSamples ? "neutral" : bar.tone,
    })),
  };
}
