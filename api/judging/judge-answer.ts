import type { Answer } from "#shared/contracts/answer.ts";
import { contentHash } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { Route } from "#shared/contracts/judging/judge.ts";
import type { JudgeTask, RunRoute } from "#shared/contracts/judging/judging.ts";
import { type JudgmentRecord, noJudgment } from "#shared/contracts/judging/judgment.ts";
import { recorded } from "#shared/contracts/judging/recorded-judges.ts";
import { fallbackOf } from "#shared/judges/choose-judges.ts";
import { isOfAnotherRubric } from "#shared/judges/judge-prompt.ts";
import { judgmentKey } from "#shared/judges/judge-request.ts";
import { isSelfPreference } from "#shared/judges/model-family.ts";
import { readJudgment } from "#shared/judges/read-judgment.ts";
import type { RunWork } from "../engine/run-work.ts";
import { forEachInBatch } from "../platform/backoff.ts";
import { type Asking, askJudge } from "./ask-judge.ts";
import { type CacheAround, type JudgmentCache, judgmentCache } from "./judgment-cache.ts";

type Judgments = NonNullable<Answer["judgments"]>;

/** An answer of a run, and its sample. */
interface ToJudge {
  sample: unknown;
  answer: Answer;
}

/**
 * An answer with its judgments. Judgments of this run are kept; judgments for the same inputs of any run, or submitted
 * by an admin with the answer, are reused; the others are requested one by one. Throws `Postponed`, also if the run was
 * stopped; finished judgments are kept.
 * Source: docs/spec/memory.md, judges.
 */
export async function judgeAnswer(
  { objects, now, sleep }: CacheAround,
  work: RunWork,
  asking: Asking & { stopped: () => Promise<void> },
  { sample, answer }: ToJudge,
): Promise<Answer> {
  const { suite, options } = work;
  const tasks = suite.judging?.tasks(sample, answer, options) ?? [];
  if (tasks.length === 0) return withoutJudgments(answer);
  const about = suite.judging?.about(sample) ?? "";
  const key = contentHash({ suite: suite.id, about, answer: [answer.output, answer.refusal] });
  return inTurn(asking, key, async () => {
    const cache = judgmentCache({ objects, now, sleep }, work.run, key);
    const judgments: Judgments = {};
    try {
      await forEachInBatch(tasks, async (task) => {
        await asking.stopped();
        const known = answer.judgments?.[task.name] ?? [];
        judgments[task.name] = await judgeTask(task, { work, asking, cache, known });
      });
    } finally {
      await cache.keep();
    }
    return { ...answer, judgments };
  });
}

/** The last of equal answers, such as repeats of a sample, that a lane is judging. */
const underWay = new WeakMap<Asking["memory"], Map<string, Promise<unknown>>>();

/** Judges equal answers of a lane one after the other, so that later ones find the judgments of the first. */
async function inTurn<T>(
  { memory }: Pick<Asking, "memory">,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  const its = underWay.get(memory) ?? new Map<string, Promise<unknown>>();
  underWay.set(memory, its);
  const before = its.get(key) ?? Promise.resolve();
  const own = before.then(work, work);
  its.set(key, own);
  try {
    return await own;
  } finally {
    if (its.get(key) === own) its.delete(key);
  }
}

interface Knowledge {
  work: RunWork;
  asking: Asking;
  cache: JudgmentCache;
  /** Judgments of this task: earlier ones of this run, or submitted ones. */
  known: readonly JudgmentRecord[];
}

async function judgeTask(task: JudgeTask, knowledge: Knowledge): Promise<JudgmentRecord[]> {
  const its = knowledge.work.run.judging?.judges[task.judge.id];
  const { endpoint, modelSlug } = knowledge.work.run;
  const model = endpoint?.model ?? modelSlug;
  if (its?.routes[0]?.provider === recorded) return recordedOf(task, knowledge, model);
  if (its === undefined || its.routes.length === 0) return [noJudge];
  const records: JudgmentRecord[] = [];
  const add = async (route: RunRoute, isFallback: boolean, replaced?: string) =>
    void records.push({
      ...(await recordOf(task, route, knowledge)),
      // An embedding has no preference for its own model.
      isSelfPreference: task.judge.kind === "asked" && isSelfPreference(route.model, model),
      provider: route.provider,
      promptHash: its.promptHash,
      isFallback,
      ...(replaced !== undefined && { replaced }),
      isSimulated: route.simulated,
    });
  await forEachInBatch(its.routes, (route) => add(route, its.by === "fallback"));
  if (knowledge.asking.isExact || !records.every(isGone)) return records;
  const fallback = replacementOf(task, its.routes, knowledge);
  if (fallback !== null) await add(fallback, true, namesOf(its.routes));
  return records;
}

const isGone = ({ unjudged }: JudgmentRecord) => unjudged?.reason === "no_such_model";

const namesOf = (routes: readonly Route[]) => routes.map(({ model }) => model).join(", ");

