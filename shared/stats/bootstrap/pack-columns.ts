/** Columns of whole numbers that share one array, each the digit of a mixed radix. */
export interface PackedColumns {
  values: Float64Array;
  /** Lowest digit first: the columns that all have it, and what it is worth. */
  digits: { columns: number[]; worth: number }[];
}

/** Whole numbers up to here are exact in a double. */
const exactLimit = 2 ** 53;

/**
 * Puts columns that are the same, and columns of small whole numbers, together into fewer arrays, so that summing over a
 * resample touches less memory: precision and recall are often equal in every sample. A sum up to `greatestSum` of each
 * column (unless told, that of as many draws as there are units) leaves every digit exact. Different columns with
 * fractions or negative numbers get an array each. Greedy, in the order given; linear but for columns that have long
 * beginnings in common.
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

/** Of as many values as the column has. */
const greatestOfDraws = (column: Float64Array): number =>
  column.reduce((most, value) => Math.max(most, value), 0) * column.length;

/** A power of two above every sum; infinite where sums would not be exact. */
function digitSpan(greatestSum: number): number {
  const span = 2 ** Math.ceil(Math.log2(greatestSum + 1));
  return span <= exactLimit ? span : Number.POSITIVE_INFINITY;
}

/**
 * Takes a sum of packed values apart into the sums of its columns, by place of the column.
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
