/** Share of a value by which it is moved: the cube root of a double's precision, best for central differences. */
const STEP = 2 ** -17;

/** Slopes to both sides that differ by a larger share are those of a corner: a curve's differ by about the step. */
const CORNER = 1e-3;

/**
 * By value, how fast `figure` changes with it at `values`: central differences, and at a corner, as where
 * something is clipped, the steeper side. 0 for a value that is null, and where `figure` is not known on
 * either side. O(values · cost of the figure).
 * Source: Nocedal and Wright 2006, Numerical Optimization, section 8.1 (finite differences).
 * @example slopes(([a, b]) => Math.max(0, a!) + 2 * b!, [0, 0.5]) // [1, 2]
 */
export function slopes(
  figure: (values: readonly (number | null)[]) => number | null,
  values: readonly (number | null)[],
): number[] {
  return values.map((value, k) => {
    if (value === null) return 0;
    return slopeAt(value, (moved) => figure(values.with(k, moved)) ?? Number.NaN);
  });
}

function slopeAt(value: number, figure: (value: number) => number): number {
  const step = STEP * (Math.abs(value) || 1);
  const [low, high] = [value - step, value + step];
  const [below, here, above] = [figure(low), figure(value), figure(high)];
  const [falling, rising] = [(here - below) / (value - low), (above - here) / (high - value)];
  if (!Number.isFinite(falling)) return Number.isFinite(rising) ? rising : 0;
  if (!Number.isFinite(rising)) return falling;
  const steeper = Math.abs(falling) > Math.abs(rising) ? falling : rising;
  const isCorner = Math.abs(rising - falling) > CORNER * Math.abs(steeper);
  return isCorner ? steeper : (above - below) / (high - low);
}
