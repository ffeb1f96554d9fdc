import { type Bounded, entriesOf, entryOf, noEntries } from "../../../../stats/bounded.ts";
import {
  crowdsOf,
  entryIn,
  type Families,
  membersOf,
  noFamilies,
} from "../../../../stats/families.ts";
import type { DiagnosedField } from "../../score/fields/diagnosed-field.ts";

/**
 * Entries by name path. Those that schemas name have a room of their own, so that no answer crowds them
 * out. Other names, of expected values (a map's keys) and of predicted ones (made up), are told apart
 * while they are few at a place, and counted as one beyond that.
 */
export interface NameTable<Entry> {
  named: Bounded<Entry>;
  expected: Families<Entry>;
  invented: Families<Entry>;
}

/** How many names a table tells apart, and how its entries are made and added up. */
export interface NameRules<Entry> {
  named: number;
  /** At one place, and in sum. */
  expected: { most: number; total: number };
  invented: { most: number; total: number };
  make(): Entry;
  add(into: Entry, from: Entry): void;
}

/** More names at a place than are told apart, as one. */
export interface Crowd<Entry> {
  /** The place that the names are at; null for the places beyond the limit. */
  at: string | null;
  side: "expected" | "invented";
  moreThan: number;
  entry: Entry;
}

/**
 * Nothing yet.
 * @example namesOf(noNames(), rules) // []
 */
export function noNames<Entry>(): NameTable<Entry> {
  return { named: noEntries(), expected: noFamilies(), invented: noFamilies() };
}

/**
 * The entry that a field counts in; null where schemas name more paths than there is room for.
 * `prefix` tells apart what shares a path, such as errors by pattern.
 * @example nameEntry(table, field, "wrong_type ", rules)
 */
export function nameEntry<Entry>(
  table: NameTable<Entry>,
  { namePath, openAt, expectedType }: DiagnosedField,
  prefix: string,
  rules: NameRules<Entry>,
): Entry | null {
  const key = prefix + namePath;
  if (openAt === undefined) return entryOf(table.named, key, rules.named, rules.make);
  const side = expectedType === null ? "invented" : "expected";
  return entryIn(table[side], prefix + openAt, key, { ...rules, ...rules[side] }).entry;
}

/**
 * Every name that is told apart, by prefix and path, in order.
 * @example namesOf(table, rules)[0] // ["items[].price", entry]
 */
export function namesOf<Entry>(
  { named, expected, invented }: NameTable<Entry>,
  { make, add }: NameRules<Entry>,
): [string, Entry][] {
  const names = new Map(entriesOf(named));
  for (const { name, entry } of [...membersOf(expected), ...membersOf(invented)]) {
    const known = names.get(name);
    const sum = known === undefined ? entry : make();
    if (known !== undefined) for (const part of [known, entry]) add(sum, part);
    names.set(name, sum);
  }
  return [...names].sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * The names that are too many to tell apart, by place.
 * @example crowdsIn(table)[0] // { at: "items[]", side: "invented", moreThan: 200, entry }
 */
export function crowdsIn<Entry>(table: NameTable<Entry>): Crowd<Entry>[] {
  return (["expected", "invented"] as const).flatMap((side) =>
    crowdsOf(table[side]).map(({ family: at, ...crowd }) => ({ at, side, ...crowd })),
  );
}
