import { type Bounded, entriesOf, entryOf, noEntries } from "./bounded.ts";

/** Entries that share a family, by name, or all of them as one crowd once they are too many. */
interface Family<Entry> {
  members: Bounded<Entry>;
  crowd: Entry | null;
}

/**
 * Entries by family and name. A family of more names than are told apart becomes a crowd for good, so
 * that names without number hide no other family's; so it depends on the names that came and not on
 * their order, and equal sets are equal bytes.
 */
export interface Families<Entry> {
  families: Bounded<Family<Entry>>;
  /** Names a family may have. Halved for all while there are too many in sum; −1: one crowd of all. */
  most: number;
  /** Names in sum, each family counted up to the first that is too many. */
  size: number;
  crowd: Entry | null;
}

/** How many names are told apart, and how entries are made and added up. */
export interface FamilyRules<Entry> {
  /** In a family, and in sum. */
  most: number;
  total: number;
  make(): Entry;
  merge(into: Entry, from: Entry): void;
  /** Adds an entry to a crowd; `merge` where nothing else is said. Adding an empty one adds nothing. */
  fold?(crowd: Entry, from: Entry): void;
}

/**
 * Nothing yet.
 * @example membersOf(noFamilies({ most: 200 })) // []
 */
export function noFamilies<Entry>({ most }: Pick<FamilyRules<Entry>, "most">): Families<Entry> {
  return { families: noEntries(), most, size: 0, crowd: null };
}

/**
 * The entry of `name` in `family`, made where there is none; null where the family is a crowd.
 * Amortised O(1).
 * @example memberOf(families, "language", "en", rules)
 */
export function memberOf<Entry>(
  all: Families<Entry>,
  family: string,
  name: string,
  rules: FamilyRules<Entry>,
): Entry | null {
  if (all.most < 0) return null;
  const one = familyOf(all, family);
  if (one.crowd !== null) return null;
  const { taken } = one.members;
  const entry = entryOf(one.members, name, Number.POSITIVE_INFINITY, rules.make);
  if (one.members.taken === taken) return entry;
  all.size++;
  if (one.members.taken > all.most) disperse(one, rules);
  settle(all, rules);
  return all.most < 0 || one.crowd !== null ? null : entry;
}

/**
 * What the names of `family` have in sum, where `memberOf` gave null.
 * @example memberOf(families, "id", "a1", rules) ?? crowdOf(families, "id", rules)
 */
export function crowdOf<Entry>(
  all: Families<Entry>,
  family: string,
  rules: FamilyRules<Entry>,
): Entry {
  if (all.most < 0) {
    all.crowd ??= rules.make();
    return all.crowd;
  }
  const one = familyOf(all, family);
  one.crowd ??= rules.make();
  return one.crowd;
}

function familyOf<Entry>(all: Families<Entry>, family: string): Family<Entry> {
  const none = (): Family<Entry> => ({ members: noEntries(), crowd: null });
  return entryOf(all.families, family, Number.POSITIVE_INFINITY, none)!;
}

/** Makes a family a crowd. */
function disperse<Entry>(family: Family<Entry>, rules: FamilyRules<Entry>): void {
  family.crowd ??= rules.make();
  const fold = rules.fold ?? rules.merge;
  for (const [, entry] of entriesOf(family.members)) fold(family.crowd, entry);
  family.members = noEntries();
}

/** Lowers what a family may have until all keep to the total. */
function settle<Entry>(all: Families<Entry>, rules: FamilyRules<Entry>): void {
  while (all.size > rules.total) lower(all, rules);
}

function lower<Entry>(all: Families<Entry>, rules: FamilyRules<Entry>): void {
  all.most = all.most === 0 ? -1 : Math.floor(all.most / 2);
  const families = entriesOf(all.families).map(([, family]) => family);
  for (const family of families) if (family.members.taken > all.most) disperse(family, rules);
  if (all.most < 0) {
    all.crowd ??= rules.make();
    for (const { crowd } of families) if (crowd !== null) rules.merge(all.crowd, crowd);
    all.families = noEntries();
  }
  all.size = families.reduce((sum, { members, crowd }) => {
    return sum + (crowd === null ? members.taken : all.most + 1);
  }, 0);
}

/**
 * Adds the entries of `other`.
 * @example mergeFamilies(families, other, rules)
 */
export function mergeFamilies<Entry>(
  all: Families<Entry>,
  other: Families<Entry>,
  rules: FamilyRules<Entry>,
): void {
  while (all.most > other.most) lower(all, rules);
  if (other.crowd !== null) rules.merge(crowdOf(all, "", rules), other.crowd);
  for (const [name, { members, crowd }] of entriesOf(other.families)) {
    if (crowd !== null) mergeCrowd(all, name, crowd, rules);
    for (const [member, entry] of entriesOf(members)) {
      const into = memberOf(all, name, member, rules);
      if (into !== null) rules.merge(into, entry);
      else (rules.fold ?? rules.merge)(crowdOf(all, name, rules), entry);
    }
  }
}

function mergeCrowd<Entry>(
  all: Families<Entry>,
  name: string,
  crowd: Entry,
  rules: FamilyRules<Entry>,
): void {
  if (all.most >= 0) {
    const one = familyOf(all, name);
    all.size += one.crowd === null ? all.most + 1 - one.members.taken : 0;
    disperse(one, rules);
  }
  rules.merge(crowdOf(all, name, rules), crowd);
  settle(all, rules);
}

/**
 * Every name that is told apart, by family and then by name.
 * @example membersOf(families)[0] // { family: "language", name: "en", entry }
 */
export function membersOf<Entry>({
  families,
}: Families<Entry>): { family: string; name: string; entry: Entry }[] {
  return entriesOf(families).flatMap(([family, { members }]) =>
    entriesOf(members).map(([name, entry]) => ({ family, name, entry })),
  );
}

/**
 * The crowds, by family, each of more than `moreThan` names; `family` is null for one crowd of all,
 * whose families are more than `moreThan`.
 * @example crowdsOf(families, rules)[0] // { family: "id", moreThan: 200, entry }
 */
export function crowdsOf<Entry>(
  { families, crowd, most }: Families<Entry>,
  { total }: Pick<FamilyRules<Entry>, "total">,
): { family: string | null; moreThan: number; entry: Entry }[] {
  if (crowd !== null) return [{ family: null, moreThan: total, entry: crowd }];
  return entriesOf(families).flatMap(([family, one]) =>
    one.crowd === null ? [] : [{ family, moreThan: most, entry: one.crowd }],
  );
}
