import { addCounts } from "../../../../stats/sums/binned-histogram.ts";
import { type Bounded, entriesOf, entryOf, noEntries } from "../../../../stats/sums/bounded.ts";
import {
  crowdsOf,
  entryIn,
  type Families,
  membersOf,
  noFamilies,
} from "../../../../stats/sums/families.ts";
import { addValue, noSpread, type UnitSpread } from "../../../../stats/sums/unit-spread.ts";
import { categoryCredit, lenientCut } from "../../score/fields/category.ts";
import type { DiagnosedField } from "../../score/fields/diagnosed-field.ts";
import type { LostOutput } from "../../score/lost-output.ts";
import type { SchemaComplexity } from "../../score/schema-complexity.ts";
import { emptyTally, type Tally } from "../../score/tally.ts";

const sides = { exact: 2, partial: 2, incorrect: 2, missed: 1, spurious: 1 } as const;

/** Limits on separately counted name paths in one run: each takes about 10 kB if it is in every group. */
export const pathRules: NameRules<FieldCell> = {
  named: 5_000,
  expected: { most: 500, total: 1_000 },
  invented: { most: 200, total: 500 },
  make: noFields,
  add: addCounts,
};

const cellNames = [
  "string",
  "number",
  "boolean",
  "array",
  "object",
  "depth0",
  "depth1",
  "depth2",
  "required",
  "optional",
  "simple",
  "medium",
  "complex",
] as const;
export type CellName = (typeof cellNames)[number];

/** An error that several fields share, with the first sample that has it. */
export interface ErrorCount {
  count: number;
  seq: number;
  id: string;
}

/** Limits on separately counted pairs of error pattern and name path in one run: each takes about 200 bytes. */
export const errorRules: NameRules<ErrorCount> = {
  named: 50_000,
  expected: { most: 500, total: 10_000 },
  invented: { most: 200, total: 5_000 },
  make: () => ({ count: 0, seq: Number.MAX_SAFE_INTEGER, id: "" }),
  add: addError,
};

/** The fields of a run by kind, and their errors. */
export interface FieldTables {
  cells: Record<CellName, FieldCell>;
  paths: NameTable<FieldCell>;
  /** By pattern and name path, separated by a space. */
  errors: NameTable<ErrorCount>;
  /** All fields, whether or not their path is counted separately. */
  counted: number;
  similarity: Record<"tokenF1" | "levenshtein" | "containment", UnitSpread>;
  /** Answers with any matched string. */
  withStrings: number;
}

/**
 * Tables without fields.
 * @example noFieldTables().cells.string.exact // 0
 */
export function noFieldTables(): FieldTables {
  return {
    cells: Object.fromEntries(cellNames.map((name) => [name, noFields()])) as FieldTables["cells"],
    paths: noNames(),
    errors: noNames(),
    counted: 0,
    similarity: { tokenF1: noSpread(), levenshtein: noSpread(), containment: noSpread() },
    withStrings: 0,
  };
}

/** The answer to which fields belong, and the group of samples with which it is resampled. */
interface FieldSource {
  seq: number;
  id: string;
  group: number;
  bin: SchemaComplexity["bin"];
  /** Why its fields do not count; null for a valid output. */
  lost: LostOutput | null;
}

/**
 * Counts the fields of one answer. A spurious field counts under its predicted type, but neither as required nor as
 * optional. Errors are counted only for valid outputs. Linear in fields.
 * Source: docs/spec/extraction.md, section 7.
 * @example countFields(tables, detail.fields, { seq: 0, id: "s1", group: 17, bin: "simple", lost: null })
 */
export function countFields(
  tables: FieldTables,
  fields: readonly DiagnosedField[],
  source: FieldSource,
): void {
  const seen = new Set<FieldCell | string>();
  for (const field of fields) {
    for (const cell of cellsOf(tables.cells, field, source.bin)) {
      countIn(cell, cell, field, source, seen);
    }
    const path = nameEntry(tables.paths, field, "", pathRules);
    if (path !== null) countIn(path, field.namePath, field, source, seen);
    if (field.pattern !== null && source.lost === null) {
      const error = nameEntry(tables.errors, field, `${field.pattern} `, errorRules);
      if (error !== null) addError(error, { count: 1, seq: source.seq, id: source.id });
    }
    if (field.similarity !== null) countSimilarity(tables, field.similarity);
  }
  tables.counted += fields.length;
  if (fields.some(({ similarity }) => similarity !== null)) tables.withStrings++;
}

