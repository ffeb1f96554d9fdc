import type { Attempts } from "#shared/contracts/boards/leaderboard.ts";
import { formatCount } from "./number.ts";

/**
 * Which of a model's runs is on a board, in a few words; empty if there is only one. If runs were removed from the
 * list, it is the newest remaining one.
 * @example attemptsText({ ...attempts, total: 7, finished: 7 }) // "newest of 7"
 */
export function attemptsText(attempts: Attempts): string {
  if (attempts.total < 2) return "";
  const isChosen = attempts.unlisted + attempts.hidden + attempts.deleted > 0;
  return `${isChosen ? "newest listed" : "newest"} of ${formatCount(attempts.total)}`;
}

/** Names of the counts of attempts, in the order shown. */
const parts = [
  "finished",
  "failed",
  "cancelled",
  "running",
  "unlisted",
  "hidden",
  "deleted",
] as const satisfies readonly (keyof Attempts)[];

/**
 * States of all runs of a model on a board, as a list in words.
 * @example attemptParts({ ...attempts, total: 7, finished: 5, deleted: 2 }) // "5 finished, 2 deleted"
 */
export const attemptParts = (attempts: Attempts): string =>
  parts
    .filter((part) => attempts[part] > 0)
    .map((part) => `${formatCount(attempts[part])} ${part}`)
    .join(", ");
