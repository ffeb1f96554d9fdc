import { type Answer, emptyAnswer, type StructuredMode } from "#shared/contracts/answer.ts";
import { bounds, cutText } from "#shared/contracts/bounds.ts";
import type { ChatRequest } from "#shared/contracts/chat-request.ts";
import { isJsonObject, type JsonObject } from "#shared/contracts/json.ts";
import { headerProblems } from "#shared/contracts/submissions/endpoint-headers.ts";
import type { InferenceSettings } from "#shared/contracts/submissions/inference-settings.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import { ladderOf, protocolOf } from "#shared/protocols/protocol-of.ts";
import { type CallRules, rulesFor } from "../security/own-hosts.ts";
import { endpointUrlProblem } from "../security/public-url.ts";
import { afterStream, type EndpointMemory, uselessStream } from "./endpoint-memory.ts";
import type { Failure, PartAnswer } from "./failure.ts";
import { type Attempt, type Completion, completeOnce, type Sent } from "./request-once.ts";
import {
  type AskLimits,
  type Calls,
  noCalls,
  postponedBy,
  retrying,
  type Surroundings,
} from "./retrying.ts";

/** Number of refused schemas remembered: datasets have one or a few, or one per sample, which is not needed again. */
const SCHEMAS_MAX = 100;

/** An answer, or the time before which the endpoint accepts no call (later than a lane waits). */
export type Reply = { kind: "answer"; answer: Answer } | { kind: "postponed"; until: number };

/** One request to the model. Falls back to weaker modes and drops refused parameters. Throws only `Postponed`. */
export type AskModel = (
  endpoint: Endpoint,
  request: ChatRequest,
  limits: AskLimits,
  memory: EndpointMemory,
) => Promise<Reply>;

/** How a request is sent to its endpoint, and how the reply comes back. */
export interface Transport {
  streams: boolean;
  /** Counts its calls in `calls`, except the one that was counted before. */
  complete(
    endpoint: Endpoint,
    write: () => Sent,
    limits: AskLimits,
    calls: Calls,
  ): Promise<Attempt<Completion>>;
}

const live = ({ now, direct }: Surroundings): Transport => ({
  streams: true,
  complete: async (endpoint, write, { timeoutMs }) =>
    endpoint.runner === undefined
      ? completeOnce(endpoint, write, timeoutMs, now, { direct })
      : { ok: false, failure: onlyByRunner(endpoint.runner) },
});

/** Failure for an endpoint behind a runner: the service itself never calls it. */
const onlyByRunner = (runner: string): Failure => ({
  class: "blocked",
  retryable: false,
  httpStatus: null,
  retryAfterMs: null,
  message: `only the runner ${runner} calls this endpoint`,
  param: null,
});

/**
 * Client of model endpoints. One call returns one answer: it retries transient failures with backoff, drops refused
 * parameters, and in mode `auto` falls back to weaker modes. If an endpoint requires a longer delay than a lane may
 * wait, or is still rate limited after the retries, the request is postponed.
 */
export function modelClient(around: Surroundings, transport = live(around)): AskModel {
  return async (endpoint, asked, limits, memory) => {
    const request = withSettings(asked, endpoint);
    const calls = noCalls(around.now());
    noteLacks(endpoint, request, memory);
    const own = draftOf(memory);
    const send = async (mode: StructuredMode): Promise<Attempt<Completion>> => {
      let body: JsonObject = {};
      const dropped = new Set<string>();
      const sendOnce = async () => {
        const refused = new Set([...own.refusedParameters, ...dropped]);
        const streams = transport.streams && !refused.has("stream");
        const write = () => {
          body = protocolOf(endpoint).body({ endpoint, request, mode, refused, streams });
          return { body, streams };
        };
        const end = await transport.complete(endpoint, write, limits, calls);
        return streams ? afterStream(memory, end) : end;
      };
      const mend = (failure: Failure) =>
        failure === uselessStream
          ? doWithout(own, "stream", "the endpoint's streams break off or have no token counts")
          : dropParameter(endpoint, body, failure, own, dropped);
      return retrying({ around, limits, memory, calls }, sendOnce, mend);
    };
    const modes = modesFor(request, memory.refusedModes, ladderOf(endpoint));
    const outcome = await stepDown(request, modes, own, send);
    if (outcome.ok) learn(memory, own);
    const waitMs = outcome.ok ? null : postponedBy(outcome.failure, limits);
    if (waitMs !== null) return { kind: "postponed", until: around.now() + waitMs };
    const answer = outcome.ok ? outcome.value : unanswered(outcome.failure);
    return { kind: "answer", answer: { ...answer, ...counted(calls) } };
  };
}

/**
 * The knowledge that one request gains. It is kept only if the request led to an answer: an error may mention a mode or
 * parameter that was not its cause.
 */
const draftOf = (memory: EndpointMemory): EndpointMemory => ({
  ...memory,
  refusedModes: new Set(memory.refusedModes),
  refusedParameters: new Set(memory.refusedParameters),
  refusedSchemas: new Set(memory.refusedSchemas),
  notes: [],
});

