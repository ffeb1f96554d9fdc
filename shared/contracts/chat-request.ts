import type { StructuredMode } from "./answer.ts";
import type { Json, JsonObject } from "./json.ts";

export interface ChatMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
}

/** What a suite wants asked of a model: independent of provider and of how structure is enforced. */
export interface ChatRequest {
  messages: ChatMessage[];
  /** A recording attached to the last message; base64. */
  audio?: { data: string; format: "wav" | "mp3" };
  /** JSON Schema that the content should follow; with `auto` the endpoint client picks the mode. */
  structured?: {
    name: string;
    schema: Json;
    mode: "auto" | StructuredMode;
    /** No strict mode can take such a schema, so that `auto` begins below it. */
    neverStrict?: true;
  };
  tools?: JsonObject[];
  /** Left out of the request where null or undefined. */
  temperature?: number | null;
  topP?: number;
  maxTokens?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  seed?: number;
  logprobs?: boolean;
}
