/** The rows of a long table to keep in the document, and the heights of those before and after them, px. */
export interface RowsInView {
  first: number;
  /** The last one + 1. */
  end: number;
  before: number;
  after: number;
}

/**
 * The rows that a window shows, and `margin` more at each end. Linear in rows.
 * @param heights of all rows, px
 * @param top where the window begins, px from the start of the first row; negative above it
 * @param height of the window, px
 */
export function rowsInView(
  heights: readonly number[],
  { top, height, margin }: { top: number; height: number; margin: number },
): RowsInView {
  let [y, first, end] = [0, heights.length, 0];
  for (const [i, its] of heights.entries()) {
    if (y + its > top && y < top + height) {
      first = Math.min(first, i);
      end = i + 1;
    }
    y += its;
  }
  // Above or below the table: its nearest end.
  if (end === 0) [first, end] = top < 0 ? [0, 0] : [heights.length, heights.length];
  const from = Math.max(0, first - margin);
  const to = Math.min(heights.length, end + margin);
  return {
    first: from,
    end: to,
    before: sum(heights.slice(0, from)),
    after: sum(heights.slice(to)),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
