import { heatFill, heatStep } from "./heat-map.ts";

/** Every shade is five points; from this distance to a half on all are the darkest. */
const farthest = 0.35;

/** The same from either side of a pair, whatever their difference to a half is rounded to. */
const winStep = (rate: number): number => heatStep(Math.abs(rate - 0.5) + 1e-9, [0, farthest]);

const isEven = (rate: number): boolean => Math.abs(rate - 0.5) < 1e-9;

/** The class of a win rate's cell: losses in one hue, wins in the other, stronger with the distance from a half, which has none. */
export function winShade(rate: number): string {
  if (isEven(rate)) return "even";
  return `${rate < 0.5 ? "c" : "h"}${winStep(rate)}`;
}

/** The colour of that class. */
export function winFill(rate: number): string {
  if (isEven(rate)) return "var(--surface)";
  return rate < 0.5 ? `var(--cold-${winStep(rate)})` : heatFill(winStep(rate));
}