/** The fallback for judges that their providers no longer have; null if there is none. Recorded with the run. */
function replacementOf(
  { judge }: JudgeTask,
  gone: readonly RunRoute[],
  { work: { suite, options }, asking: { client, memory } }: Knowledge,
): RunRoute | null {
  const choice = suite.judging?.choice(options) ?? { fallbackJudge: null };
  const route = fallbackOf(judge, choice, client.deployment);
  const isOther = gone.every((one) => one.model !== route?.model);
  const fallback = isOther ? route : null;
  const instead = fallback
    ? `judged instead by the fallback, ${fallback.model}, so this run is not ranked`
    : "not judged, because there is no other fallback";
  const note = `the endpoint of ${gone[0]?.provider} has no model ${namesOf(gone)}: ${judge.label} is ${instead}`;
  if (!memory.notes.includes(note)) memory.notes.push(note);
  return fallback && { ...fallback, simulated: client.simulated.includes(fallback.provider) };
}

/** Judgments that were submitted with the answer, unchanged, except those of other rubrics. */
function recordedOf(
  { judge: asked }: JudgeTask,
  { known, work: { suite }, asking: { memory } }: Knowledge,
  model: string,
): JudgmentRecord[] {
  const isOwn = (judge: string | null) => judge !== null && isSelfPreference(judge, model);
  const own = known.filter((record) => !isOfAnotherRubric(suite, asked, record));
  const leftOut = (why: string) => {
    const note = `submitted judgments of ${asked.label} are left out: ${why}`;
    if (!memory.notes.includes(note)) memory.notes.push(note);
  };
  if (own.length < known.length) leftOut("they were made by another rubric");
  const unread = own.map(({ judgment }) => readJudgment(asked, judgment)).find(({ ok }) => !ok);
  if (unread?.ok === false) leftOut(`the first is not valid: ${unread.error}`);
  const its = own.map((record) => ({ ...record, isSelfPreference: isOwn(record.judge) }));
  return its.length === 0 ? [notGiven] : its;
}

async function recordOf(
  task: JudgeTask,
  route: RunRoute,
  { work, asking, cache, known }: Knowledge,
): Promise<JudgmentRecord> {
  const key = judgmentKey(task.judge, route, task.material);
  const found = known.find((record) => record.key === key && record.provider !== recorded);
  // Without an endpoint the answers were submitted, and an admin submitted their judgments.
  const own = work.run.endpoint === null ? undefined : found;
  if (own?.unjudged === null) return own;
  if (own === undefined && found && readJudgment(task.judge, found.judgment).ok) {
    const judge = found.judge ?? route.model;
    cache.add(route, key, { judge, judgment: found.judgment as Json });
    return { ...found, judge, isCached: true };
  }
  // Skips the claim: a batch of another run may take a day, and simulated judgments cost nothing.
  const isFree = route.simulated || work.run.options["judgeMode"] === "batch";
  const claim = isFree ? null : cache.claim;
  const before = (await cache.find(route, key)) ?? (await claim?.(route, key)) ?? null;
  if (before !== null) {
    return withCost({ ...noJudgment, ...before, key, isCached: true, unjudged: null }, own);
  }
  const { goneJudges } = asking.memory;
  const name = `${route.provider}:${route.model}`;
  const told = goneJudges.get(name);
  if (told !== undefined) {
    const unjudged = { reason: "no_such_model", message: told } as const;
    return withCost({ ...noJudgment, judge: route.model, unjudged, key }, own);
  }
  const judged = await askJudge(asking, task, route);
  const { judge, judgment, unjudged } = judged;
  if (unjudged === null) {
    cache.add(route, key, { judge: judge ?? route.model, judgment: judgment as Json });
  } else if (unjudged.reason === "no_such_model") goneJudges.set(name, unjudged.message);
  return withCost({ ...noJudgment, ...judged, key }, own);
}

/** Adds the usage of earlier attempts: they returned nothing, but cost money. */
function withCost(record: JudgmentRecord, earlier: JudgmentRecord | undefined): JudgmentRecord {
  if (earlier === undefined) return record;
  const { requests, inputTokens, outputTokens, latencyMs, costUsd } = earlier;
  return {
    ...record,
    isCached: record.isCached && requests === 0,
    requests: record.requests + requests,
    inputTokens: record.inputTokens + inputTokens,
    outputTokens: record.outputTokens + outputTokens,
    latencyMs: record.latencyMs + latencyMs,
    costUsd: record.isCached ? costUsd : plus(record.costUsd, costUsd),
  };
}

const plus = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a + b;

const noJudge: JudgmentRecord = {
  ...noJudgment,
  unjudged: { reason: "no_judge", message: "this deployment has no key for the metric's judge" },
};

const notGiven: JudgmentRecord = {
  ...noJudgment,
  provider: recorded,
  unjudged: { reason: "not_given", message: "no judgment was submitted with the answer" },
};

/**
 * An answer that was not judged because of an internal error, with that reason.
 * @example unjudgedAnswer(work, { id, sample, answer }).judgments // each `judge_failed`
 */
export function unjudgedAnswer({ suite, options }: RunWork, { sample, answer }: ToJudge): Answer {
  const message = "an error on our side";
  const unjudged = { reason: "judge_failed", message } as const;
  const tasks = suite.judging?.tasks(sample, answer, options) ?? [];
  const records = tasks.map(({ name }): [string, JudgmentRecord[]] => [
    name,
    [{ ...noJudgment, unjudged }],
  ]);
  return { ...answer, judgments: Object.fromEntries(records) };
}

function withoutJudgments({ judgments: _, ...answer }: Answer): Answer {
  return answer;
}
