import type { RunJudging } from "#shared/contracts/judging/judging.ts";
import type { SubmissionEstimate } from "#shared/contracts/submissions/estimate.ts";
import { counted, formatValue } from "../terminal/format-value.ts";

/**
 * Who judges a submission, and what that costs; null if no judge is called.
 * @example judgesText(estimate) // "judges: claude-opus-5-5, gpt-6-luna; at most 720 judgments, about $1.20"
 */
export function judgesText({
  judging,
  judgeRequests,
  judgeCostUsd,
}: Pick<SubmissionEstimate, "judging" | "judgeRequests" | "judgeCostUsd">): string | null {
  if (judging === null) return null;
  const routes = Object.values(judging.judges).flatMap((its) => its.routes);
  if (routes.every(({ simulated }) => simulated)) return "judges: simulated";
  const models = [...new Set(routes.map(({ model }) => model))].join(", ");
  const usd = (value: number) => formatValue(value, "usd");
  const cost = judgeCostUsd
    ? `about ${usd(judgeCostUsd.expected)}, at most ${usd(judgeCostUsd.max)}`
    : "at an unknown price";
  const calls = judgeRequests === null ? "" : `at most ${counted(judgeRequests, "judgment")}, `;
  return [`judges: ${models}`, `${calls}${cost}`, ...unjudged(judging)].join("; ");
}

const unjudged = ({ judges }: RunJudging): string[] => {
  const names = Object.keys(judges).filter((id) => judges[id]?.routes.length === 0);
  return names.length === 0 ? [] : [`not judged, for lack of a key: ${names.join(", ")}`];
};
