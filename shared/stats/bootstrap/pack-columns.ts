/** Columns of whole numbers in one array; each is a digit of a mixed-radix number. */
export interface PackedColumns {
  values: Float64Array;
  /** Lowest digit first: the columns with this digit, and its place value. */
  digits: { columns: number[]; worth: number }[];
}

/** Largest whole number up to which doubles are exact. */
const exactLimit = 2 ** 53;

/**
 * Packs equal columns, and columns of small whole numbers, into fewer arrays, so that summing a resample reads less
 * memory: precision and recall are often equal in every sample. Every digit is exact for column sums up to
 * `greatestSum` (default: the sum of as many draws as there are units). Each distinct column with fractions or
 * negative numbers gets its own array. Greedy, in the given order; linear except for columns with long common
 * prefixes.
 * @example packColumns([Float64Array.of(1, 0), Float64Array.of(3, 2)]) // one array: [10, 6]
 */
export function packColumns(
  columns: readonly Float64Array[],
  greatestSum: (column: Float64Array) => number = greatestOfDraws,
): PackedColumns[] {
  const packs: (PackedColumns & { room: number })[] = [];
  const places: number[][] = [];
  for (const [k, column] of columns.entries()) {
    const same = places.find(([first]) => areSame(columns[first!]!, column));
    if (same !== undefined) {
      same.push(k);
      continue;
    }
    const own = [k];
    places.push(own);
    const span = isWhole(column) ? digitSpan(greatestSum(column)) : Number.POSITIVE_INFINITY;
    const pack = packs.find(({ room }) => span <= room);
    if (pack === undefined) {
      const room = span === Number.POSITIVE_INFINITY ? 0 : exactLimit / span;
      packs.push({ values: column.slice(), digits: [{ columns: own, worth: 1 }], room });
      continue;
    }
    const worth = exactLimit / pack.room;
    for (let i = 0; i < column.length; i++) pack.values[i]! += column[i]! * worth;
    pack.digits.push({ columns: own, worth });
    pack.room /= span;
  }
  return packs.map(({ values, digits }) => ({ values, digits }));
}

function areSame(a: Float64Array, b: Float64Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

const isWhole = (column: Float64Array): boolean =>
  column.every((value) => Number.isInteger(value) && value >= 0);

/** Length: number of values of the column. */
const greatestOfDraws = (column: Float64Array): number =>
  column.reduce((most, value) => Math.max(most, value), 0) * column.length;

/** A power of two above every sum; infinite if sums would not be exact. */
function digitSpan(greatestSum: number): number {
  const span = 2 ** Math.ceil(Math.log2(greatestSum + 1));
  return span <= exactLimit ? span : Number.POSITIVE_INFINITY;
}

/**
 * Splits a sum of packed values into the sums of its columns.
 * @example unpackSum(16, [{ columns: [0], worth: 1 }, { columns: [1, 2], worth: 4 }], sums) // sums: [0, 4, 4]
 */
export function unpackSum(sum: number, digits: PackedColumns["digits"], sums: Float64Array): void {
  let rest = sum;
  for (let k = digits.length - 1; k > 0; k--) {
    const { columns, worth } = digits[k]!;
    const digit = Math.floor(rest / worth);
    put(digit, columns, sums);
    rest -= digit * worth;
  }
  put(rest, digits[0]!.columns, sums);
}

function put(sum: number, columns: readonly number[], sums: Float64Array): void {
  for (let i = 0; i < columns.length; i++) sums[columns[i]!] = sum;
}
