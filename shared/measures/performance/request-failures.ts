import type { Answer, ErrorClass } from "../../contracts/answer.ts";
import type { RunPoints } from "../../contracts/runs/run-points.ts";
import { messageStart } from "../report/show/shown-text.ts";
import type { PickableAnswer } from "./picked-answers.ts";

/** By class: the number of failed requests and the first one of the run. */
export type FailureTally = Partial<
  Record<ErrorClass, { count: number; seq: number; id: string; message: string }>
>;

/** Why requests of a run failed, as in its points. */
export type RequestFailures = NonNullable<RunPoints["failures"]>;

/**
 * Counts an answer if its request finally failed. Changes `tally`; constant time.
 * @example countFailure(tally, { ...stored, repeat: 0 })
 */
export function countFailure(
  tally: FailureTally,
  { seq, id, answer: { error } }: Pick<PickableAnswer, "seq" | "id" | "answer">,
): void {
  if (error === null) return;
  const known = tally[error.class];
  const count = (known?.count ?? 0) + 1;
  const message = messageStart(error.message);
  tally[error.class] =
    known !== undefined && known.seq <= seq ? { ...known, count } : { count, seq, id, message };
}

/** Maximum number of kinds of judge failures. */
const mostKinds = 20;

/** Reasons that a repeated request does not change. */
const lasting = ["no_judge", "not_given"];

/** By judge and kind of failure. */
export type JudgeFailureTally = Record<string, NonNullable<RunPoints["judgeFailures"]>[number]>;

/**
 * The judgments of an answer that were requested but failed, except by a retired judge that another one replaced.
 * @example failedJudgments(emptyAnswer) // []
 */
export function failedJudgments({ judgments = {} }: Pick<Answer, "judgments">) {
  const records = Object.values(judgments).flatMap((its) =>
    its.some(({ replaced }) => replaced !== undefined)
      ? its.filter(({ unjudged }) => unjudged?.reason !== "no_such_model")
      : its,
  );
  return records.flatMap(({ judge, unjudged }) =>
    unjudged === null || lasting.includes(unjudged.reason) ? [] : [{ judge, unjudged }],
  );
}

/**
 * Counts the judgments of an answer that are missing because their judge failed. Changes `tally`; linear in the judgments.
 * @example countJudgeFailures(tally, emptyAnswer)
 */
export function countJudgeFailures(
  tally: JudgeFailureTally,
  answer: Pick<Answer, "judgments">,
): void {
  for (const { judge, unjudged } of failedJudgments(answer)) {
    const { reason, message } = unjudged;
    const kind = (reason === "judge_failed" ? message : reason).replaceAll("_", " ");
    const key = `${judge} ${messageStart(kind)}`;
    const known = tally[key];
    if (known === undefined && Object.keys(tally).length >= mostKinds) continue;
    // The invalid field may differ between replies, so the first is named. The reply is not quoted: it may repeat a
    // hidden sample.
    const [rule = ""] = message.split(/, not |"/, 1);
    const whole = reason === "invalid_judgment" ? `${kind}, the first: ${rule.trim()}` : kind;
    const told = known?.reason ?? messageStart(whole);
    tally[key] = { judge: judge ?? "a judge", reason: told, count: (known?.count ?? 0) + 1 };
  }
}

/**
 * Why requests failed, the most frequent class first; equally frequent ones in alphabetical order.
 * @example failuresOf({}) // []
 */
export function failuresOf(tally: FailureTally): RequestFailures {
  return (Object.entries(tally) as [ErrorClass, NonNullable<FailureTally[ErrorClass]>][])
    .map(([name, { count, id, message }]) => ({ class: name, count, id, message }))
    .sort((a, b) => b.count - a.count || (a.class < b.class ? -1 : 1));
}
