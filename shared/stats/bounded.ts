import { hash32 } from "./hash32.ts";

/**
 * Entries by key, at most a limit of them. They are filed under the hash of their key, so that equal
 * sets are equal bytes in whatever order they came; keys of one hash share a place.
 */
export interface Bounded<Entry> {
  places: Record<number, { key: string; entry: Entry }[]>;
  /** Keys kept. */
  taken: number;
  /** How often half of the hashes were given up: what is kept has one below 2³² / 2^halvings. */
  halvings: number;
}

/**
 * Nothing yet.
 * @example entriesOf(noEntries<number>()) // []
 */
export function noEntries<Entry>(): Bounded<Entry> {
  return { places: {}, taken: 0, halvings: 0 };
}

/**
 * The entry of `key`, made where there is none; null where it is left out. Whenever there are more
 * than `limit` keys, those in the upper half of the hashes still kept are left out for good. So what
 * is kept depends on the keys that came and not on their order, and has missed nothing.
 * Amortised O(1). Source: adaptive sampling, Flajolet 1990.
 * @example entryOf(bounded, "path", 5_000, () => ({ count: 0 }))
 */
export function entryOf<Entry>(
  bounded: Bounded<Entry>,
  key: string,
  limit: number,
  make: () => Entry,
): Entry | null {
  const hash = hash32(key);
  if (hash >= ceiling(bounded)) return null;
  const known = bounded.places[hash]?.find((one) => one.key === key);
  if (known !== undefined) return known.entry;
  const entry = make();
  const place = [...(bounded.places[hash] ?? []), { key, entry }];
  bounded.places[hash] = place.sort((a, b) => (a.key < b.key ? -1 : 1));
  bounded.taken++;
  while (bounded.taken > limit) halve(bounded);
  return hash < ceiling(bounded) ? entry : null;
}

function ceiling({ halvings }: { halvings: number }): number {
  return 2 ** (32 - halvings);
}

function halve<Entry>(bounded: Bounded<Entry>): void {
  bounded.halvings++;
  const kept = Object.entries(bounded.places).filter(([hash]) => Number(hash) < ceiling(bounded));
  bounded.places = Object.fromEntries(kept);
  bounded.taken = kept.reduce((sum, [, place]) => sum + place.length, 0);
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
  while (bounded.halvings < other.halvings) halve(bounded);
  for (const [key, entry] of entriesOf(other)) {
    const into = entryOf(bounded, key, limit, make);
    if (into !== null) merge(into, entry);
  }
}

/**
 * The entries kept, in order of their keys.
 * @example entriesOf(bounded)[0] // ["path", entry]
 */
export function entriesOf<Entry>(bounded: Bounded<Entry>): [string, Entry][] {
  return Object.values(bounded.places)
    .flat()
    .map(({ key, entry }): [string, Entry] => [key, entry])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * About how many keys were left out: 0 where none was, else within some 2% of all keys where
 * thousands are kept.
 * Source: adaptive sampling, Flajolet 1990.
 * @example leftOut(noEntries()) // 0
 */
export function leftOut<Entry>({ taken, halvings }: Bounded<Entry>): number {
  return taken * (2 ** halvings - 1);
}
