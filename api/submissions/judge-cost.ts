import { emptyAnswer } from "#shared/contracts/answer.ts";
import type { JudgeTask } from "#shared/contracts/judging/judging.ts";
import type { SubmissionEstimate } from "#shared/contracts/submissions/estimate.ts";
import type { Prices } from "#shared/contracts/submissions/prices.ts";
import { judgeRequest } from "#shared/judges/judge-request.ts";
import { tokenCostUsd } from "#shared/measures/performance/token-cost.ts";
import type { JudgeClient } from "../providers/judges.ts";
import { roundUsd } from "../runs/run-cost.ts";
import { CHARACTERS_PER_TOKEN, charactersOf, plus } from "./estimate.ts";
import type { ResolvedSubmission } from "./resolve-submission.ts";

/** Output tokens of a judgment: some JSON, and thoughts of the models that think. */
const EXPECTED_TOKENS = 600;
/** Of an answer that is not known yet. */
const ANSWER_CHARACTERS = 1_200;

/** Number and cost of the judgments of a submission; null: it depends on the answers, or a price is not known. */
type JudgeExpense = Pick<SubmissionEstimate, "judgeRequests" | "judgeCostUsd">;

/**
 * Number and cost of judgments, extrapolated from fictitious answers to some samples, of the length of the submitted
 * ones. Judgments that are stored cost nothing.
 */
export function judgeExpense(
  { suite, suiteOptions, plan, judging, request }: ResolvedSubmission,
  samples: readonly unknown[],
  runs: number,
  client: Pick<JudgeClient, "prices">,
): JudgeExpense {
  if (judging === null || suite.judging === undefined) {
    return { judgeRequests: 0, judgeCostUsd: null };
  }
  const { tasks } = suite.judging;
  const given = request.models.flatMap(({ answers = [] }) => answers);
  const characters = given.reduce((sum, { output }) => sum + (output?.length ?? 0), 0);
  const length = given.length === 0 ? ANSWER_CHARACTERS : characters / given.length;
  const answer = { ...emptyAnswer, output: "word ".repeat(Math.ceil(length / 5)) };
  const routesOf = ({ judge }: JudgeTask) => judging.judges[judge.id]?.routes ?? [];
  const calls = samples.flatMap((sample) =>
    tasks(sample, answer, suiteOptions).flatMap((task) =>
      routesOf(task).map((route) => ({ task, route })),
    ),
  );
  if (calls.length === 0) return { judgeRequests: null, judgeCostUsd: null };
  const scale = (plan.total * runs) / samples.length;
  const costs = calls.map(({ task, route }) => callCost(task, client.prices[route.model]));
  const cost = costs.reduce<number | null>(plus, 0);
  return {
    judgeRequests: Math.round(calls.length * scale),
    judgeCostUsd: cost === null ? null : roundUsd(cost * scale),
  };
}

/** USD of one judgment; null without a price. */
function callCost({ judge, material }: JudgeTask, prices: Prices | undefined): number | null {
  if (prices === undefined) return null;
  const isAsked = judge.kind === "asked";
  const characters = isAsked
    ? charactersOf(judgeRequest(judge, material))
    : judge.texts(material).join("").length;
  return tokenCostUsd(characters / CHARACTERS_PER_TOKEN, isAsked ? EXPECTED_TOKENS : 0, prices);
}
