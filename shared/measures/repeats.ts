import type { SampleHead, Unit } from "../contracts/suite.ts";

/**
 * A unit for each repeat of each sample, repeats of a sample next to each other.
 * @example eachRepeat([{ id: "a", group: null }], 2).length // 2
 */
export function eachRepeat(heads: readonly SampleHead[], repeats: number): Unit[] {
  return heads.flatMap((_, position) =>
    Array.from({ length: repeats }, (_, repeat) => ({ samples: [position], repeat })),
  );
}
