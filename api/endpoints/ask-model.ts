import { type Answer, emptyAnswer, type StructuredMode } from "#shared/contracts/answer.ts";
import type { ChatRequest } from "#shared/contracts/chat-request.ts";
import type { JsonObject } from "#shared/contracts/json.ts";
import type { AskLimits, AskModel, EndpointMemory } from "../pipeline/ports.ts";
import { backoffMs, WAIT_MAX_MS } from "./backoff.ts";
import { chatBody } from "./chat-body.ts";
import type { Failure } from "./failure.ts";
import { refusedPart } from "./refusal-of-request.ts";
import { type Attempt, requestOnce } from "./request-once.ts";
import { modesFor } from "./structured-mode.ts";

/** What the client needs from outside: time, waiting, chance. */
export interface Surroundings {
  now: () => number;
  sleep: (ms: number) => Promise<void>;
  random: () => number;
}

/**
 * The client of model endpoints. One call gives one answer: transient failures are retried with
 * back-off, refused parameters left out, and with mode `auto` refused modes stepped down. An
 * endpoint that asks for a longer wait than a lane should spend has the request postponed.
 */
export function modelClient(around: Surroundings): AskModel {
  return async (endpoint, request, limits, memory) => {
    const calls: Calls = { attempts: 0, retries: 0, firstAt: around.now(), lastAt: around.now() };
    const send = async (mode: StructuredMode): Promise<Attempt> => {
      for (let retries = 0; ; ) {
        const body = chatBody(endpoint, request, mode, memory.refusedParameters);
        calls.attempts += 1;
        calls.lastAt = around.now();
        const attempt = await requestOnce(endpoint, body, limits.timeoutMs, around.now);
        if (attempt.ok) return attempt;
        const { failure } = attempt;
        if (isOverload(failure)) memory.overloads += 1;
        if (dropParameter(body, failure, memory)) continue;
        if (!failure.retryable || isTooLong(failure, limits) || retries >= limits.maxRetries) {
          return attempt;
        }
        await around.sleep(backoffMs(retries, failure.retryAfterMs, around.random));
        retries += 1;
        calls.retries += 1;
      }
    };
    const outcome = await stepDown(request, memory, send);
    if (!outcome.ok && outcome.failure && isTooLong(outcome.failure, limits)) {
      const waitMs = outcome.failure.retryAfterMs ?? 0;
      return { kind: "postponed", until: around.now() + waitMs };
    }
    const answer = outcome.ok ? outcome.answer : unanswered(outcome.failure);
    return { kind: "answer", answer: { ...answer, ...counted(calls) } };
  };
}

/** The HTTP calls that one request took. */
interface Calls {
  attempts: number;
  retries: number;
  firstAt: number;
  lastAt: number;
}

const counted = ({ attempts, retries, firstAt, lastAt }: Calls) => ({
  requests: 1,
  ...{ attempts, retries },
  retryWaitMs: lastAt - firstAt,
});

const isOverload = ({ httpStatus }: Failure) => httpStatus === 429 || httpStatus === 503;

const isTooLong = ({ retryable, retryAfterMs }: Failure, { mayPostpone }: AskLimits) =>
  mayPostpone && retryable && retryAfterMs !== null && retryAfterMs > WAIT_MAX_MS;

/** Tries the modes in turn while the endpoint refuses the schema or the mode. */
async function stepDown(
  request: ChatRequest,
  memory: EndpointMemory,
  send: (mode: StructuredMode) => Promise<Attempt>,
): Promise<{ ok: true; answer: Answer } | { ok: false; failure: Failure | null }> {
  const modes = modesFor(request, memory.refusedModes);
  let failure: Failure | null = null;
  for (const mode of modes) {
    const attempt = await send(mode);
    if (attempt.ok) return { ok: true, answer: { ...attempt.answer, structuredMode: mode } };
    failure = attempt.failure;
    if (failure.class !== "bad_request") break;
    const part = refusedPart(failure.message, failure.param);
    if (part.kind !== "mode" && part.kind !== "schema") break;
    if (part.kind === "mode" && modes.length > 1) {
      remember(memory, memory.refusedModes, mode, `the endpoint does not take mode ${mode}`);
    }
  }
  return { ok: false, failure };
}

/** Whether the failure names a parameter of this body that can be left out from now on. */
function dropParameter(body: JsonObject, failure: Failure, memory: EndpointMemory): boolean {
  if (failure.class !== "bad_request") return false;
  const part = refusedPart(failure.message, failure.param);
  if (part.kind !== "parameter" || !(part.name in body)) return false;
  const hint =
    part.name === "max_tokens" ? "; set maxTokensParam to max_completion_tokens to limit it" : "";
  const note = `the endpoint refuses ${part.name}: asked without it${hint}`;
  remember(memory, memory.refusedParameters, part.name, note);
  return true;
}

function remember(memory: EndpointMemory, set: Set<string>, item: string, note: string): void {
  if (!set.has(item)) memory.notes.push(note);
  set.add(item);
}

function unanswered(failure: Failure | null): Answer {
  return {
    ...emptyAnswer,
    httpStatus: failure?.httpStatus ?? null,
    error: {
      class: failure?.class ?? "bad_request",
      message: failure?.message ?? "the endpoint refuses every structured-output mode",
    },
  };
}
