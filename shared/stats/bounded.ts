import { hash32 } from "./hash32.ts";

/**
 * Entries by key, at most a limit of them. They are filed under the hash of their key, so that equal
 * sets are equal bytes in whatever order they came; keys of one hash share a place.
 */
export interface Bounded<Entry> {
  places: Record<number, { key: string; entry: Entry }[]>;
  /** Places taken. */
  taken: number;
  /** Whether any key was ever left out. */
  dropped: boolean;
}

/** Room above the limit, so that entries are thinned once in a while and not at every new key. */
const slack = 1.25;

/**
 * Nothing yet.
 * @example entriesOf(noEntries<number>(), 10) // []
 */
export function noEntries<Entry>(): Bounded<Entry> {
  return { places: {}, taken: 0, dropped: false };
}

/**
 * The entry of `key`, made where there is none.
 * @example entryOf(bounded, "path", () => ({ count: 0 })).count++
 */
export function entryOf<Entry>(bounded: Bounded<Entry>, key: string, make: () => Entry): Entry {
  const hash = hash32(key);
  const place = bounded.places[hash];
  const known = place?.find((one) => one.key === key);
  if (known !== undefined) return known.entry;
  const added = { key, entry: make() };
  if (place === undefined) {
    bounded.places[hash] = [added];
    bounded.taken++;
  } else {
    place.push(added);
    place.sort((a, b) => (a.key < b.key ? -1 : 1));
  }
  return added.entry;
}

/**
 * Once there are a quarter more than `limit`, keeps the entries of the `limit` smallest hashes. Which
 * stay depends on the keys that came and not on their order: one that is left out has `limit` smaller
 * ones before it in any order, so what stays has missed nothing. O(keys · log keys), seldom.
 * @example thin(bounded, 5_000)
 */
export function thin<Entry>(bounded: Bounded<Entry>, limit: number): void {
  if (bounded.taken <= limit * slack) return;
  const kept = Object.entries(bounded.places).slice(0, limit);
  bounded.places = Object.fromEntries(kept);
  bounded.taken = kept.length;
  bounded.dropped = true;
}

/**
 * Adds the entries of `other`: `merge` adds one entry to another, `make` gives an empty one.
 * @example mergeEntries(bounded, other, 5_000, () => ({ count: 0 }), addCounts)
 */
export function mergeEntries<Entry>(
  bounded: Bounded<Entry>,
  other: Bounded<Entry>,
  limit: number,
  make: () => Entry,
  merge: (into: Entry, from: Entry) => void,
): void {
  for (const { key, entry } of Object.values(other.places).flat()) {
    merge(entryOf(bounded, key, make), entry);
  }
  bounded.dropped ||= other.dropped;
  thin(bounded, limit);
}

/**
 * The entries of the `limit` smallest hashes, in order of their keys.
 * @example entriesOf(bounded, 5_000)[0] // ["path", entry]
 */
export function entriesOf<Entry>(bounded: Bounded<Entry>, limit: number): [string, Entry][] {
  return Object.values(bounded.places)
    .slice(0, limit)
    .flat()
    .map(({ key, entry }): [string, Entry] => [key, entry])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Whether keys had to be left out to keep to `limit`.
 * @example isBeyond(noEntries(), 5_000) // false
 */
export function isBeyond<Entry>(bounded: Bounded<Entry>, limit: number): boolean {
  return bounded.dropped || bounded.taken > limit;
}
