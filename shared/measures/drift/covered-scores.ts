import type { RunScores } from "../../contracts/run-scores.ts";

/** Neighbouring places in a run, both ends included. */
interface PlaceRange {
  from: number;
  to: number;
}

/**
 * A run's scores without those of samples that were not covered: comparisons leave these out. A sample is
 * covered where all of its repeats are; `covered` are their places in the run, ascending. Linear.
 * @example coveredScores(scores, [{ from: 0, to: 8 }], 1).lacking // [9]
 */
export function coveredScores(
  scores: RunScores,
  covered: readonly PlaceRange[],
  repeats: number,
): RunScores {
  const counts = new Int32Array(scores.ids.length);
  for (const { from, to } of covered) {
    for (let place = from; place <= to; place++) counts[Math.floor(place / repeats)]! += 1;
  }
  const lacking = new Set(scores.lacking);
  counts.forEach((count, i) => {
    if (count < repeats) lacking.add(i);
  });
  return { ...scores, lacking: [...lacking].sort((a, b) => a - b) };
}
