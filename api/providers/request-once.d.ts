import OpenAI from "openai";
import { type Answer } from "#shared/contracts/answer.ts";
import type { JsonObject } from "#shared/contracts/json.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import { type Failure } from "./failure.ts";
/** Result of one call. */
export type Attempt<Value> = {
    ok: true;
    value: Value;
} | {
    ok: false;
    failure: Failure;
};
/** The reply of a call, when it was sent, and its duration, ms. */
interface Received<Value> {
    value: Value;
    sentAt: number;
    latencyMs: number;
}
/** Timeout of one call, ms, as in the SDK: until a parsed body has been read. */
export interface RequestBounds {
    timeout: number;
}
/** How a kind of request is sent with the SDK and read as plain data; null for a body of another kind. */
interface Kind<Value> {
    send(client: OpenAI, bounds: RequestBounds): Promise<Value | null>;
    /** Name of the expected body, for errors. */
    name: string;
}
/**
 * One request through the SDK, with its duration; never throws. Some endpoints echo what they received, and their
 * replies are published. So every reply and error is redacted here, including fields that are not read.
 */
export declare function requestOnce<Value>(endpoint: Endpoint, { send, name }: Kind<Value>, timeoutMs: number, now: () => number): Promise<Attempt<Received<Value>>>;
/** An answer, and whether it came in a stream: some endpoints answer without. */
export interface Completion {
    answer: Answer;
    isStreamed: boolean;
}
/** What is sent for an answer. */
interface Sent {
    body: JsonObject;
    streams: boolean;
}
/** One request for an answer; never throws. `write`: its body, which may be refused as the endpoint would. */
export declare function completeOnce(endpoint: Endpoint, write: () => Sent, timeoutMs: number, now: () => number): Promise<Attempt<Completion>>;
export {};
