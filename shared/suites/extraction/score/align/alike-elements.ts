import type { SparseValues } from "../../../../measures/matching/sparse-assignment.ts";
import type { MatchRules } from "../composite.ts";
import type { FieldTree } from "../fields/field-tree.ts";
import { type FeatureTable, featureSimilarity, featureTable } from "./element-features.ts";

/** Maximum predicted elements compared for all expected ones together: well under a second. */
const maxLooks = 5e7;

/** Maximum elements compared for one shared feature, nearest first. */
const maxSharing = 64;

/** Maximum candidates per element, and in total. */
const maxCandidates = 8;
const maxCandidatePairs = 1e6;

/** Minimum similarity of a candidate, as a share of the best similarity. */
const worthKeeping = 0.5;

/**
 * For each expected element a few predicted ones that share its rarest features, the nearest first if there are many,
 * with a similarity of 0–1 by features. Indices refer to the two arrays. O((n + m)·k log k) for k features per element;
 * time and memory are bounded in n.
 * @example alikeElements([tree({ a: 1 })], [tree({ a: 1 })], rules) // one pair, value 1
 */
export function alikeElements(
  expected: readonly FieldTree[],
  predicted: readonly FieldTree[],
  rules: MatchRules,
): SparseValues {
  const [e, p] = [featureTable(expected, rules), featureTable(predicted, rules)];
  const search = new Search(e, p);
  const found: SparseValues = { rows: [], columns: [], values: [] };
  for (let i = 0; i < expected.length; i++) search.candidatesOf(i, found);
  return found;
}

class Search {
  readonly #expected: FeatureTable;
  readonly #predicted: FeatureTable;
  /** Predicted elements by the last bits of a feature's hash, from `#starts[bits]` on, ascending. */
  readonly #mask: number;
  readonly #starts: Int32Array;
  readonly #holders: Int32Array;
  readonly #votes: Float64Array;
  readonly #voted: Int32Array;
  #votedCount = 0;
  readonly #maxLooks: number;
  readonly #maxCandidates: number;

  constructor(expected: FeatureTable, predicted: FeatureTable) {
    this.#expected = expected;
    this.#predicted = predicted;
    const [n, m] = [expected.starts.length - 1, predicted.starts.length - 1];
    this.#maxLooks = Math.ceil(Math.min(maxSharing * maxCandidates, maxLooks / n));
    this.#maxCandidates = Math.ceil(Math.min(maxCandidates, maxCandidatePairs / n));
    this.#mask = 2 ** Math.ceil(Math.log2(1 + 2 * predicted.hashes.length)) - 1;
    this.#starts = new Int32Array(this.#mask + 2);
    this.#holders = new Int32Array(predicted.hashes.length);
    this.#votes = new Float64Array(m);
    this.#voted = new Int32Array(m);
    this.#index();
  }

  #index(): void {
    const { starts, hashes } = this.#predicted;
    for (const hash of hashes) this.#starts[(hash & this.#mask) + 1]!++;
    for (let at = 0; at <= this.#mask; at++) this.#starts[at + 1]! += this.#starts[at]!;
    const next = this.#starts.slice();
    for (let j = 0; j + 1 < starts.length; j++) {
      for (let at = starts[j]!; at < starts[j + 1]!; at++) {
        this.#holders[next[hashes[at]! & this.#mask]!++] = j;
      }
    }
  }

  candidatesOf(i: number, found: SparseValues): void {
    this.#vote(i);
    const best: number[] = [];
    for (let k = 0; k < this.#votedCount; k++) this.#keep(best, this.#voted[k]!, i);
    const values = best.map((j) => featureSimilarity(this.#expected, i, this.#predicted, j));
    const least = worthKeeping * Math.max(...values);
    best.forEach((j, k) => {
      if (values[k]! === 0 || values[k]! < least) return;
      found.rows.push(i);
      found.columns.push(j);
      found.values.push(values[k]!);
    });
    for (let k = 0; k < this.#votedCount; k++) this.#votes[this.#voted[k]!] = 0;
    this.#votedCount = 0;
  }

  /** Each feature, rarest first, votes with its weight for elements that have it. */
  #vote(i: number): void {
    const { starts, hashes, weights } = this.#expected;
    const order: number[] = [];
    for (let at = starts[i]!; at < starts[i + 1]!; at++) if (this.#holding(at) > 0) order.push(at);
    order.sort((a, b) => this.#holding(a) - this.#holding(b) || hashes[a]! - hashes[b]!);
    let left = this.#maxLooks;
    for (const at of order) {
      if (left <= 0) return;
      const bucket = hashes[at]! & this.#mask;
      const [from, to] = this.#nearest(bucket, i, Math.min(maxSharing, left));
      for (let k = from; k < to; k++) this.#voteFor(this.#holders[k]!, weights[at]!);
      left -= to - from;
    }
  }

  #voteFor(j: number, weight: number): void {
    if (this.#votes[j] === 0) this.#voted[this.#votedCount++] = j;
    this.#votes[j]! += weight;
  }

  #holding(at: number): number {
    const bucket = this.#expected.hashes[at]! & this.#mask;
    return this.#starts[bucket + 1]! - this.#starts[bucket]!;
  }

  /** Range of up to `most` elements in a bucket that are nearest to `i`. */
  #nearest(bucket: number, i: number, most: number): [number, number] {
    const [start, end] = [this.#starts[bucket]!, this.#starts[bucket + 1]!];
    if (end - start <= most) return [start, end];
    let [low, high] = [start, end];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#holders[middle]! < i) low = middle + 1;
      else high = middle;
    }
    const from = Math.max(start, Math.min(end - most, low - (most >>> 1)));
    return [from, from + most];
  }

  /** Puts `j` among the best candidates by votes, then by nearness, then in order. */
  #keep(best: number[], j: number, i: number): void {
    let at = best.length;
    while (at > 0 && this.#isBetter(j, best[at - 1]!, i)) at--;
    if (at >= this.#maxCandidates) return;
    best.splice(at, 0, j);
    if (best.length > this.#maxCandidates) best.pop();
  }

  #isBetter(a: number, b: number, i: number): boolean {
    const [votesA, votesB] = [this.#votes[a]!, this.#votes[b]!];
    if (votesA !== votesB) return votesA > votesB;
    const [near, other] = [Math.abs(i - a), Math.abs(i - b)];
    return near === other ? a < b : near < other;
  }
}
