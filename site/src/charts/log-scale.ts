/** Beyond a decade a linear axis would crowd most values into a corner. */
const decade = 10;

/** Whether an axis of these values is logarithmic: they span more than a decade, and none is 0. */
export function isLog(values: readonly number[]): boolean {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low > 0 && high / low > decade;
}
