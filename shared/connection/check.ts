import type { Answer, StructuredMode } from "../contracts/answer.ts";
import type { ChatRequest } from "../contracts/chat-request.ts";
import type { Check } from "../contracts/submissions/connection.ts";
import type { InferenceSettings } from "../contracts/submissions/inference-settings.ts";
import type { ProtocolName } from "../contracts/submissions/providers.ts";

/** An endpoint to test. */
export interface Target {
  baseUrl: string;
  /** Missing: that of its host. */
  protocol?: ProtocolName | undefined;
  settings?: InferenceSettings | undefined;
  /** Empty: the first one that it lists. */
  model: string;
  /** Null: it needs none. */
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

/** What is asked of a model, and in which mode the answer is to follow a schema. */
export interface Asked extends ChatRequest {
  mode?: StructuredMode;
  maxTokensParam?: "max_completion_tokens";
}

type Reply<T> = Promise<EndpointReply<T> | FailedRequest>;

/** Calls an endpoint in its interface, without retries and redirects; never throws. */
export interface EndpointClient {
  /** An answer; null for a body of another kind. */
  chat(asked: Asked): Reply<Answer | null>;
  /** The same in a stream; `isStream`: whether the reply was one. */
  stream(asked: Asked): Reply<{ isStream: boolean; answer: Answer | null }>;
  /** The names of its models. */
  models(): Reply<string[]>;
}

/** Parts of a test that depend on where it runs: the client, and what a hint tells to do there. */
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
