import type { Answer } from "#shared/contracts/answer.ts";
import { cutText } from "#shared/contracts/bounds.ts";
import type { AskedJudge, EmbeddingJudge, Route } from "#shared/contracts/judging/judge.ts";
import type { JudgeTask } from "#shared/contracts/judging/judging.ts";
import type { JudgmentRecord } from "#shared/contracts/judging/judgment.ts";
import { judgeRequest, repairRequest } from "#shared/judges/judge-request.ts";
import { readReply } from "#shared/judges/read-judgment.ts";
import { tokenCostUsd } from "#shared/measures/performance/token-cost.ts";
import { withoutThoughts } from "#shared/measures/thoughts/without-thoughts.ts";
import type { RunWork } from "../engine/run-work.ts";
import { Postponed } from "../platform/backoff.ts";
import type { Platform } from "../platform/platform.ts";
import type { EndpointMemory } from "../providers/endpoint-memory.ts";
import type { JudgeClient } from "../providers/judges.ts";
import type { AskLimits } from "../providers/retrying.ts";

/** What one judge made of an answer: its judgment or why there is none, and what that took. */
export type Judged = Pick<
  JudgmentRecord,
  "judge" | "judgment" | "unjudged" | "requests" | "inputTokens" | "outputTokens"
> &
  Pick<JudgmentRecord, "latencyMs" | "costUsd">;

/** Characters of a reply that a judge is shown again: each is paid for. */
const MOST_SHOWN = 20_000;

/** How judges are asked in a lane. */
export interface Asking {
  client: JudgeClient;
  limits: AskLimits;
  memory: EndpointMemory;
  /** Where samples are hidden, only the kind of a failure is shown. */
  hidesSamples: boolean;
}

/** As a run's lane asks them; whoever wants a longer wait than it spends is asked later. */
export const askingOf = ({ judging: client }: Platform, { memory, run }: RunWork): Asking => ({
  client,
  memory,
  hidesSamples: run.samplesOwner !== null,
  limits: { ...client.limits, mayPostpone: true },
});

/**
 * Asks one judge about one answer; a reply that is no judgment is followed by one request to repair it.
 * Throws `Postponed` where the judge's endpoint wants a longer wait. What a provider says of its failures
 * may speak of the operator's account: the log has it, the record its kind alone.
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
    const message = `${error?.class}: ${error?.message}`;
    return notJudged(asking, route, [call], "judge_failed", message);
  }
  const [a = [], b = []] = vectors;
  return judged(asking, route, [call], judge.compare(a, b));
}

type Call = Pick<
  Answer,
  "attempts" | "latencyMs" | "inputTokens" | "outputTokens" | "servedModel" | "error"
>;

const judged = (asking: Asking, route: Route, calls: Call[], judgment: unknown): Judged => ({
  judgment,
  unjudged: null,
  ...taken(asking, route, calls),
});

/** Kinds of failures whose words are the judge's own about this answer. */
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
    const error = asking.hidesSamples ? kind : message;
    console.error(JSON.stringify({ event: "judge-failed", judge: route.model, error }));
  }
  const told = open.has(reason) ? message : kind;
  return {
    judgment: null,
    unjudged: { reason, message: told },
    ...taken(asking, route, calls),
  };
}

/** What the calls took; the cost is unknown where the deployment has no price, or nobody counted tokens. */
function taken({ client }: Asking, route: Route, calls: Call[]) {
  const sum = (of: (call: Call) => number | null) =>
    calls.reduce((all, call) => all + (of(call) ?? 0), 0);
  const inputTokens = sum((call) => call.inputTokens);
  const outputTokens = sum((call) => call.outputTokens);
  const price = client.prices[route.model];
  // A call that failed is not paid for.
  const isMetered = calls.every(({ error, inputTokens: its }) => error !== null || its !== null);
  return {
    judge: calls.at(-1)?.servedModel ?? route.model,
    requests: sum((call) => call.attempts),
    latencyMs: sum((call) => call.latencyMs),
    inputTokens,
    outputTokens,
    costUsd:
      price === undefined || !isMetered ? null : tokenCostUsd(inputTokens, outputTokens, price),
  };
}
