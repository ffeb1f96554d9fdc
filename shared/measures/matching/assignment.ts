/**
 * The assignment of rows to columns with the largest total value; each column is used at most once, and there are as
 * many pairs as the shorter side allows. Returns for each row its column, or −1. `value[i·columns + j]` is any finite
 * number. Empty sides give an array of −1. Shortest augmenting paths on dense typed arrays: O(min²·max) time, O(rows
 * + columns) extra space.
 *
 * With `exact`, the initial values are upper bounds, and `exact(i·columns + j)` returns the exact value. It is called
 * only if the value can affect the result, at most once for each pair; the result is the same. At the end, `value`
 * contains the values known so far.
 * Source: Jonker and Volgenant 1987; Crouse 2016, "On implementing 2D rectangular assignment
 * algorithms", whose rectangular form this is.
 * @example maxAssignment(Float64Array.of(1, 5, 4, 6), 2, 2) // Int32Array [1, 0]
 */
export function maxAssignment(
  value: Float64Array,
  rows: number,
  columns: number,
  exact: ExactValue | null = null,
): Int32Array {
  if (rows <= columns) return assignRows({ value, exact, rows, columns, row: columns, column: 1 });
  const turned = { value, exact, rows: columns, columns: rows, row: 1, column: columns };
  const columnOfRow = new Int32Array(rows).fill(-1);
  assignRows(turned).forEach((row, column) => {
    columnOfRow[row] = column;
  });
  return columnOfRow;
}

/** Returns the exact value at an index whose entry is an upper bound. */
type ExactValue = (at: number) => number;

/** `rows` ≤ `columns`; the steps between rows and between columns allow reading a transposed matrix. */
interface Matrix {
  value: Float64Array;
  exact: ExactValue | null;
  rows: number;
  columns: number;
  row: number;
  column: number;
}

function assignRows(matrix: Matrix): Int32Array {
  const path = new Augmenter(matrix);
  for (let row = 0; row < matrix.rows; row++) path.augment(row);
  return path.columnOfRow;
}

/** Number of bounds of a row replaced one by one; then the rest of the row is replaced at once. */
const maxSharpened = 32;

/** Extends the assignment row by row and keeps dual prices under which it is optimal. */
class Augmenter {
  readonly columnOfRow: Int32Array;
  readonly #matrix: Matrix;
  readonly #rowOfColumn: Int32Array;
  readonly #rowPrice: Float64Array;
  readonly #columnPrice: Float64Array;
  readonly #shortest: Float64Array;
  readonly #previous: Int32Array;
  readonly #open: Int32Array;
  /** Rows reached from the start, with the length of the path to them minus their price. */
  readonly #reached: Int32Array;
  readonly #offset: Float64Array;
  #reachedCount = 0;
  /** Indexes with exact values, and how many of each row were requested one by one. */
  readonly #known: Uint8Array;
  readonly #sharpened: Uint8Array;

  constructor(matrix: Matrix) {
    const { rows, columns } = matrix;
    this.#matrix = matrix;
    this.columnOfRow = new Int32Array(rows).fill(-1);
    this.#rowOfColumn = new Int32Array(columns).fill(-1);
    this.#rowPrice = new Float64Array(rows);
    this.#columnPrice = new Float64Array(columns);
    this.#shortest = new Float64Array(columns);
    this.#previous = new Int32Array(columns);
    this.#open = new Int32Array(columns);
    this.#reached = new Int32Array(rows);
    this.#offset = new Float64Array(rows);
    this.#known = new Uint8Array(matrix.exact === null ? 0 : matrix.value.length);
    this.#sharpened = new Uint8Array(rows);
  }

  /** Dijkstra from `start` to the nearest free column, then swaps along the path. */
  augment(start: number): void {
    const open = this.#open;
    this.#shortest.fill(Number.POSITIVE_INFINITY);
    for (let j = 0; j < open.length; j++) open[j] = j;
    this.#reachedCount = 0;
    let openCount = open.length;
    let row = start;
    let distance = 0;
    for (;;) {
      let at = this.#relax(row, distance, openCount);
      while (this.#sharpen(open[at]!, openCount)) at = this.#nearest(openCount);
      const column = open[at]!;
      distance = this.#shortest[column]!;
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

  /** Updates distances through `row`; returns the index in `open` of the nearest column, free ones first. */
  #relax(row: number, distance: number, openCount: number): number {
    const { value, row: rowStep, column: columnStep } = this.#matrix;
    const base = row * rowStep;
    const offset = distance - this.#rowPrice[row]!;
    this.#reached[this.#reachedCount] = row;
    this.#offset[this.#reachedCount++] = offset;
    let nearest = Number.POSITIVE_INFINITY;
    let at = 0;
    for (let k = 0; k < openCount; k++) {
      const j = this.#open[k]!;
      const through = offset - value[base + j * columnStep]! - this.#columnPrice[j]!;
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

  #nearest(openCount: number): number {
    let nearest = Number.POSITIVE_INFINITY;
    let at = 0;
    for (let k = 0; k < openCount; k++) {
      const j = this.#open[k]!;
      const reach = this.#shortest[j]!;
      if (reach < nearest || (reach === nearest && this.#rowOfColumn[j]! < 0)) {
        nearest = reach;
        at = k;
      }
    }
    return at;
  }

  /** Replaces the bound that determines the path to `column`; returns whether distances changed. */
  #sharpen(column: number, openCount: number): boolean {
    if (this.#matrix.exact === null) return false;
    const row = this.#previous[column]!;
    if (this.#sharpened[row]! < maxSharpened) {
      if (!this.#replace(row, column)) return false;
      this.#sharpened[row]!++;
      this.#shorten(column);
      return true;
    }
    let changed = false;
    for (let k = 0; k < openCount; k++) {
      const j = this.#open[k]!;
      if (!this.#replace(row, j)) continue;
      if (this.#previous[j] === row) this.#shorten(j);
      changed = true;
    }
    return changed;
  }

  /** Whether the exact value at an index became known only now, and is below its bound. */
  #replace(row: number, column: number): boolean {
    const { value, exact, row: rowStep, column: columnStep } = this.#matrix;
    const place = row * rowStep + column * columnStep;
    if (exact === null || this.#known[place]) return false;
    this.#known[place] = 1;
    const bound = value[place]!;
    value[place] = exact(place);
    return value[place]! < bound;
  }

  /** The shortest path to `column` through any row reached. */
  #shorten(column: number): void {
    const { value, row: rowStep, column: columnStep } = this.#matrix;
    const base = column * columnStep;
    let shortest = Number.POSITIVE_INFINITY;
    for (let k = 0; k < this.#reachedCount; k++) {
      const row = this.#reached[k]!;
      const through = this.#offset[k]! - value[base + row * rowStep]! - this.#columnPrice[column]!;
      if (through >= shortest) continue;
      shortest = through;
      this.#previous[column] = row;
    }
    this.#shortest[column] = shortest;
  }

  /** Settled columns are at the end of `open`; the last settled one is free and keeps its price. */
  #reprice(start: number, distance: number, firstSettled: number): void {
    this.#rowPrice[start]! += distance;
    for (let k = firstSettled; k < this.#open.length; k++) {
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
