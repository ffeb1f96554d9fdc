import type { RunJudging } from "#shared/contracts/judging/judging.ts";
import { recorded } from "#shared/contracts/judging/recorded-judges.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import { batchesOf, batchProblem } from "#shared/contracts/submissions/providers.ts";
import type { SubmittedModel } from "#shared/contracts/submissions/submission.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import type { JudgeClient } from "../providers/judges.ts";

/** Why a model can't be called in batches; empty if it can. */
export function modelBatchErrors(
  { name, endpoint, hybrid }: SubmittedModel,
  i: number,
  mode: unknown,
): FieldError[] {
  if (mode !== "batch") return [];
  if (endpoint !== undefined) {
    const detail =
      endpoint.runner === undefined
        ? batchProblem(endpoint)
        : "a runner sends live requests: leave options.mode out";
    return detail === null ? [] : [{ pointer: `/models/${i}/endpoint`, detail }];
  }
  const detail =
    hybrid === undefined
      ? `"${name}" has submitted answers, which nobody is asked for: leave options.mode out`
      : `"${name}" calls a local endpoint first, which has no batches: leave options.mode out`;
  return [{ pointer: `/models/${i}/${hybrid === undefined ? "answers" : "hybrid"}`, detail }];
}

/** Providers of a run's judges that have no batches. Embedding judges are called live in any mode. */
export function judgesWithoutBatches(
  client: Pick<JudgeClient, "endpointOf">,
  suite: Suite,
  judging: RunJudging,
): string[] {
  const asked = (suite.judging?.judges ?? []).filter(({ kind }) => kind === "asked");
  const routes = asked.flatMap(({ id }) => judging.judges[id]?.routes ?? []);
  const own = routes.filter(({ provider }) => provider !== recorded);
  const without = own.filter((route) => batchesOf(client.endpointOf(route)) === null);
  return [...new Set(without.map(({ provider, model }) => `${provider}:${model}`))];
}

/** Why a run can't be judged in batches; empty if it can. */
export function judgeBatchErrors(
  client: Pick<JudgeClient, "endpointOf">,
  suite: Suite,
  judging: RunJudging | null,
  judgeMode: unknown,
): FieldError[] {
  if (judgeMode !== "batch") return [];
  const pointer = "/options/judgeMode";
  if (judging === null) {
    return [{ pointer, detail: `these options of suite ${suite.id} use no judge: leave it out` }];
  }
  const without = judgesWithoutBatches(client, suite, judging);
  if (without.length === 0) return [];
  const detail = `the provider of ${without.join(", ")} has no batches that this service knows: OpenAI, Anthropic, Google (Gemini) and Mistral have; name one of their models with options.judge, or leave judgeMode out`;
  return [{ pointer, detail }];
}