/** Counts a field, and the answer if it has no earlier field with `name`. */
function countIn(
  cell: FieldCell,
  name: FieldCell | string,
  field: DiagnosedField,
  source: FieldSource,
  seen: Set<FieldCell | string>,
): void {
  countField(cell, field, source);
  if (seen.has(name)) return;
  seen.add(name);
  cell.answers++;
}

function cellsOf(
  cells: FieldTables["cells"],
  field: DiagnosedField,
  bin: SchemaComplexity["bin"],
): FieldCell[] {
  const type = field.expectedType ?? field.predictedType;
  const found = [cells[bin], cells[`depth${Math.min(2, field.depth)}` as CellName]];
  if (type !== "absent" && type !== "null") found.push(cells[type]);
  if (field.required !== null) found.push(cells[field.required ? "required" : "optional"]);
  return found;
}

function addError(into: ErrorCount, from: ErrorCount): void {
  into.count += from.count;
  if (from.seq >= into.seq) return;
  into.seq = from.seq;
  into.id = from.id;
}

function countSimilarity(
  { similarity }: FieldTables,
  { tokenF1, levenshtein, containment }: NonNullable<DiagnosedField["similarity"]>,
): void {
  addValue(similarity.tokenF1, tokenF1);
  addValue(similarity.levenshtein, levenshtein);
  addValue(similarity.containment, containment);
}

/** Counts of the fields of one part of a run, such as a type. */
export interface FieldCell extends Tally {
  /** Answers with such a field. */
  answers: number;
  /** Fields in `missed` that belong to invalid outputs, and those that belong to failed requests. */
  invalidOutput: number;
  failedRequest: number;
  /** By group of samples: credit in halves (2 · exact + partial), and expected + predicted fields. */
  halves: Record<number, number>;
  sides: Record<number, number>;
}

/**
 * Counts of no fields.
 * @example noFields().answers // 0
 */
export function noFields(): FieldCell {
  return {
    answers: 0,
    ...emptyTally(),
    invalidOutput: 0,
    failedRequest: 0,
    halves: {},
    sides: {},
  };
}

/**
 * Counts a field of a sample in group `group`; `lost` says why its output does not count.
 * @example countField(cell, field, { group: partGroup(row), lost: null })
 */
export function countField(
  cell: FieldCell,
  field: DiagnosedField,
  { group, lost }: { group: number; lost: LostOutput | null },
): void {
  const { category, composite } = field;
  cell[category]++;
  if (lost !== null) cell[lost === "failedRequest" ? lost : "invalidOutput"]++;
  if (field.identical) cell.identical++;
  if (category === "exact" || (composite ?? 0) >= lenientCut) cell.lenient++;
  if (field.typeCorrect === true) cell.typeCorrect++;
  cell.halves[group] = (cell.halves[group] ?? 0) + 2 * categoryCredit[category];
  cell.sides[group] = (cell.sides[group] ?? 0) + sides[category];
}

/**
 * Entries by name path. Names in schemas have their own limit, so that no answer displaces them. Other names, of
 * expected values (keys of a map) and of predicted ones (invented), are counted separately while a place has few of
 * them, else together as a crowd.
 */
interface NameTable<Entry> {
  named: Bounded<Entry>;
  expected: Families<Entry>;
  invented: Families<Entry>;
}

/** Limits on the names that a table counts separately, and how its entries are created and added. */
interface NameRules<Entry> {
  named: number;
  /** Maximum at one place, and in total. */
  expected: { most: number; total: number };
  invented: { most: number; total: number };
  make(): Entry;
  add(into: Entry, from: Entry): void;
}

/** A place with too many names to count separately, as one entry. */
interface Crowd<Entry> {
  /** The place that the names are at; null for the places beyond the limit. */
  at: string | null;
  side: "expected" | "invented";
  moreThan: number;
  entry: Entry;
}

/**
 * An empty table.
 * @example namesOf(noNames(), rules) // []
 */
function noNames<Entry>(): NameTable<Entry> {
  return { named: noEntries(), expected: noFamilies(), invented: noFamilies() };
}

/**
 * The entry that a field counts in; null if schemas name more paths than the limit.
 * `prefix` separates entries with the same path, such as errors by pattern.
 * @example nameEntry(table, field, "wrong_type ", rules)
 */
function nameEntry<Entry>(
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
 * Every name that is counted separately, by prefix and path, in order.
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
 * Crowds of names, by place.
 * @example crowdsIn(table)[0] // { at: "items[]", side: "invented", moreThan: 200, entry }
 */
export function crowdsIn<Entry>(table: NameTable<Entry>): Crowd<Entry>[] {
  return (["expected", "invented"] as const).flatMap((side) =>
    crowdsOf(table[side]).map(({ family: at, ...crowd }) => ({ at, side, ...crowd })),
  );
}
