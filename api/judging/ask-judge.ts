import type { Answer } from "#shared/contracts/answer.ts";
import { cutText } from "#shared/contracts/bounds.ts";
import type { AskedJudge, EmbeddingJudge, Route } from "#shared/contracts/judging/judge.ts";
import type { JudgeTask } from "#shared/contracts/judging/judging.ts";
import type { JudgmentRecord } from "#shared/contracts/judging/judgment.ts";
import { BATCH_PRICE_RATIO } from "#shared/contracts/submissions/providers.ts";
import { judgeRequest, repairRequest } from "#shared/judges/judge-request.ts";
import { readReply } from "#shared/judges/read-judgment.ts";
import { tokenCostUsd } from "#shared/measures/performance/token-cost.ts";
import { withoutThoughts } from "#shared/measures/thoughts/without-thoughts.ts";
import { blockedFor, type RunWork } from "../engine/run-work.ts";
import { Postponed } from "../platform/backoff.ts";
import { logProblem } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";
import type { EndpointMemory } from "../providers/endpoint-memory.ts";
import type { JudgeClient } from "../providers/judges.ts";
import type { AskLimits } from "../providers/retrying.ts";

/** One judge's result for an answer: its judgment, or why there is none, and its usage. */
export type Judged = Pick<
  JudgmentRecord,
  "judge" | "judgment" | "unjudged" | "requests" | "inputTokens" | "outputTokens"
> &
  Pick<JudgmentRecord, "latencyMs" | "costUsd">;

/** Maximum characters of a reply that are sent back to a judge for repair: each costs money. */
const MOST_SHOWN = 20_000;

/** How a lane calls judges. */
export interface Asking {
  client: JudgeClient;
  limits: AskLimits;
  memory: EndpointMemory;
  /**
   * If true, no fallback replaces a judge that no longer exists, because the judgments are meant to evaluate that
   * judge.
   */
  isExact?: boolean;
  /** If true, only the kind of a failure is shown, because the samples are hidden. */
  hidesSamples: boolean;
}

/** The settings of a run's lane; judges that require a longer wait are called later. */
export const askingOf = ({ judging: client, now }: Platform, { memory, run }: RunWork): Asking => ({
  client,
  memory,
  hidesSamples: run.samplesOwner !== null,
  limits: { ...client.limits, blockedMs: blockedFor(run, now()) },
});

/**
 * Calls one judge for one answer; after an invalid reply, one repair request. Throws `Postponed` if the judge's
 * endpoint requires a longer wait. Error messages of providers may mention the operator's account, so they go to the
 * log and the record has only the kind.
 * Source: docs/spec/memory.md, judges.
 */
export async function askJudge(asking: Asking, task: JudgeTask, route: Route): Promise<Judged> {
  const { judge, material } = task;
  return judge.kind === "asked"
    ? askModel(asking, judge, material, route)
    : compareVectors(asking, judge, material, route);
}

async function askModel(
  asking: Asking,
  judge: AskedJudge,
  material: unknown,
  route: Route,
): Promise<Judged> {
  const request = judgeRequest(judge, material);
  const first = await send(asking, route, request);
  const read = readReply(judge, first);
  if (read.ok) return judged(asking, route, [first], read.value);
  const { reason, message, isRepairable } = read.error;
  if (!isRepairable) return notJudged(asking, route, [first], reason, message);
  const shown = cutText(withoutThoughts(first).output ?? "", MOST_SHOWN);
  const second = await send(asking, route, repairRequest(request, shown, message));
  const again = readReply(judge, second);
  if (again.ok) return judged(asking, route, [first, second], again.value);
  return notJudged(asking, route, [first, second], again.error.reason, again.error.message);
}

async function send(
  { client, limits, memory }: Asking,
  route: Route,
  request: Parameters<JudgeClient["ask"]>[1],
): Promise<Answer> {
  const reply = await client.ask(route, request, limits, memory);
  if (reply.kind === "postponed") throw new Postponed(reply.until);
  if (reply.answer.error === null) limits.blockedMs = 0;
  return reply.answer;
}

async function compareVectors(
  asking: Asking,
  judge: EmbeddingJudge,
  material: unknown,
  route: Route,
): Promise<Judged> {
  const { client, limits, memory } = asking;
  const reply = await client.embed(route, judge.texts(material), limits, memory);
  if (reply.kind === "postponed") throw new Postponed(reply.until);
  const { vectors, error, inputTokens, latencyMs, attempts } = reply;
  const failure = error && ({ class: "bad_request", message: error.message } as const);
  const call = { attempts, latencyMs, inputTokens, outputTokens: 0, error: failure };
  if (vectors === null) {
    const reason = error?.class === "not_found" ? "no_such_model" : "judge_failed";
    return notJudged(asking, route, [call], reason, `${error?.class}: ${error?.message}`);
  }
  const [a = [], b = []] = vectors;
  return judged(asking, route, [call], judge.compare(a, b));
}

type Call = Pick<
  Answer,
  | ("attempts" | "latencyMs" | "inputTokens" | "outputTokens" | "servedModel" | "error" | "batch")
  | "audioTokens"
>;

const judged = (asking: Asking, route: Route, calls: Call[], judgment: unknown): Judged => ({
  judgment,
  unjudged: null,
  ...usageOf(asking, route, calls),
});

/** Kinds of failures whose message is the judge's own text about this answer. */
const open = new Set(["judge_refused", "invalid_judgment"]);

function notJudged(
  asking: Asking,
  route: Route,
  calls: Call[],
  reason: NonNullable<JudgmentRecord["unjudged"]>["reason"],
  message: string,
): Judged {
  const kind = message.split(":")[0] ?? "";
  if (!open.has(reason)) {
    logProblem("judge-failed", { judge: route.model, error: kind });
  }
  const told = open.has(reason) ? message : kind;
  return {
    judgment: null,
    unjudged: { reason, message: told },
    ...usageOf(asking, route, calls),
  };
}

/** Usage of the calls. The cost is null if the deployment has no price or a call has no token count. */
export function usageOf({ client }: Asking, route: Route, calls: readonly Call[]) {
  const sum = (of: (call: Call) => number | null) =>
    calls.reduce((all, call) => all + (of(call) ?? 0), 0);
  const inputTokens = sum((call) => call.inputTokens);
  const outputTokens = sum((call) => call.outputTokens);
  const audio = sum((call) => call.audioTokens ?? null);
  const price = client.priceOf(route);
  const batched = (tokens: number | null, { batch }: Call) => (batch ? tokens : 0);
  const ofBatches = {
    input: sum((call) => batched(call.inputTokens, call)),
    output: sum((call) => batched(call.outputTokens, call)),
  };
  // Failed calls cost nothing.
  const isMetered = calls.every(({ error, inputTokens: its }) => error !== null || its !== null);
  return {
    judge: calls.at(-1)?.servedModel ?? route.model,
    requests: sum((call) => call.attempts),
    latencyMs: sum((call) => call.latencyMs),
    inputTokens,
    outputTokens,
    costUsd:
      price === undefined || !isMetered
        ? null
        : tokenCostUsd(inputTokens, outputTokens, price, { cached: 0, audio, reasoning: 0 }) -
          (1 - BATCH_PRICE_RATIO) * tokenCostUsd(ofBatches.input, ofBatches.output, price),
  };
}
