import type { Answer } from "#shared/contracts/answer.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { JudgeTask, RunRoute } from "#shared/contracts/judging.ts";
import type { JudgmentRecord } from "#shared/contracts/judgment.ts";
import { judgmentKey } from "#shared/judges/cache-key.ts";
import { isSelfPreference } from "#shared/judges/model-family.ts";
import type { RunWork } from "../lanes/run-work.ts";
import type { Ports } from "../ports.ts";
import { type Asking, askJudge } from "./ask-judge.ts";
import { type KeptJudgments, keptJudgments } from "./judgment-cache.ts";

type Judgments = NonNullable<Answer["judgments"]>;

/** An answer of a run, and the sample that it answers. */
export interface ToJudge {
  id: string;
  sample: unknown;
  answer: Answer;
}

/**
 * An answer with its judgments: those that this run has already stay as they are, those that any run was
 * given for the same inputs are taken from there, and the others are asked for one after the other.
 * Throws `Postponed`; what was judged until then is kept.
 * Source: specification of the memory suite, judges.
 */
export async function judgeAnswer(
  { objects }: Pick<Ports, "objects">,
  work: RunWork,
  asking: Asking,
  { id, sample, answer }: ToJudge,
): Promise<Answer> {
  const { suite, options, run } = work;
  const tasks = suite.judging?.tasks(sample, answer, options) ?? [];
  if (tasks.length === 0) return withoutJudgments(answer);
  const parts = { suite: suite.id, sample: id, answer: [answer.output, answer.refusal] };
  const { kept, keep } = await keptJudgments(objects, parts);
  const given: KeptJudgments = {};
  const judgments: Judgments = {};
  try {
    for (const task of tasks) {
      const known = answer.judgments?.[task.name] ?? [];
      judgments[task.name] = await judgeTask(task, { work, asking, kept, given, known });
    }
  } finally {
    if (Object.keys(given).length > 0) await keep(given);
  }
  return { ...answer, judgments: flagged(judgments, run.endpoint?.model ?? run.modelSlug) };
}

interface Knowledge {
  work: RunWork;
  asking: Asking;
  kept: KeptJudgments;
  /** Gets what judges give. */
  given: KeptJudgments;
  /** What this run's judges made of the task before. */
  known: readonly JudgmentRecord[];
}

async function judgeTask(task: JudgeTask, knowledge: Knowledge): Promise<JudgmentRecord[]> {
  const its = knowledge.work.run.judging?.judges[task.judge.id];
  if (its === undefined || its.routes.length === 0) return [noJudge];
  const records: JudgmentRecord[] = [];
  for (const route of its.routes) {
    const record = await recordOf(task, route, knowledge);
    const { promptHash, by } = its;
    records.push({
      ...record,
      ...{ provider: route.provider, promptHash, isFallback: by === "fallback" },
      isSimulated: route.simulated,
    });
  }
  return records;
}

async function recordOf(
  task: JudgeTask,
  route: RunRoute,
  { asking, kept, given, known }: Knowledge,
): Promise<JudgmentRecord> {
  const key = judgmentKey(task.judge, route, task.material);
  const own = known.find((record) => record.unjudged === null && record.key === key);
  if (own !== undefined) return own;
  const before = kept[key];
  if (before !== undefined) return { ...noCost, ...before, key, isCached: true, unjudged: null };
  const judged = await askJudge(asking, task, route);
  if (judged.unjudged === null) {
    given[key] = { judge: judged.judge ?? route.model, judgment: judged.judgment as Json };
  }
  return { ...noCost, ...judged, key };
}

const noCost = {
  ...{ provider: null, promptHash: null, key: null },
  ...{ isFallback: false, isSelfPreference: false, isCached: false, isSimulated: false },
  ...{ requests: 0, inputTokens: 0, outputTokens: 0, latencyMs: 0, costUsd: null },
};

const noJudge: JudgmentRecord = {
  ...noCost,
  ...{ judge: null, judgment: null },
  unjudged: { reason: "no_judge", message: "this deployment has no key for the metric's judge" },
};

/**
 * An answer that an error of ours kept from being judged: it stays, and says so.
 * @example unjudgedAnswer(work, { id, sample, answer }).judgments // each `judge_failed`
 */
export function unjudgedAnswer({ suite, options }: RunWork, { sample, answer }: ToJudge): Answer {
  const message = "an error on our side";
  const unjudged = { reason: "judge_failed", message } as const;
  const tasks = suite.judging?.tasks(sample, answer, options) ?? [];
  const records = tasks.map(({ name }): [string, JudgmentRecord[]] => [
    name,
    [{ ...noCost, judge: null, judgment: null, unjudged }],
  ]);
  return { ...answer, judgments: Object.fromEntries(records) };
}

/** An embedding prefers nobody. */
function flagged(judgments: Judgments, model: string): Judgments {
  const entries = Object.entries(judgments).map(([name, records]) => [
    name,
    records.map((record) => ({
      ...record,
      isSelfPreference: record.judge !== null && isSelfPreference(record.judge, model),
    })),
  ]);
  return Object.fromEntries(entries) as Judgments;
}

function withoutJudgments({ judgments: _, ...answer }: Answer): Answer {
  return answer;
}

/**
 * Judgments that a judge was asked for and did not give.
 * @example failedJudgments(answer) // 0
 */
export function failedJudgments({ judgments = {} }: Answer): number {
  const records = Object.values(judgments).flat();
  return records.filter(({ unjudged }) => unjudged !== null && unjudged.reason !== "no_judge")
    .length;
}
