import { cutText } from "#shared/contracts/bounds.ts";
import { textHash } from "#shared/contracts/content-hash.ts";
import type { RowNote } from "#shared/contracts/datasets/dataset.ts";
import { likelyClustersText } from "#shared/contracts/datasets/likely-clusters.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { addSource, likelyClusters, noSources } from "#shared/measures/likely-clusters.ts";
import { hash32, wellMixed } from "#shared/stats/hash32.ts";
import { TextEvidence } from "#shared/suites/extraction/score/errors/evidence.ts";
import { RowNotes } from "../files/row-notes.ts";
import type { UsableSample } from "../score/read-samples.ts";

/** Words per shingle, and hashes per signature; samples with equal hashes in a band are compared. */
const SHINGLE = 5;
const HASHES = 96;
const BAND = 6;
/** Smallest share of equal hashes, an estimate of the share of common shingles, for near duplicates. */
const ALIKE = 0.9;
/** Shorter texts are similar by chance. */
const LEAST_WORDS = 25;

/** A field's values are usually in the text if they are in this share of at least this many samples. */
const USUAL_SHARE = 0.9;
const LEAST_SAMPLES = 10;
/** Stored misses per field until the share is known. */
const MOST_MISSES = 200;
const LONGEST_VALUE = 80;

const rules = { caseSensitive: false, normalizeWhitespace: true };

interface Seen {
  id: string;
  line: number;
  gold: string;
}

interface FieldTally {
  samples: number;
  found: number;
  /** The first samples whose text does not contain the value. */
  misses: { line: number; id: string; value: Json }[];
}

/**
 * Finds gold that is probably wrong: samples with the same or nearly the same text, and values that are not in the text
 * although the field's values usually are. A field with inferred values is not reported. About a kilobyte of memory per
 * sample. Source: Broder 1997 (MinHash).
 */
export class GoldFindings {
  readonly #suite: Suite;
  readonly #texts = new Map<string, Seen>();
  readonly #bands = new Map<number, { id: string; signature: Uint32Array }>();
  readonly #fields = new Map<string, FieldTally>();
  readonly #sources = noSources();
  readonly #notes = new RowNotes();

  constructor(suite: Suite) {
    this.#suite = suite;
  }

  add({ sample, head, line }: Pick<UsableSample, "sample" | "head" | "line">): void {
    addSource(this.#sources, this.#suite, { sample, tags: head.tags });
    const { input: text, references } = this.#suite.sampleText(sample);
    if (text.trim() === "") return;
    const gold = this.#suite.goldValues?.(sample) ?? [];
    this.#compare(text, { id: head.id, line, gold: textHash(references.join("\n")) });
    const evidence = new TextEvidence(text, rules);
    const missing = new Map<string, Json>();
    const fields = new Set<string>();
    for (const [field, value] of gold) {
      fields.add(field);
      if (!missing.has(field) && !evidence.holds(value)) missing.set(field, value);
    }
    for (const field of fields) {
      const tally = this.#fields.get(field) ?? { samples: 0, found: 0, misses: [] };
      this.#fields.set(field, tally);
      tally.samples++;
      const value = missing.get(field);
      if (value === undefined) tally.found++;
      else if (tally.misses.length < MOST_MISSES) tally.misses.push({ line, id: head.id, value });
    }
  }

  /** The findings by line, their number, and a probable cluster tag; null if there is none. */
  finish(): { count: number; rows: RowNote[]; clusters: string | null } {
    let unkept = 0;
    for (const [field, { samples, found, misses }] of this.#fields) {
      if (samples < LEAST_SAMPLES || found / samples < USUAL_SHARE) continue;
      for (const { line, id, value } of misses) {
        const text = JSON.stringify(value);
        const reason = `${field}: ${cutText(text, LONGEST_VALUE)} is not in the text; in ${found} of ${samples} samples the value of this field is`;
        this.#notes.add({ line, id, reason });
      }
      unkept += samples - found - misses.length;
    }
    const likely = likelyClusters(this.#sources);
    return {
      count: this.#notes.count + unkept,
      rows: this.#notes.kept.toSorted((a, b) => a.line - b.line),
      clusters: likely && likelyClustersText(likely, this.#sources.samples),
    };
  }

  #compare(text: string, seen: Seen): void {
    const words = text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean);
    const whole = textHash(words.join(" "));
    const same = this.#texts.get(whole);
    if (same !== undefined) {
      const other =
        same.gold === seen.gold ? "the same gold" : "other gold: one of the two is wrong";
      this.#add(seen, `the same text as sample ${JSON.stringify(same.id)}, and ${other}`);
      return;
    }
    this.#texts.set(whole, seen);
    if (words.length < LEAST_WORDS) return;
    const signature = signatureOf(words);
    const near = this.#nearest(signature, seen.id);
    if (near === null) return;
    const share = Math.round(100 * near.share);
    this.#add(seen, `nearly the text of sample ${JSON.stringify(near.id)}: about ${share}% of it`);
  }

  #add({ line, id }: Seen, reason: string): void {
    this.#notes.add({ line, id, reason });
  }

  /** The most similar earlier sample; adds this sample to the bands that have none. */
  #nearest(signature: Uint32Array, id: string): { id: string; share: number } | null {
    let best: { id: string; share: number } | null = null;
    for (let from = 0; from < HASHES; from += BAND) {
      const key = signature
        .subarray(from, from + BAND)
        .reduce((hash, one) => wellMixed(hash ^ one), from);
      const other = this.#bands.get(key);
      if (other === undefined) {
        this.#bands.set(key, { id, signature });
        continue;
      }
      const equal = signature.reduce(
        (sum, hash, i) => sum + Number(hash === other.signature[i]),
        0,
      );
      const share = equal / HASHES;
      if (share >= ALIKE && share > (best?.share ?? 0)) best = { id: other.id, share };
    }
    return best;
  }
}

const seeds = Uint32Array.from({ length: HASHES }, (_, k) => wellMixed(k + 1));

/** MinHash signature: for each hash function, its minimum over the text's shingles. */
function signatureOf(words: readonly string[]): Uint32Array {
  const signature = new Uint32Array(HASHES).fill(0xff_ff_ff_ff);
  for (let i = 0; i + SHINGLE <= words.length; i++) {
    const hash = hash32(words.slice(i, i + SHINGLE).join(" "));
    for (let k = 0; k < HASHES; k++) {
      const mixed = wellMixed(hash ^ seeds[k]!);
      if (mixed < signature[k]!) signature[k] = mixed;
    }
  }
  return signature;
}
