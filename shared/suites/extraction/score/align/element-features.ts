import { hash32 } from "../../../../stats/hash32.ts";
import { elementsOf, type MatchRules } from "../composite.ts";
import { fieldText, tokensOf } from "../fields/field-text.ts";
import type { FieldNode, FieldTree } from "../fields/field-tree.ts";
import { mixed, propertyHash } from "./tree-hash.ts";

/** The weight of a field, divided among its features. */
const fieldWeight = 6_000;

/** Maximum features per element: those with the smallest hashes, so similar elements keep the same ones. */
const maxFeatures = 256;

/** Maximum properties of an object for which “equal except for one property” is a feature. */
const maxProperties = 32;

/** Range of a feature's weight, which shares a double with the feature's hash. */
const weightRange = 2 ** 20;

/** Share of letters that the shorter of two related words has in common with the longer one. */
const affixShare = 0.75;

/**
 * The features of elements, to find similar ones without comparing all pairs: at each name path the words of a text
 * with their beginnings and ends, a number exact and rounded, and the values of a list; also the object without each of
 * its properties. Each feature is a hash with a weight; the weights of a field sum to 6,000. Features of element k are
 * at `starts[k]` to `starts[k + 1]`, ascending.
 */
export interface FeatureTable {
  starts: Int32Array;
  hashes: Uint32Array;
  weights: Uint32Array;
}

/**
 * The features of elements, at most 256 each. Linear except for sorting the features of each element.
 * @example featureTable([tree({ a: "x y" })], rules).starts // [0, 5]
 */
export function featureTable(elements: readonly FieldTree[], rules: MatchRules): FeatureTable {
  const starts = new Int32Array(elements.length + 1);
  const [hashes, weights]: [number[], number[]] = [[], []];
  const found = new Features(rules);
  elements.forEach((element, k) => {
    found.read(element);
    for (const feature of found.kept()) {
      hashes.push(Math.floor(feature / weightRange));
      weights.push(feature % weightRange);
    }
    starts[k + 1] = hashes.length;
  });
  return { starts, hashes: Uint32Array.from(hashes), weights: Uint32Array.from(weights) };
}

/**
 * Similarity of two elements by features, 0–1: shared weight / larger weight of the two.
 * @example featureSimilarity(table, 0, table, 0) // 1
 */
export function featureSimilarity(e: FeatureTable, i: number, p: FeatureTable, j: number): number {
  let [a, b] = [e.starts[i]!, p.starts[j]!];
  const [aEnd, bEnd] = [e.starts[i + 1]!, p.starts[j + 1]!];
  let [shared, ofE, ofP] = [0, 0, 0];
  while (a < aEnd || b < bEnd) {
    const [x, y] = [a < aEnd ? e.hashes[a]! : Infinity, b < bEnd ? p.hashes[b]! : Infinity];
    if (x === y) shared += Math.min(e.weights[a]!, p.weights[b]!);
    if (x <= y) ofE += e.weights[a++]!;
    if (y <= x) ofP += p.weights[b++]!;
  }
  return shared === 0 ? 0 : shared / Math.max(ofE, ofP);
}

/** The features of one element at a time, each as hash · 2²⁰ + weight. */
class Features {
  readonly #rules: MatchRules;
  readonly #found = new Float64Array(4 * maxFeatures);
  #count = 0;
  /** Features with a larger hash are not kept. */
  #highest = 0;

  constructor(rules: MatchRules) {
    this.#rules = rules;
  }

  read(element: FieldTree): void {
    this.#count = 0;
    this.#highest = 2 ** 32;
    this.#walk(element, 0);
    if (element.kind !== "object" || element.children.size > maxProperties) return;
    const parts = Array.from(element.children, ([name, child]) =>
      propertyHash(name, child, this.#rules),
    );
    const whole = parts.reduce((sum, part) => sum + part, 0);
    const weight = fieldWeight / (parts.length + 1);
    for (const part of parts.length === 1 ? [0] : [0, ...parts])
      this.#add((whole - part) >>> 0, weight);
  }

  /** The features with the smallest hashes, ascending, without duplicates. */
  kept(): Float64Array {
    const sorted = this.#found.subarray(0, this.#count).sort();
    let last = -1;
    for (const feature of sorted) {
      const weight = feature % weightRange;
      const isSame =
        last >= 0 && Math.floor(sorted[last]! / weightRange) * weightRange === feature - weight;
      if (isSame)
        sorted[last] = Math.min(sorted[last]! + weight, feature - weight + weightRange - 1);
      else if (last + 1 === maxFeatures) break;
      else sorted[++last] = feature;
    }
    return sorted.subarray(0, last + 1);
  }

  #walk(tree: FieldTree, path: number): void {
    if (tree.kind === "field") this.#readField(tree, path);
    else if (tree.kind === "object") {
      for (const [name, child] of tree.children) this.#walk(child, mixed(path, hash32(name)));
    } else {
      const within = mixed(path, 1);
      for (const element of tree.elements) if (element !== null) this.#walk(element, within);
    }
  }

  #readField(field: FieldNode, path: number): void {
    if (field.type === "string") this.#readText(field, path);
    else if (field.type === "number") this.#readNumber(field.value as number, path);
    else if (field.type === "array") {
      const elements = elementsOf(field, this.#rules);
      const weight = fieldWeight / Math.max(1, elements.size);
      for (const element of elements) this.#add(mixed(path, hash32(element)), weight);
      if (elements.size === 0) this.#add(mixed(path, 2), weight);
    } else this.#add(mixed(path, hash32(String(field.value))), fieldWeight);
  }

  #readText(field: FieldNode, path: number): void {
    const words = tokensOf(fieldText(field, this.#rules));
    if (words.size === 0) this.#add(mixed(path, 3), fieldWeight);
    const weight = fieldWeight / words.size;
    for (const word of words) {
      this.#add(mixed(path, hash32(word)), weight / 2);
      const length = affixLength(word);
      this.#add(mixed(path + 1, hash32(word.slice(0, length))), weight / 4);
      this.#add(mixed(path + 2, hash32(word.slice(-length))), weight / 4);
    }
  }

  /** Adds sign, exponent and first bits of a number: rounded to about 1% and about 12%. */
  #readNumber(value: number, path: number): void {
    number[0] = value + 0;
    const [low, high] = [bits[0]!, bits[1]!];
    this.#add(mixed(path, mixed(low, high)), fieldWeight / 2);
    this.#add(mixed(path + 1, high >>> 14), fieldWeight / 4);
    this.#add(mixed(path + 2, high >>> 17), fieldWeight / 4);
  }

  #add(hash: number, weight: number): void {
    if (hash > this.#highest) return;
    this.#found[this.#count++] = hash * weightRange + Math.max(1, Math.floor(weight));
    if (this.#count === this.#found.length) this.#thin();
  }

  /** Drops features that are no longer kept. */
  #thin(): void {
    const { length } = this.kept();
    this.#count = length;
    if (length === maxFeatures) this.#highest = Math.floor(this.#found[length - 1]! / weightRange);
  }
}

/** A double and its bits. */
const number = new Float64Array(1);
const bits = new Uint32Array(number.buffer);

/** A power of two, so that words of nearly the same length have affixes of one length. */
function affixLength(word: string): number {
  return 2 ** Math.floor(Math.log2(Math.max(1, word.length * affixShare)));
}
