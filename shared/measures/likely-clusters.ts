import type { LikelyClusters } from "../contracts/datasets/likely-clusters.ts";
import type { Suite } from "../contracts/suite.ts";
import { hash32 } from "../stats/hash32.ts";

/**
 * Names of tags that identify where a sample comes from. Others, such as document: invoice, may name a kind, unless they
 * end in id.
 */
const sourceTag =
  /^((session|conversation|dialogue?|thread|user|patient|speaker)([ _-]?(id|name|key|no))?|(document|doc|article|page|passage|paragraph|story|file|source|context|author|customer|client|account|chat|call|case|ticket|visit|subject|participant|contract|report|book|paper|image|video|scene)[ _-]?(id|key|no))$/i;

/**
 * The smallest worrying design effect: if the samples of a source score alike, the intervals of independent ones are
 * too narrow by up to a tenth.
 */
const leastEffect = 1.2;

/** The suite's text and identifying tags that are counted, at most: each takes memory for every sample. */
const mostSources = 5;

/** How often each source occurs, by what it is (the suite's text, or a tag) and the hash of its value. */
export interface SourceTally {
  samples: number;
  /** Whether a sample has the tag `cluster`: then the uploader has said which samples belong together. */
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
    // One source of all samples says nothing about how sources differ.
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
