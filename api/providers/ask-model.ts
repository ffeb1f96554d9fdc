import { type Answer, emptyAnswer, type StructuredMode } from "#shared/contracts/answer.ts";
import type { ChatRequest } from "#shared/contracts/chat-request.ts";
import type { JsonObject } from "#shared/contracts/json.ts";
import type { AskModel } from "../platform/ports.ts";
import { chatBody } from "./chat-body.ts";
import type { EndpointMemory } from "./endpoint-memory.ts";
import type { Failure } from "./failure.ts";
import { refusedPart } from "./refusal-of-request.ts";
import { type Attempt, completeOnce } from "./request-once.ts";
import { type Calls, isTooLong, noCalls, retrying, type Surroundings } from "./retrying.ts";
import { modesFor } from "./structured-mode.ts";

/** Refused schemas that are remembered: datasets have one or a few, or one a sample, which is not asked again. */
const SCHEMAS_MAX = 100;

/**
 * The client of model endpoints. One call gives one answer: transient failures are retried with
 * back-off, refused parameters left out, and with mode `auto` refused modes stepped down. An
 * endpoint that asks for a longer wait than a lane should spend has the request postponed.
 */
export function modelClient(around: Surroundings): AskModel {
  return async (endpoint, request, limits, memory) => {
    const calls = noCalls(around.now());
    const send = async (mode: StructuredMode): Promise<Attempt<Answer>> => {
      let body: JsonObject = {};
      const sendOnce = () => {
        body = chatBody(endpoint, request, mode, memory.refusedParameters);
        return completeOnce(endpoint, body, limits.timeoutMs, around.now);
      };
      const mend = (failure: Failure) => dropParameter(body, failure, memory);
      return retrying({ around, limits, memory, calls }, sendOnce, mend);
    };
    const outcome = await stepDown(request, memory, send);
    if (!outcome.ok && outcome.failure && isTooLong(outcome.failure, limits)) {
      const waitMs = outcome.failure.retryAfterMs ?? 0;
      return { kind: "postponed", until: around.now() + waitMs };
    }
    const answer = outcome.ok ? outcome.value : unanswered(outcome.failure);
    return { kind: "answer", answer: { ...answer, ...counted(calls) } };
  };
}

const counted = ({ attempts, retries, firstAt, lastAt }: Calls) => ({
  requests: 1,
  attempts,
  retries,
  retryWaitMs: lastAt - firstAt,
});

/** Tries the modes in turn while the endpoint refuses the schema or the mode. */
async function stepDown(
  request: ChatRequest,
  memory: EndpointMemory,
  send: (mode: StructuredMode) => Promise<Attempt<Answer>>,
): Promise<Attempt<Answer> | { ok: false; failure: null }> {
  const modes = modesFor(request, memory.refusedModes);
  const asked = (mode: StructuredMode) => `${mode} ${JSON.stringify(request.structured?.schema)}`;
  const isRefused = (mode: StructuredMode) =>
    memory.refusedSchemas.size > 0 && memory.refusedSchemas.has(asked(mode));
  let failure: Failure | null = null;
  for (const mode of modes) {
    if (mode !== modes.at(-1) && isRefused(mode)) continue;
    const attempt = await send(mode);
    if (attempt.ok) return { ok: true, value: { ...attempt.value, structuredMode: mode } };
    failure = attempt.failure;
    if (failure.class !== "bad_request") break;
    const part = refusedPart(failure.message, failure.param);
    if (part.kind !== "mode" && part.kind !== "schema") break;
    if (part.kind === "mode" && modes.length > 1) {
      remember(memory, memory.refusedModes, mode, `the endpoint does not take mode ${mode}`);
    } else if (memory.refusedSchemas.size < SCHEMAS_MAX) memory.refusedSchemas.add(asked(mode));
  }
  return failure === null ? { ok: false, failure } : { ok: false, failure };
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
