import type { SampleHead, Unit } from "../../contracts/suite.ts";
import type { QualityOptions } from "./options.ts";

/**
 * A unit for each repeat of each sample, repeats of a sample next to each other.
 * @example plan([{ id: "a", group: null }], { ...options, repeats: 2 }).length // 2
 */
export function plan(heads: readonly SampleHead[], { repeats }: QualityOptions): Unit[] {
  return heads.flatMap((_, position) =>
    Array.from({ length: repeats }, (_, repeat) => ({ samples: [position], repeat })),
  );
}