function learn(memory: EndpointMemory, own: EndpointMemory): void {
  for (const kind of ["refusedModes", "refusedParameters", "refusedSchemas"] as const) {
    for (const one of own[kind]) memory[kind].add(one);
  }
  memory.notes.push(...own.notes.filter((note) => !memory.notes.includes(note)));
}

/** Applies the endpoint's settings, which override the suite's. */
export function withSettings(
  request: ChatRequest,
  { settings = {} }: Pick<Endpoint, "settings">,
): ChatRequest {
  const { temperature, topP, seed, maxTokens, toolChoice } = settings;
  return {
    ...request,
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(seed !== undefined && { seed }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(toolChoice !== undefined && request.tools && { toolChoice }),
  };
}

/** Records what was requested but can't be sent. */
function noteLacks(endpoint: Endpoint, request: ChatRequest, memory: EndpointMemory): void {
  for (const name of protocolOf(endpoint).lacks) {
    if (request[name] === undefined || request[name] === false) continue;
    const note = `the interface ${endpoint.protocol} has no ${name}: requested without`;
    remember(memory, memory.refusedParameters, name, note);
  }
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
  modes: readonly StructuredMode[],
  memory: EndpointMemory,
  send: (mode: StructuredMode) => Promise<Attempt<Completion>>,
): Promise<{ ok: true; value: Answer } | { ok: false; failure: Failure | null }> {
  const asked = (mode: StructuredMode) => `${mode} ${JSON.stringify(request.structured?.schema)}`;
  const isRefused = (mode: StructuredMode) =>
    memory.refusedSchemas.size > 0 && memory.refusedSchemas.has(asked(mode));
  let failure: Failure | null = null;
  for (const mode of modes) {
    if (mode !== modes.at(-1) && isRefused(mode)) continue;
    const attempt = await send(mode);
    if (attempt.ok) return { ok: true, value: { ...attempt.value.answer, structuredMode: mode } };
    failure = attempt.failure;
    if (failure.class !== "bad_request") break;
    const part = refusedPart(failure.message, failure.param);
    if (!["mode", "schema"].includes(part.kind)) break;
    if (part.kind === "mode" && modes.length > 1) {
      remember(memory, memory.refusedModes, mode, `the endpoint does not take mode ${mode}`);
    } else if (memory.refusedSchemas.size < SCHEMAS_MAX) memory.refusedSchemas.add(asked(mode));
  }
  return { ok: false, failure };
}

/**
 * Whether the failure names a parameter of this body that can be dropped from now on. Each is dropped once, because
 * some are required.
 */
function dropParameter(
  endpoint: Endpoint,
  body: JsonObject,
  failure: Failure,
  memory: EndpointMemory,
  dropped: Set<string>,
): boolean {
  const isRefusal = failure.httpStatus === null || [400, 422, 200].includes(failure.httpStatus);
  if (failure.class !== "bad_request" || !isRefusal) return false;
  const part = refusedPart(failure.message, failure.param);
  if (part.kind !== "parameter" || dropped.has(part.name)) return false;
  const isRenamed = part.name === endpoint.maxTokensParam && endpoint.protocol !== "messages";
  if (isFixed(endpoint, part.name) && !isRenamed) return false;
  const places = [body, body["generationConfig"], body["reasoning"]];
  const isSent = (name: string) => places.some((one) => isJsonObject(one) && name in one);
  if (limitNames.has(part.name) && contextWords.test(failure.message)) {
    const isLimited = [...limitNames].some(isSent);
    for (const name of limitNames) dropped.add(name);
    memory.notes.push(
      "the context has no room for max tokens after some prompts: requested without",
    );
    return isLimited;
  }
  if (!isSent(part.name.replace("reasoning.", ""))) return false;
  dropped.add(part.name);
  const other = part.name === "max_tokens" ? "max_completion_tokens" : "max_tokens";
  const hint = isRenamed ? `, with ${other} instead` : "";
  return doWithout(memory, part.name, `the endpoint refuses ${part.name}`, hint);
}

/** Whether the submission or the interface requires a parameter: settings are part of what is evaluated. */
function isFixed(
  { settings, protocol }: Pick<Endpoint, "settings" | "protocol">,
  name: Parameter | "stream",
) {
  const setting = name === "stream" ? null : settingOf[name];
  if (setting !== null && settings?.[setting] != null) return true;
  const { reasoningEffort, extraBody = {} } = settings ?? {};
  if (name in extraBody || (name === "thinking" && reasoningEffort === "none")) return true;
  return protocol === "messages" && name === "max_tokens";
}

function doWithout(memory: EndpointMemory, parameter: string, why: string, hint = ""): true {
  const note = `${why}: requested without ${parameter}${hint}`;
  remember(memory, memory.refusedParameters, parameter, note);
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
      ...(failure?.received && { received: cutText(textOf(failure.received), bounds.received) }),
    },
  };
}

