import type { LikelyClusters } from "../contracts/datasets/likely-clusters.ts";
import type { Suite } from "../contracts/suite.ts";
import { hash32 } from "../stats/hash32.ts";

/**
 * Names of tags that identify the source of a sample. Other tags, such as `document: invoice`, may only name a type,
 * unless they end in `id`.
 */
const sourceTag =
  /^((session|conversation|dialogue?|thread|user|patient|speaker)([ _-]?(id|name|key|no))?|(document|doc|article|page|passage|paragraph|story|file|source|context|author|customer|client|account|chat|call|case|ticket|visit|subject|participant|contract|report|book|paper|image|video|scene)[ _-]?(id|key|no))$/i;

/**
 * Minimum design effect to report: if samples of a source score alike, intervals for independent samples are then too
 * narrow by up to a tenth.
 */
const leastEffect = 1.2;

/** Maximum number of counted sources (the suite's text and identifying tags), because each takes memory per sample. */
const mostSources = 5;

/** Number of samples by type of source (the suite's text, or a tag) and the hash of its value. */
export interface SourceTally {
  samples: number;
  /** Whether a sample has the tag `cluster`, by which the uploader marks samples that belong together. */
  isTagged: boolean;
  sources: Map<string, Map<number, number>>;
}

/**
 * A tally without samples.
 * @example noSources().samples // 0
 */
export const noSources = (): SourceTally => ({ samples: 0, isTagged: false, sources: new Map() });

/** A sample, and its tags. */
interface TaggedSample {
  sample: unknown;
  tags: Readonly<Record<string, string>>;
}

/**
 * Adds a sample. Changes `tally`. Linear in its text.
 * @example addSource(tally, extraction, { sample, tags: {} })
 */
export function addSource(tally: SourceTally, suite: Suite, sample: TaggedSample): void {
  tally.samples += 1;
  tally.isTagged ||= Object.hasOwn(sample.tags, "cluster");
  const names = Object.keys(sample.tags).filter((tag) => sourceTag.test(tag));
  for (const by of [...(suite.source ? [suite.source.name] : []), ...names.map(tagName)]) {
    const value = sourceOf(suite, by, sample);
    if (value === null) continue;
    const counts = tally.sources.get(by) ?? new Map<number, number>();
    if (counts.size === 0 && tally.sources.size >= mostSources) continue;
    tally.sources.set(by, counts);
    const hash = hash32(value);
    counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
}

const tagName = (tag: string): string => `tag ${tag}`;

/**
 * The source of a sample, for the tag `cluster`: the value of the named tag, or a hash of the suite's text; null if it
 * has none.
 * @example sourceOf(extraction, "tag session", { sample, tags: { session: "s1" } }) // "s1"
 */
export function sourceOf(suite: Suite, by: string, { sample, tags }: TaggedSample): string | null {
  if (by.startsWith("tag ")) {
    const tag = by.slice("tag ".length);
    return Object.hasOwn(tags, tag) ? tags[tag]! : null;
  }
  const text = suite.source?.of(sample).trim() ?? "";
  return text === "" ? null : `${by} ${hash32(text).toString(16).padStart(8, "0")}`;
}

/**
 * The samples that probably belong together although no tag says so: those with the most equal source, if its design
 * effect can be 1.2 or more. Null if there are none, and if samples have the tag `cluster`. Linear in sources.
 * Source: Kish 1965 (the design effect of equally scored clusters is the mean size of a sample's cluster).
 * @example likelyClusters(tally) // { by: "document", samples: 120, groups: 40 }
 */
export function likelyClusters({ samples, isTagged, sources }: SourceTally): LikelyClusters | null {
  if (isTagged) return null;
  let best: LikelyClusters | null = null;
  let most = 0;
  for (const [by, counts] of sources) {
    // If all samples have the same source, nothing is known about differences between sources.
    if (counts.size < 2) continue;
    const shared = [...counts.values()].filter((size) => size > 1);
    const inShared = shared.reduce((sum, size) => sum + size, 0);
    const squares = shared.reduce((sum, size) => sum + size ** 2, 0);
    const effect = (samples - inShared + squares) / samples;
    if (effect < leastEffect || effect <= most) continue;
    most = effect;
    best = { by, samples: inShared, groups: shared.length };
  }
  return best;
}
