/**
 * Krippendorff's alpha for interval ratings: 1 − observed / expected squared difference, 1 for perfect
 * agreement, 0 for chance, negative below it. `items` holds the ratings of each item by any number of
 * raters, null where a rater gave none; items with fewer than two ratings don't count. Null where
 * nothing can be compared or all ratings are equal. Linear in the ratings, by sums of squares.
 * Source: Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability";
 * docs/spec/statistics.md, agreement.
 * @example krippendorffAlpha([[1, 1], [2, 2], [3, null]]) // 1
 */
export function krippendorffAlpha(items: readonly (readonly (number | null)[])[]): number | null {
  let [count, sum, squares, observed] = [0, 0, 0, 0];
  for (const item of items) {
    const ratings = item.filter((rating) => rating !== null);
    if (ratings.length < 2) continue;
    const itsSum = ratings.reduce((total, rating) => total + rating, 0);
    const itsSquares = ratings.reduce((total, rating) => total + rating ** 2, 0);
    count += ratings.length;
    sum += itsSum;
    squares += itsSquares;
    // Σ over ordered pairs (x − y)² = 2·(m·Σx² − (Σx)²), each item's pairs shared by m − 1.
    observed += (2 * (ratings.length * itsSquares - itsSum ** 2)) / (ratings.length - 1);
  }
  const expected = (2 * (count * squares - sum ** 2)) / (count - 1);
  return count < 2 || expected <= 0 ? null : 1 - observed / expected;
}
