import {
  type Bounded,
  entriesOf,
  entryOf,
  leftOut,
  mergeEntries,
  noEntries,
} from "../../stats/bounded.ts";
import {
  crowdOf,
  crowdsOf,
  type Families,
  memberOf,
  membersOf,
  mergeFamilies,
  noFamilies,
} from "../../stats/families.ts";
import type { DiagnosedField } from "./diagnosed-field.ts";

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
  merge(into: Entry, from: Entry): void;
}

/** More names at a place than are told apart, as one. */
export interface Crowd<Entry> {
  /** The place that the names are at; null for all places. */
  at: string | null;
  side: "expected" | "invented";
  moreThan: number;
  entry: Entry;
}

/**
 * Nothing yet.
 * @example namesOf(noNames(rules), rules) // []
 */
export function noNames<Entry>(rules: NameRules<Entry>): NameTable<Entry> {
  return {
    named: noEntries(),
    ...{ expected: noFamilies(rules.expected), invented: noFamilies(rules.invented) },
  };
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
  const family = prefix + openAt;
  const own = familyRules(rules, side);
  return memberOf(table[side], family, key, own) ?? crowdOf(table[side], family, own);
}

function familyRules<Entry>(rules: NameRules<Entry>, side: Crowd<Entry>["side"]) {
  return { ...rules[side], make: rules.make, merge: rules.merge };
}

/**
 * Adds the entries of other fields.
 * @example mergeNames(table, other, rules)
 */
export function mergeNames<Entry>(
  table: NameTable<Entry>,
  other: NameTable<Entry>,
  rules: NameRules<Entry>,
): void {
  mergeEntries(table.named, other.named, rules.named, rules.make, rules.merge);
  mergeFamilies(table.expected, other.expected, familyRules(rules, "expected"));
  mergeFamilies(table.invented, other.invented, familyRules(rules, "invented"));
}

/**
 * Every name that is told apart, by prefix and path, in order.
 * @example namesOf(table, rules)[0] // ["items[].price", entry]
 */
export function namesOf<Entry>(
  { named, expected, invented }: NameTable<Entry>,
  { make, merge }: NameRules<Entry>,
): [string, Entry][] {
  const names = new Map(entriesOf(named));
  for (const { name, entry } of [...membersOf(expected), ...membersOf(invented)]) {
    const known = names.get(name);
    const sum = known === undefined ? entry : make();
    if (known !== undefined) for (const part of [known, entry]) merge(sum, part);
    names.set(name, sum);
  }
  return [...names].sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * The names that are too many to tell apart, by place.
 * @example crowdsIn(table, rules)[0] // { at: "items[]", side: "invented", moreThan: 200, entry }
 */
export function crowdsIn<Entry>(table: NameTable<Entry>, rules: NameRules<Entry>): Crowd<Entry>[] {
  return (["expected", "invented"] as const).flatMap((side) =>
    crowdsOf(table[side], rules[side]).map(({ family, ...crowd }) => ({
      ...{ at: family, side, ...crowd },
    })),
  );
}

/**
 * About how many paths that schemas name are left out; 0 where there is room for all.
 * @example namesLeft(table) // 0
 */
export function namesLeft<Entry>({ named }: NameTable<Entry>): number {
  return leftOut(named);
}
