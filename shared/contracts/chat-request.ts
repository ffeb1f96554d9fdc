import type { StructuredMode } from "./answer.ts";
import type { Json, JsonObject } from "./json.ts";

export interface ChatMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
  /** Only for the assistant: its calls; their results follow as messages with the role `tool`. */
  calls?: readonly { id: string; name: string; arguments: JsonObject }[];
  /** Only for the assistant: its thoughts before the calls, which some providers require in later requests. */
  thoughts?: string;
  /** Only for a tool: the call with this result. */
  result?: { id: string; name: string };
}

/** A sample as sent to the submitter's program, without the expected answer. */
interface AskedSample {
  id: string;
  repeat: number;
  /** The question without the prompt; missing in a conversation, because it would reveal later turns. */
  input?: string;
}

/** A suite's request to a model, independent of the provider and of how structured output is enforced. */
export interface ChatRequest {
  messages: ChatMessage[];
  /** A recording attached to the last message; base64. */
  audio?: { data: string; format: "wav" | "mp3" };
  /** JSON Schema for the content; with `auto` the endpoint client chooses the mode. */
  structured?: {
    name: string;
    schema: Json;
    mode: "auto" | StructuredMode;
    /** No strict mode accepts this schema, so `auto` starts below it. */
    neverStrict?: true;
  };
  tools?: JsonObject[];
  /** Whether the model may or must call a tool; not sent if undefined. */
  toolChoice?: "auto" | "required";
  /** Not sent if null or undefined. */
  temperature?: number | null;
  topP?: number;
  maxTokens?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  seed?: number;
  logprobs?: boolean;
  /** Only sent to the submitter's program. */
  sample?: AskedSample;
}
