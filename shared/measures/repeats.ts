import { isJsonObject } from "../contracts/json.ts";
import type { SampleHead, Unit } from "../contracts/runs/unit.ts";

/**
 * A unit for each repeat of each sample; repeats of a sample are adjacent.
 * @example eachRepeat([{ id: "a", group: null }], 2).length // 2
 */
export function eachRepeat(heads: readonly SampleHead[], repeats: number): Unit[] {
  return heads.flatMap((_, position) =>
    Array.from({ length: repeats }, (_, repeat) => ({ samples: [position], repeat })),
  );
}

interface TaggedSample {
  id: string;
  tags: Record<string, string>;
}

/**
 * Whether a value can be a sample's tags.
 * @example isTags({ domain: "law" }) // true
 */
export function isTags(value: unknown): value is Record<string, string> {
  return isJsonObject(value) && Object.values(value).every((tag) => typeof tag === "string");
}

/**
 * The head of a sample without groups.
 * @example sampleHeadOf({ id: "a", tags: { cluster: "c" } }).group // "c"
 */
export function sampleHeadOf({ id, tags }: TaggedSample): SampleHead & Pick<TaggedSample, "tags"> {
  return { id, group: tags["cluster"] ?? null, tags };
}
