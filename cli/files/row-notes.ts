import { bounds, cutText } from "#shared/contracts/bounds.ts";
import type { RowNote } from "#shared/contracts/datasets/dataset.ts";

/** Maximum stored notes of a file: a broken file has one for every line. The service has the same limit. */
const MAX_KEPT = 500;

/** Notes on rows of a file: all are counted, the first are stored. */
export class RowNotes {
  count = 0;
  /** Whether notes have row numbers instead of line numbers. */
  hasRows = false;
  readonly kept: RowNote[] = [];
  readonly #maxKept: number;

  constructor(maxKept: number = MAX_KEPT) {
    this.#maxKept = maxKept;
  }

  add(note: RowNote): void {
    this.count++;
    if (this.kept.length >= this.#maxKept) return;
    const { line, id, reason } = note;
    this.kept.push({
      line,
      id: id && cutText(id, bounds.name),
      reason: cutText(reason, bounds.message),
    });
  }
}
