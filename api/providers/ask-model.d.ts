import { type Answer, type StructuredMode } from "#shared/contracts/answer.ts";
import type { ChatRequest } from "#shared/contracts/chat-request.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import type { CallRules } from "../security/own-hosts.ts";
import type { EndpointMemory } from "./endpoint-memory.ts";
import { type AskLimits, type Surroundings } from "./retrying.ts";
/** An answer, or the time before which the endpoint accepts no call (longer than a lane waits). */
export type Reply = {
    kind: "answer";
    answer: Answer;
} | {
    kind: "postponed";
    until: number;
};
/** One request to the model. Falls back to weaker modes and drops refused parameters. Throws only `Postponed`. */
export type AskModel = (endpoint: Endpoint, request: ChatRequest, limits: AskLimits, memory: EndpointMemory) => Promise<Reply>;
/**
 * Client of model endpoints. One call returns one answer: it retries transient failures with backoff, drops refused
 * parameters, and in mode `auto` falls back to weaker modes. If an endpoint requires a longer delay than a lane may
 * wait, the request is postponed.
 */
export declare function modelClient(around: Surroundings): AskModel;
/** Modes to try for a request, in order, without those that the endpoint is known to refuse. */
export declare function modesFor(request: ChatRequest, refused: ReadonlySet<string>, ladder: readonly StructuredMode[]): readonly StructuredMode[];
/** What the endpoint refused, according to its 400 message. */
type RefusedPart = {
    kind: "schema";
} | {
    kind: "mode";
} | {
    kind: "parameter";
    name: (typeof parameters)[number] | "stream";
} | {
    kind: "other";
};
/** Fields that a request can do without. */
declare const parameters: readonly ["max_completion_tokens", "max_tokens", "max_output_tokens", "maxOutputTokens", "temperature", "top_p", "topP", "presence_penalty", "presencePenalty", "frequency_penalty", "frequencyPenalty", "seed", "responseLogprobs", "logprobs", "include", "tool_choice", "toolConfig"];
/**
 * Parses the body of a 400 or 422. `param`: the field that OpenAI-style errors name; otherwise the message is searched.
 */
export declare function refusedPart(message: string, param: string | null): RefusedPart;
/**
 * A client that calls only allowed endpoints. Submissions are checked on arrival, but rules or settings may have
 * changed since.
 */
export declare function guardedAsk(ask: AskModel, rules: CallRules): AskModel;
export {};
