import { lenientCut } from "../../score/fields/category.ts";
import type { DiagnosedField } from "../../score/fields/diagnosed-field.ts";
import type { LostOutput } from "../../score/lost-output.ts";
import { emptyTally, type Tally } from "../tally.ts";

/** The fields of one part of a run, as of one type, counted. */
export interface FieldCell extends Tally {
  /** Answers with such a field. */
  answers: number;
  /** Of `missed`, those of invalid outputs and those of failed requests. */
  invalidOutput: number;
  failedRequest: number;
  /** By group of samples: credit in halves (2 · exact + partial), and expected + predicted fields. */
  halves: Record<number, number>;
  sides: Record<number, number>;
}

/**
 * No fields yet.
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

/** Credit in halves of each category, and on how many sides the field is. */
const worth = { exact: 2, partial: 1, incorrect: 0, missed: 0, spurious: 0 } as const;
const sides = { exact: 2, partial: 2, incorrect: 2, missed: 1, spurious: 1 } as const;

/**
 * Counts a field of a sample that is in group `group`; `lost` says why none of its output counts.
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
  cell.halves[group] = (cell.halves[group] ?? 0) + worth[category];
  cell.sides[group] = (cell.sides[group] ?? 0) + sides[category];
}
