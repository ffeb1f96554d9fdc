import { hash32 } from "../hash32.ts";

/** Entries by key, at most a limit of them: of more keys a random part, which has missed nothing. */
export interface Bounded<Entry> {
  /** A key has a "=" before it, so that no name of an object's own properties is one. */
  entries: Record<string, Entry>;
  /** Keys kept. */
  taken: number;
  /** How often half of the keys were given up: those kept have a hash below 2³² / 2^halvings. */
  halvings: number;
}

/**
 * Nothing yet.
 * @example entriesOf(noEntries<number>()) // []
 */
export function noEntries<Entry>(): Bounded<Entry> {
  return { entries: {}, taken: 0, halvings: 0 };
}

/**
 * The entry of `key`, made where there is none; null where it is left out. Whenever there are more
 * than `limit` keys, those in the upper half of the hashes still kept are left out for good, so that
 * what is kept has missed nothing. Amortised O(1).
 * Source: adaptive sampling, Flajolet 1990.
 * @example entryOf(bounded, "path", 5_000, () => ({ count: 0 }))
 */
export function entryOf<Entry>(
  bounded: Bounded<Entry>,
  key: string,
  limit: number,
  make: () => Entry,
): Entry | null {
  const name = `=${key}`;
  const known = bounded.entries[name];
  if (known !== undefined) return known;
  if (!isKept(bounded, key)) return null;
  const entry = make();
  bounded.entries[name] = entry;
  bounded.taken++;
  while (bounded.taken > limit) halve(bounded);
  return bounded.entries[name] ?? null;
}

const isKept = ({ halvings }: Bounded<unknown>, key: string): boolean =>
  hash32(key) < 2 ** (32 - halvings);

function halve(bounded: Bounded<unknown>): void {
  bounded.halvings++;
  const kept = Object.entries(bounded.entries).filter(([name]) => isKept(bounded, name.slice(1)));
  bounded.entries = Object.fromEntries(kept);
  bounded.taken = kept.length;
}

/**
 * The entries kept, in order of their keys.
 * @example entriesOf(bounded)[0] // ["path", entry]
 */
export function entriesOf<Entry>({ entries }: Pick<Bounded<Entry>, "entries">): [string, Entry][] {
  return Object.entries(entries)
    .map(([name, entry]): [string, Entry] => [name.slice(1), entry])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * About how many keys were left out: 0 where none was, else within some 2% of all keys where
 * thousands are kept.
 * Source: adaptive sampling, Flajolet 1990.
 * @example leftOut(noEntries()) // 0
 */
export function leftOut({ taken, halvings }: Bounded<unknown>): number {
  return taken * (2 ** halvings - 1);
}
