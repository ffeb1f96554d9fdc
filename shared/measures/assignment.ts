/**
 * The assignment of rows to columns with the largest total value, each column used at most once and
 * as many pairs as the shorter side allows: for each row its column, or −1. `value[i·columns + j]` is
 * any finite number. Empty sides give an array of −1. Shortest augmenting paths on dense typed
 * arrays: O(min²·max) time, O(rows + columns) extra space.
 * Source: Jonker and Volgenant 1987; Crouse 2016, "On implementing 2D rectangular assignment
 * algorithms", whose rectangular form this is.
 * @example maxAssignment(Float64Array.of(1, 5, 4, 6), 2, 2) // Int32Array [1, 0]
 */
export function maxAssignment(value: Float64Array, rows: number, columns: number): Int32Array {
  if (rows <= columns) return assignRows(value, rows, columns, columns, 1);
  const rowOfColumn = assignRows(value, columns, rows, 1, columns);
  const columnOfRow = new Int32Array(rows).fill(-1);
  rowOfColumn.forEach((row, column) => {
    columnOfRow[row] = column;
  });
  return columnOfRow;
}

/** `rows` ≤ `columns`; the two strides let a taller matrix be read transposed. */
function assignRows(
  value: Float64Array,
  rows: number,
  columns: number,
  rowStride: number,
  columnStride: number,
): Int32Array {
  const path = new Augmenter(value, columns, rowStride, columnStride, rows);
  for (let row = 0; row < rows; row++) path.augment(row);
  return path.columnOfRow;
}

/** Grows the assignment row by row, keeping dual prices under which it is optimal. */
class Augmenter {
  readonly columnOfRow: Int32Array;
  readonly #rowOfColumn: Int32Array;
  readonly #rowPrice: Float64Array;
  readonly #columnPrice: Float64Array;
  readonly #shortest: Float64Array;
  readonly #previous: Int32Array;
  readonly #open: Int32Array;
  readonly #value: Float64Array;
  readonly #columns: number;
  readonly #rowStride: number;
  readonly #columnStride: number;

  constructor(
    value: Float64Array,
    columns: number,
    rowStride: number,
    columnStride: number,
    rows: number,
  ) {
    this.#value = value;
    this.#columns = columns;
    this.#rowStride = rowStride;
    this.#columnStride = columnStride;
    this.columnOfRow = new Int32Array(rows).fill(-1);
    this.#rowOfColumn = new Int32Array(columns).fill(-1);
    this.#rowPrice = new Float64Array(rows);
    this.#columnPrice = new Float64Array(columns);
    this.#shortest = new Float64Array(columns);
    this.#previous = new Int32Array(columns);
    this.#open = new Int32Array(columns);
  }

  /** Dijkstra from `start` to the nearest free column, then the swap along the way there. */
  augment(start: number): void {
    const open = this.#open;
    const shortest = this.#shortest.fill(Number.POSITIVE_INFINITY);
    for (let j = 0; j < this.#columns; j++) open[j] = j;
    let openCount = this.#columns;
    let row = start;
    let distance = 0;
    for (;;) {
      const at = this.#relax(row, distance, openCount);
      const column = open[at]!;
      distance = shortest[column]!;
      open[at] = open[--openCount]!;
      open[openCount] = column;
      row = this.#rowOfColumn[column]!;
      if (row < 0) {
        this.#reprice(start, distance, openCount + 1);
        this.#swap(start, column);
        return;
      }
    }
  }

  /** Updates distances through `row`; the place in `open` of the nearest column, free ones first. */
  #relax(row: number, distance: number, openCount: number): number {
    const base = row * this.#rowStride;
    const offset = distance - this.#rowPrice[row]!;
    let nearest = Number.POSITIVE_INFINITY;
    let at = 0;
    for (let k = 0; k < openCount; k++) {
      const j = this.#open[k]!;
      const through = offset - this.#value[base + j * this.#columnStride]! - this.#columnPrice[j]!;
      if (through < this.#shortest[j]!) {
        this.#shortest[j] = through;
        this.#previous[j] = row;
      }
      const reach = this.#shortest[j]!;
      if (reach < nearest || (reach === nearest && this.#rowOfColumn[j]! < 0)) {
        nearest = reach;
        at = k;
      }
    }
    return at;
  }

  /** Settled columns stand at the end of `open`; the last settled one is free and keeps its price. */
  #reprice(start: number, distance: number, firstSettled: number): void {
    this.#rowPrice[start]! += distance;
    for (let k = firstSettled; k < this.#columns; k++) {
      const j = this.#open[k]!;
      const slack = distance - this.#shortest[j]!;
      this.#rowPrice[this.#rowOfColumn[j]!]! += slack;
      this.#columnPrice[j]! -= slack;
    }
  }

  #swap(start: number, end: number): void {
    let column = end;
    for (;;) {
      const row = this.#previous[column]!;
      const next = this.columnOfRow[row]!;
      this.#rowOfColumn[column] = row;
      this.columnOfRow[row] = column;
      if (row === start) return;
      column = next;
    }
  }
}
