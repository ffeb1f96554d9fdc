import type { ChatRequest } from "#shared/contracts/chat-request.ts";
import type { Route } from "#shared/contracts/judge.ts";
import type { Prices } from "#shared/contracts/prices.ts";
import type { JudgeDeployment } from "#shared/judges/router.ts";
import type { AskLimits, Reply } from "../platform/ports.ts";
import type { EndpointMemory } from "./endpoint-memory.ts";

/** Vectors of texts; `error`: why there are none. */
type EmbedReply =
  | { kind: "postponed"; until: number }
  | {
      kind: "vectors";
      vectors: number[][] | null;
      error: { class: string; message: string } | null;
      inputTokens: number | null;
      latencyMs: number;
      /** HTTP calls, retries included. */
      attempts: number;
    };

/** A text spoken; null where that failed. */
export type SpeakReply =
  | { kind: "postponed"; until: number }
  | { kind: "recording"; recording: ChatRequest["audio"] | null; error: string | null };

/** The deployment's judges: who there is, and how they are asked. Nothing here throws. */
export interface JudgingPort {
  /** What keeps all of them from being asked: settings that can't be read; null: nothing. */
  problem: string | null;
  deployment: JudgeDeployment;
  /** Providers that are played by a program. */
  simulated: readonly string[];
  /** Models that runs may name beside the deployment's own; null: any. */
  models: readonly string[] | null;
  /** USD, by model. */
  prices: Readonly<Record<string, Prices>>;
  /** Requests in flight, all runs together. */
  concurrency: number;
  limits: Pick<AskLimits, "timeoutMs" | "maxRetries">;
  /** What is learnt of overloads and refused parameters is told to `memory`. */
  ask(
    route: Route,
    request: ChatRequest,
    limits: AskLimits,
    memory: EndpointMemory,
  ): Promise<Reply>;
  embed(
    route: Route,
    texts: readonly string[],
    limits: AskLimits,
    memory: EndpointMemory,
  ): Promise<EmbedReply>;
  speak(route: Route, text: string, limits: AskLimits, memory: EndpointMemory): Promise<SpeakReply>;
}
