import type { Answer, StructuredMode } from "../contracts/answer.ts";
import type { ChatRequest } from "../contracts/chat-request.ts";
import type { Check } from "../contracts/submissions/connection.ts";
import type { InferenceSettings } from "../contracts/submissions/inference-settings.ts";
import type { ProtocolName } from "../contracts/submissions/providers.ts";

/** An endpoint to test. */
export interface Target {
  baseUrl: string;
  /** Missing: the usual interface of the host. */
  protocol?: ProtocolName | undefined;
  settings?: InferenceSettings | undefined;
  /** Empty: the first chat model that the endpoint lists. */
  model: string;
  /** Null: the endpoint needs no key. */
  apiKey: string | null;
  /** Sent with every request; secret like the key. */
  headers?: Readonly<Record<string, string>>;
  timeoutMs: number;
}

/** An endpoint's answer. */
export interface EndpointReply<T> {
  ok: true;
  value: T;
  headers: Readonly<Record<string, string>>;
  ms: number;
}

/** The reason of a failure, without keys. `status` null: no reply. */
export interface FailedRequest {
  ok: false;
  status: number | null;
  message: string;
}

/** A request to a model, with the structured-output mode. */
export interface Asked extends ChatRequest {
  mode?: StructuredMode;
  maxTokensParam?: "max_completion_tokens";
}

type Reply<T> = Promise<EndpointReply<T> | FailedRequest>;

/** Calls an endpoint in its interface, without retries and redirects; never throws. */
export interface EndpointClient {
  /** Requests an answer; null if the body is not one. */
  chat(asked: Asked): Reply<Answer | null>;
  /** Requests a streamed answer; `isStream`: whether the reply was a stream. */
  stream(asked: Asked): Reply<{ isStream: boolean; answer: Answer | null }>;
  /** Lists the names of the endpoint's models. */
  models(): Reply<string[]>;
}

/** Parts of a test that depend on where it runs: the client, and the advice in hints. */
export interface Surroundings {
  connect: (target: Target) => EndpointClient;
  advice: Readonly<
    Record<
      | "noKey"
      | "wrongKey"
      | "noModel"
      | "slow"
      | "loading"
      | "limitParam"
      | "temperature"
      | "effort"
      | "protocol",
      string
    >
  >;
}

export const passed = (id: string, label: string, detail: string, ms: number | null): Check => ({
  ...unsupported(id, label, detail, null),
  outcome: "ok",
  ms,
});

export const unsupported = (
  id: string,
  label: string,
  detail: string,
  hint: string | null,
): Check => ({
  id,
  label,
  outcome: "no",
  detail,
  hint,
  ms: null,
});

export const failing = (id: string, label: string, detail: string, hint: string | null): Check => ({
  ...unsupported(id, label, detail, hint),
  outcome: "failed",
});

export const skipping = (id: string, label: string, detail: string): Check => ({
  ...unsupported(id, label, detail, null),
  outcome: "skipped",
});
