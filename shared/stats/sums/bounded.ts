import { hash32 } from "../hash32.ts";

/** Entries by key, limited in number: of more keys a random subset is kept, each with its full count. */
export interface Bounded<Entry> {
  /** Keys have the prefix "=", so that none is the name of an object's built-in property. */
  entries: Record<string, Entry>;
  /** Keys kept. */
  taken: number;
  /** How often half of the keys were dropped: the hashes of kept keys are below 2³² / 2^halvings. */
  halvings: number;
}

/**
 * An empty set.
 * @example entriesOf(noEntries<number>()) // []
 */
export function noEntries<Entry>(): Bounded<Entry> {
  return { entries: {}, taken: 0, halvings: 0 };
}

/**
 * The entry of `key`, created if missing; null if the key is dropped. Whenever there are more than `limit` keys,
 * those in the upper half of the remaining hash range are dropped for good, so that the kept keys have full counts.
 * Amortised O(1).
 * Source: adaptive sampling, Flajolet 1990.
 * @example entryOf(bounded, "path", 5_000, () => ({ count: 0 }))
 */
export function entryOf<Entry>(
  bounded: Bounded<Entry>,
  key: string,
  limit: number,
  make: () => Entry,
): Entry | null {
  const seen = seenIn(bounded);
  const known = seen.get(key);
  if (known !== undefined) return known;
  const name = `=${key}`;
  const entry = bounded.entries[name] ?? added(bounded, key, limit, make);
  if (entry !== null) seen.set(key, entry);
  return entry;
}

function added<Entry>(
  bounded: Bounded<Entry>,
  key: string,
  limit: number,
  make: () => Entry,
): Entry | null {
  if (!isKept(bounded, key)) return null;
  const name = `=${key}`;
  bounded.entries[name] = make();
  bounded.taken++;
  while (bounded.taken > limit) halve(bounded);
  return bounded.entries[name] ?? null;
}

/** Entries found so far, by set and key, because creating a key's name takes longer than finding the entry. */
const seenOf = new WeakMap<Bounded<unknown>, Map<string, unknown>>();

function seenIn<Entry>(bounded: Bounded<Entry>): Map<string, Entry> {
  const known = seenOf.get(bounded) as Map<string, Entry> | undefined;
  if (known !== undefined) return known;
  const made = new Map<string, Entry>();
  seenOf.set(bounded, made);
  return made;
}

const isKept = ({ halvings }: Bounded<unknown>, key: string): boolean =>
  hash32(key) < 2 ** (32 - halvings);

function halve(bounded: Bounded<unknown>): void {
  bounded.halvings++;
  seenOf.delete(bounded);
  const kept = Object.entries(bounded.entries).filter(([name]) => isKept(bounded, name.slice(1)));
  bounded.entries = Object.fromEntries(kept);
  bounded.taken = kept.length;
}

/**
 * The kept entries, in order of their keys.
 * @example entriesOf(bounded)[0] // ["path", entry]
 */
export function entriesOf<Entry>({ entries }: Pick<Bounded<Entry>, "entries">): [string, Entry][] {
  return Object.entries(entries)
    .map(([name, entry]): [string, Entry] => [name.slice(1), entry])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Estimated number of dropped keys: 0 if none was dropped, else within about 2% of all keys if thousands are kept.
 * Source: adaptive sampling, Flajolet 1990.
 * @example leftOut(noEntries()) // 0
 */
export function leftOut({ taken, halvings }: Bounded<unknown>): number {
  return taken * (2 ** halvings - 1);
}
