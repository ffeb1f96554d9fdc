import { addCounts } from "../../stats/add-counts.ts";
import { type Bounded, entryOf, mergeEntries, noEntries, thin } from "../../stats/bounded.ts";
import { addValue, mergeSpread, noSpread, type UnitSpread } from "../../stats/unit-spread.ts";
import type { DiagnosedField, SchemaComplexity } from "./diagnosed-field.ts";
import { countField, type FieldCell, noFields } from "./field-cell.ts";

/** Name paths, and pairs of error pattern and name path, that are told apart in one run. */
export const mostPaths = 5_000;
export const mostErrors = 20_000;

const cellNames = [
  ...(["string", "number", "boolean", "array", "object"] as const),
  ...(["depth0", "depth1", "depth2"] as const),
  ...(["required", "optional"] as const),
  ...(["simple", "medium", "complex"] as const),
] as const;
export type CellName = (typeof cellNames)[number];

/** An error that several fields share, with the first sample that has it. */
interface ErrorCount {
  count: number;
  seq: number;
  id: string;
}

/** The fields of a run by what they are, and the errors among them. */
export interface FieldTables {
  cells: Record<CellName, FieldCell>;
  paths: Bounded<FieldCell>;
  /** By pattern and name path, a space between. */
  errors: Bounded<ErrorCount>;
  similarity: Record<"tokenF1" | "levenshtein" | "containment", UnitSpread>;
}

/**
 * No fields yet.
 * @example noFieldTables().cells.string.exact // 0
 */
export function noFieldTables(): FieldTables {
  return {
    cells: Object.fromEntries(cellNames.map((name) => [name, noFields()])) as FieldTables["cells"],
    paths: noEntries(),
    errors: noEntries(),
    similarity: { tokenF1: noSpread(), levenshtein: noSpread(), containment: noSpread() },
  };
}

/** The answer that fields belong to, and the group of samples that it is resampled with. */
interface FieldSource {
  seq: number;
  id: string;
  group: number;
  bin: SchemaComplexity["bin"];
}

/**
 * Counts the fields of one answer. A spurious field goes by its predicted type, and is left out of
 * required and optional. Linear in fields.
 * Source: specification of the extraction suite, section 7.
 * @example countFields(tables, detail.fields, { seq: 0, id: "s1", group: 17, bin: "simple" })
 */
export function countFields(
  tables: FieldTables,
  fields: readonly DiagnosedField[],
  source: FieldSource,
): void {
  const cells: FieldCell[] = [];
  const paths = new Set<FieldCell>();
  for (const field of fields) {
    for (const cell of cellsOf(tables.cells, field, source.bin)) {
      countField(cell, field, source.group);
      if (!cells.includes(cell)) cells.push(cell);
    }
    const path = entryOf(tables.paths, field.namePath, noFields);
    countField(path, field, source.group);
    paths.add(path);
    if (field.pattern !== null)
      countError(tables.errors, `${field.pattern} ${field.namePath}`, source);
    if (field.similarity !== null) countSimilarity(tables, field.similarity);
  }
  for (const cell of [...cells, ...paths]) cell.answers++;
  thin(tables.paths, mostPaths);
  thin(tables.errors, mostErrors);
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

function countError(errors: Bounded<ErrorCount>, key: string, { seq, id }: FieldSource): void {
  addError(
    entryOf(errors, key, () => ({ count: 0, seq, id })),
    { count: 1, seq, id },
  );
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

/**
 * Adds the fields of other answers.
 * @example mergeFieldTables(tables, other)
 */
export function mergeFieldTables(tables: FieldTables, other: FieldTables): void {
  addCounts(tables.cells, other.cells);
  mergeEntries(tables.paths, other.paths, mostPaths, noFields, addCounts);
  const none = () => ({ count: 0, seq: Number.MAX_SAFE_INTEGER, id: "" });
  mergeEntries(tables.errors, other.errors, mostErrors, none, addError);
  for (const name of ["tokenF1", "levenshtein", "containment"] as const) {
    mergeSpread(tables.similarity[name], other.similarity[name]);
  }
}