/** The text of a partial answer: output and tool calls, or else the thoughts. */
const textOf = ({ output, thoughts = "", toolCalls }: PartAnswer): string =>
  [output, toolCalls && JSON.stringify(toolCalls)].filter(Boolean).join("\n") || thoughts;

/** Modes to try for a request, in order, without those that the endpoint is known to refuse. */
export function modesFor(
  request: ChatRequest,
  refused: ReadonlySet<string>,
  ladder: readonly StructuredMode[],
): readonly StructuredMode[] {
  if (!request.structured) return ["none"];
  const { mode: asked, neverStrict = false } = request.structured;
  if (asked !== "auto") return [asked];
  const strict: StructuredMode = "json_schema_strict";
  const modes = ladder.filter((mode) => !refused.has(mode));
  if (!neverStrict) return modes;
  // Without a looser mode of its own, the interface enforces any schema in the same way.
  return ladder.includes("json_schema")
    ? modes.filter((mode) => mode !== strict)
    : modes.map((mode) => (mode === strict ? "json_schema" : mode));
}

/** What the endpoint refused, according to its 400 message. */
type RefusedPart =
  | { kind: "schema" }
  | { kind: "mode" }
  | { kind: "parameter"; name: Parameter | "stream" }
  | { kind: "other" };

/** Fields that a request can omit, each with the setting that it carries. */
const settingOf = {
  max_completion_tokens: "maxTokens",
  max_tokens: "maxTokens",
  max_output_tokens: "maxTokens",
  maxOutputTokens: "maxTokens",
  temperature: "temperature",
  top_p: "topP",
  topP: "topP",
  presence_penalty: null,
  presencePenalty: null,
  frequency_penalty: null,
  frequencyPenalty: null,
  seed: "seed",
  responseLogprobs: null,
  logprobs: null,
  include: null,
  tool_choice: "toolChoice",
  toolConfig: "toolChoice",
  "reasoning.summary": null,
  thinking: "thinkingBudget",
  chat_template_kwargs: null,
} as const satisfies Record<string, keyof InferenceSettings | null>;
type Parameter = keyof typeof settingOf;
const parameters = Object.keys(settingOf) as Parameter[];
/** Names of the field for the maximum length of an answer. */
const limitNames: ReadonlySet<string> = new Set(
  parameters.filter((name) => settingOf[name] === "maxTokens"),
);
/**
 * Words of an error that says that the prompt leaves too little room for the limit: another prompt may leave enough.
 */
const contextWords = /context (length|limit|window|size)|max_model_len/i;

const streamWords = /\bstream(_options|ing)?\b/i;
const modeWords =
  /response_?format|json_?schema|json_object|guided_json|structured.?outputs?|strict|output_(config|format)|response_?mime_?type|can handle the requested parameters/i;
const schemaWords =
  /invalid (json )?schema|schema for response_format|additionalproperties|in context=|'\w+' is not permitted|unsupported (json )?schema|too many states|nesting depth|schema is too (complex|large|deep)|generation_?config.response_?(json_?)?schema/i;

/**
 * Parses the body of a 400 or 422. `param`: the field that OpenAI-style errors name; otherwise the message is searched.
 */
export function refusedPart(message: string, param: string | null): RefusedPart {
  const named = parameters.find((name) => param === name);
  if (named) return { kind: "parameter", name: named };
  if (streamWords.test(param ?? message)) return { kind: "parameter", name: "stream" };
  if (schemaWords.test(message)) return { kind: "schema" };
  if (modeWords.test(param ?? "") || modeWords.test(message)) return { kind: "mode" };
  const mentioned = parameters.find((name) => message.includes(name));
  if (mentioned) return { kind: "parameter", name: mentioned };
  return { kind: "other" };
}

/**
 * A client that calls only allowed endpoints. Submissions are checked on arrival, but rules or settings may have
 * changed since then.
 */
export function guardedAsk(ask: AskModel, rules: CallRules): AskModel {
  const problems = new WeakMap<Endpoint, { problem: string | null }>();
  return async (endpoint, ...rest) => {
    const looked = problems.get(endpoint) ?? { problem: endpointProblem(endpoint, rules) };
    problems.set(endpoint, looked);
    const { problem } = looked;
    return problem === null ? ask(endpoint, ...rest) : { kind: "answer", answer: blocked(problem) };
  };
}

/** Why this deployment does not call an endpoint; null if it does. */
export function endpointProblem(endpoint: Endpoint, rules: CallRules): string | null {
  const inUrl = endpointUrlProblem(endpoint.baseUrl, rulesFor(endpoint, rules));
  if (inUrl !== null) return `baseUrl ${inUrl}`;
  const [inHeader] = headerProblems(endpoint.headers ?? {});
  return inHeader ? `header "${inHeader.name}" ${inHeader.reason}` : null;
}

const blocked = (problem: string): Answer => ({
  ...emptyAnswer,
  requests: 1,
  error: { class: "blocked", message: `this deployment does not call the endpoint: ${problem}` },
});
