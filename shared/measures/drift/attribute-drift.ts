import type { DriftPart } from "../../contracts/drift.ts";
import type { DriftCause } from "../../contracts/drift-notice.ts";
import { leastDifference } from "./drift-evidence.ts";

/**
 * What a drift of `difference` is put to: the one part that moved the score the same way, by as much as is
 * flagged and with an interval without 0. Where nothing but the model could have moved it, the model. Else,
 * and where several parts moved, it is unclear. That of the dataset, which the difference does not hold, makes
 * it unclear where it is half as large or more: the headline moved by both.
 * @example attributeDrift(-0.1, [{ cause: "judge", n: 30, difference: -0.1, interval: [-0.12, -0.08] }]) //
 * "judge"
 */
export function attributeDrift(difference: number, parts: readonly DriftPart[]): DriftCause {
  const isLarge = ({ cause, difference: its }: DriftPart) =>
    cause === "dataset" && its * Math.sign(difference) >= Math.abs(difference) / 2;
  if (parts.some(isLarge)) return "unclear";
  return causeAmong(
    difference,
    parts.filter(({ cause }) => cause !== "dataset"),
  );
}

function causeAmong(difference: number, parts: readonly DriftPart[]): DriftCause {
  const moved = parts.filter((part) => hasMoved(part, Math.sign(difference)));
  const [only] = moved;
  if (only !== undefined) return moved.length === 1 ? only.cause : "unclear";
  const others = parts.filter(({ cause }) => cause !== "model");
  const isStill = others.every((part) => part.n > 0 && part.difference === 0);
  return others.length > 0 && isStill ? "model" : "unclear";
}

function hasMoved({ difference, interval }: DriftPart, direction: number): boolean {
  if (interval === null || Math.sign(difference) !== direction) return false;
  const excludesZero = direction > 0 ? interval[0] > 0 : interval[1] < 0;
  return excludesZero && Math.abs(difference) >= leastDifference;
}
