import { wilsonInterval } from "../../../stats/significance/wilson-interval.ts";
import { figureText } from "../figures/figure-text.ts";
import type { Advice } from "./advice.ts";

/** A share of answers that should be small. */
interface SmallShare extends Pick<Advice, "cell" | "change" | "action" | "tone"> {
  /** Continues "2 of 40 answers (5.0%) ". */
  finding: string;
  /** The counted items; answers if missing. */
  things?: string;
  count: number;
  n: number;
  /** Accepted share. */
  limit: number;
}

/** With fewer items, a single one would be too large a share. */
const leastThings = 10;

/**
 * Advice on a share that is clearly too large: at least ten items, with a 95% interval (Wilson) above the limit; else
 * null.
 * @example shareAdvice({ count: 9, n: 10, limit: 0.02, … })?.value // 0.9
 */
export function shareAdvice({
  finding,
  things = "answers",
  count,
  n,
  limit,
  ...rest
}: SmallShare): Advice | null {
  const interval = wilsonInterval(count, n);
  if (interval === null || n < leastThings || interval[0] <= limit) return null;
  const share = count / n;
  const shown = `${figureText(count, "count")} of ${figureText(n, "count")} ${things} (${figureText(share, "percent")})`;
  return { ...rest, finding: `${shown} ${finding}`, value: share, format: "percent", interval, n };
}

/** Accepted share of lost or truncated answers. */
const mostLost = 0.01;

/**
 * Advice for every suite: requests that finally failed, and answers that were cut off at the token limit. `counts`
 * has them as `status error` and `truncated`.
 * @example answerAdvice({ truncated: 30 }, 100, 512)[0]?.change // "parameters"
 */
export function answerAdvice(
  counts: Readonly<Record<string, number>>,
  answers: number,
  maxTokens: number,
): Advice[] {
  return [
    shareAdvice({
      tone: "poor",
      change: "parameters",
      cell: "Failed requests",
      limit: mostLost,
      count: counts["status error"] ?? 0,
      n: answers,
      things: "requests",
      finding: "failed after all retries, and score 0.",
      action:
        "Check by error class what the endpoint refused; lower the concurrency, or allow more time and retries.",
    }),
    shareAdvice({
      tone: "poor",
      change: "parameters",
      cell: "Cut off answers",
      limit: mostLost,
      count: counts["truncated"] ?? 0,
      n: answers,
      finding: "were cut off at the token limit.",
      action: `Raise maxTokens above ${figureText(maxTokens, "count")}, or ask for shorter answers in the prompt.`,
    }),
  ].filter((advice) => advice !== null);
}

/** Accepted share of answers without text. */
const mostEmpty = 0.02;

/**
 * Advice for judged suites: answers without text, counted as `status empty`. `score`: the score that they lose.
 * @example emptyAdvice({ "status empty": 30 }, 100, "MCS")?.change // "model"
 */
export const emptyAdvice = (
  counts: Readonly<Record<string, number>>,
  answers: number,
  score: string,
): Advice | null =>
  shareAdvice({
    tone: "poor",
    change: "model",
    cell: "Empty answers",
    limit: mostEmpty,
    n: answers,
    count: counts["status empty"] ?? 0,
    finding: `are empty, which makes their ${score} 0.`,
    action: "Check whether the model needs more tokens to answer; else choose another model.",
  });
