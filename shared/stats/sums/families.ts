import { entriesOf } from "./bounded.ts";

/** The names of a family, each with its entry; or all of them as one crowd. */
interface Family<Entry> {
  /** By name with the prefix "=", so that none is the name of an object's built-in property. */
  members: Record<string, Entry>;
  /** Number of names kept separate; for a crowd, before it became one: it has more than these. */
  size: number;
  crowd: Entry | null;
}

/**
 * Entries by family and name; the first names are kept. A family with too many names becomes one crowd for good, so
 * that it does not displace names of other families.
 */
export interface Families<Entry> {
  /** By name with the prefix "=". */
  families: Record<string, Family<Entry>>;
  /** Number of entries: names, and crowds of families. */
  size: number;
  /** One crowd for the names of all families that came after the limit was reached. */
  crowd: Entry | null;
}

/** How many names are kept separate, and how entries are created and merged into a crowd. */
export interface FamilyRules<Entry> {
  /** In one family, and in total. */
  most: number;
  total: number;
  make(): Entry;
  /** Adds the entry of a name to that of the crowd. */
  add(crowd: Entry, entry: Entry): void;
}

/**
 * An empty collection.
 * @example membersOf(noFamilies()) // []
 */
export function noFamilies<Entry>(): Families<Entry> {
  return { families: {}, size: 0, crowd: null };
}

/**
 * The entry that counts `name` of `family`, created if missing: its own, or that of its crowd. Amortised O(1).
 * @example entryIn(families, "language", "en", rules).entry.count++
 */
export function entryIn<Entry>(
  all: Families<Entry>,
  family: string,
  name: string,
  rules: FamilyRules<Entry>,
): { entry: Entry; isCrowd: boolean } {
  const one = familyIn(all, family, rules);
  const known = one?.members[`=${name}`];
  if (known !== undefined) return { entry: known, isCrowd: false };
  if (one === null) {
    all.crowd ??= rules.make();
    return { entry: all.crowd, isCrowd: true };
  }
  if (one.crowd === null && (one.size >= rules.most || all.size >= rules.total)) {
    one.crowd = rules.make();
    for (const member of Object.values(one.members)) rules.add(one.crowd, member);
    one.members = {};
    all.size += 1 - one.size;
  }
  if (one.crowd !== null) return { entry: one.crowd, isCrowd: true };
  const entry = rules.make();
  one.members[`=${name}`] = entry;
  one.size++;
  all.size++;
  return { entry, isCrowd: false };
}

/** Null if the limit is reached. */
function familyIn<Entry>(
  all: Families<Entry>,
  family: string,
  { total }: FamilyRules<Entry>,
): Family<Entry> | null {
  const known = all.families[`=${family}`];
  if (known !== undefined || all.size >= total) return known ?? null;
  const made: Family<Entry> = { members: {}, size: 0, crowd: null };
  all.families[`=${family}`] = made;
  return made;
}

/**
 * All names kept separate, ordered by family, then name.
 * @example membersOf(families)[0] // { family: "language", name: "en", entry }
 */
export function membersOf<Entry>({
  families,
}: Families<Entry>): { family: string; name: string; entry: Entry }[] {
  return entriesOf({ entries: families }).flatMap(([family, { members }]) =>
    entriesOf({ entries: members }).map(([name, entry]) => ({ family, name, entry })),
  );
}

/**
 * The crowds by family, each with more than `moreThan` names. `family` is null for the shared crowd of the families
 * beyond the limit; its `moreThan` counts families.
 * @example crowdsOf(families)[0] // { family: "id", moreThan: 200, entry }
 */
export function crowdsOf<Entry>({
  families,
  crowd,
}: Families<Entry>): { family: string | null; moreThan: number; entry: Entry }[] {
  const found = entriesOf({ entries: families });
  const own = found.flatMap(([family, { size, crowd: entry }]) =>
    entry === null ? [] : [{ family, moreThan: size, entry }],
  );
  return crowd === null ? own : [...own, { family: null, moreThan: found.length, entry: crowd }];
}
