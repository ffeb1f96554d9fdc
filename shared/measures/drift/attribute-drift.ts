import type { DriftPart } from "../../contracts/drift/drift.ts";
import type { DriftCause } from "../../contracts/drift/drift-notice.ts";
import { atLeast } from "../report/figures/tier.ts";
import { leastDifference } from "./drift-evidence.ts";

/**
 * The cause of a drift of `difference`: the only part that moved the score in the same direction by at least the
 * flagging threshold, with an interval that excludes 0. No other part may have moved by half of the drift or more in
 * either direction, even insignificantly. The model, if nothing else could have moved the score; several, if several
 * parts moved; otherwise unclear. `difference` excludes the effect of a changed dataset; if this effect is at least
 * half of `difference`, there are several causes, because both moved the headline.
 * @example attributeDrift(-0.1, [{ cause: "judge", n: 30, difference: -0.1, interval: [-0.12, -0.08] }]) //
 * "judge"
 */
export function attributeDrift(difference: number, parts: readonly DriftPart[]): DriftCause {
  const isLarge = ({ cause, difference: its }: DriftPart) =>
    cause === "dataset" && its * Math.sign(difference) >= Math.abs(difference) / 2;
  if (parts.some(isLarge)) return "several";
  return causeAmong(
    difference,
    parts.filter(({ cause }) => cause !== "dataset"),
  );
}

function causeAmong(difference: number, parts: readonly DriftPart[]): DriftCause {
  const moved = parts.filter((part) => hasMoved(part, Math.sign(difference)));
  const [only] = moved;
  if (only !== undefined) {
    const large = parts.filter((part) => Math.abs(part.difference) >= Math.abs(difference) / 2);
    return large.length === 1 && large[0] === only && moved.length === 1 ? only.cause : "several";
  }
  const others = parts.filter(({ cause }) => cause !== "model");
  const isStill = others.every((part) => part.n > 0 && part.difference === 0);
  return others.length > 0 && isStill ? "model" : "unclear";
}

/** By the interval or by signed ranks, because the interval is too wide if all samples changed equally. */
function hasMoved({ difference, interval, p }: DriftPart, direction: number): boolean {
  if (interval === null || Math.sign(difference) !== direction) return false;
  const excludesZero = direction > 0 ? interval[0] > 0 : interval[1] < 0;
  const isMove = excludesZero || (p !== null && p < 0.05);
  return isMove && atLeast(Math.abs(difference), leastDifference);
}
