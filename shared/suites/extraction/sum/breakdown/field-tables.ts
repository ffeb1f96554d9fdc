import { addCounts } from "../../../../stats/add-counts.ts";
import { addValue, noSpread, type UnitSpread } from "../../../../stats/unit-spread.ts";
import type { DiagnosedField, SchemaComplexity } from "../../score/fields/diagnosed-field.ts";
import type { LostOutput } from "../../score/lost-output.ts";
import { countField, type FieldCell, noFields } from "./field-cell.ts";
import { type NameRules, type NameTable, nameEntry, noNames } from "./name-table.ts";

/** Name paths that are told apart in one run: each takes some 10 kB where it is in every group. */
export const pathRules: NameRules<FieldCell> = {
  named: 5_000,
  expected: { most: 500, total: 1_000 },
  invented: { most: 200, total: 500 },
  make: noFields,
  add: addCounts,
};

const cellNames = [
  ...(["string", "number", "boolean", "array", "object"] as const),
  ...(["depth0", "depth1", "depth2"] as const),
  ...(["required", "optional"] as const),
  ...(["simple", "medium", "complex"] as const),
] as const;
export type CellName = (typeof cellNames)[number];

/** An error that several fields share, with the first sample that has it. */
export interface ErrorCount {
  count: number;
  seq: number;
  id: string;
}

/** Pairs of error pattern and name path that are told apart in one run: each takes some 200 bytes. */
export const errorRules: NameRules<ErrorCount> = {
  named: 50_000,
  expected: { most: 500, total: 10_000 },
  invented: { most: 200, total: 5_000 },
  make: () => ({ count: 0, seq: Number.MAX_SAFE_INTEGER, id: "" }),
  add: addError,
};

/** The fields of a run by what they are, and the errors among them. */
export interface FieldTables {
  cells: Record<CellName, FieldCell>;
  paths: NameTable<FieldCell>;
  /** By pattern and name path, a space between. */
  errors: NameTable<ErrorCount>;
  /** Fields in all, whether or not their path is told apart. */
  counted: number;
  similarity: Record<"tokenF1" | "levenshtein" | "containment", UnitSpread>;
  /** Answers with any matched string. */
  withStrings: number;
}

/**
 * No fields yet.
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

/** The answer that fields belong to, and the group of samples that it is resampled with. */
interface FieldSource {
  seq: number;
  id: string;
  group: number;
  bin: SchemaComplexity["bin"];
  /** Why no field of it counts; null for a valid output. */
  lost: LostOutput | null;
}

/**
 * Counts the fields of one answer. A spurious field goes by its predicted type, and is left out of
 * required and optional. Errors are those of valid outputs. Linear in fields.
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

/** Counts a field, and the answer where `name` was not seen in it before. */
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
