import { emptyAnswer } from "#shared/contracts/answer.ts";
import type { JudgeTask } from "#shared/contracts/judging/judging.ts";
import type { SubmissionEstimate } from "#shared/contracts/submissions/estimate.ts";
import type { Prices } from "#shared/contracts/submissions/prices.ts";
import { judgeRequest } from "#shared/judges/judge-request.ts";
import { tokenCostUsd } from "#shared/measures/performance/token-cost.ts";
import { roundUsd } from "../runs/run-cost.ts";
import { CHARACTERS_PER_TOKEN, charactersOf } from "./estimate.ts";
import type { ResolvedSubmission } from "./resolve-submission.ts";

/** Output tokens of a judgment: some JSON, and thoughts of the models that think. */
const EXPECTED_TOKENS = 600;
/** Of an answer that is not known yet. */
const ANSWER_CHARACTERS = 1_200;
/** A judge may be asked to repair its reply. */
const MOST_REQUESTS = 2;

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
  prices: Readonly<Record<string, Prices>>,
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
  const costs = calls.map(({ task, route }) => callCost(task, prices[route.model]));
  const sum = (end: "expected" | "max") =>
    roundUsd(costs.reduce((all, cost) => all + (cost?.[end] ?? 0), 0) * scale);
  return {
    judgeRequests: Math.round(calls.length * scale),
    judgeCostUsd: costs.includes(null) ? null : { expected: sum("expected"), max: sum("max") },
  };
}

/** USD of one judgment, expected and at most; null without a price. */
function callCost({ judge, material }: JudgeTask, prices: Prices | undefined) {
  if (prices === undefined) return null;
  if (judge.kind === "embeddings") {
    const characters = judge.texts(material).join("").length;
    const cost = tokenCostUsd(characters / CHARACTERS_PER_TOKEN, 0, prices);
    return { expected: cost, max: cost };
  }
  const request = judgeRequest(judge, material);
  const input = charactersOf(request) / CHARACTERS_PER_TOKEN;
  const most = request.maxTokens ?? EXPECTED_TOKENS;
  return {
    expected: tokenCostUsd(input, EXPECTED_TOKENS, prices),
    max: MOST_REQUESTS * tokenCostUsd(input + most, most, prices),
  };
}
