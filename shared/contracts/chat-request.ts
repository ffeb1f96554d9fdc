import type { StructuredMode } from "./answer.ts";
import type { Json, JsonObject } from "./json.ts";

export interface ChatMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
  /** Of the assistant: calls that it made, whose results follow as messages of tools. */
  calls?: readonly { id: string; name: string; arguments: JsonObject }[];
  /** Of the assistant: thoughts before its calls, for providers that want them back. */
  thoughts?: string;
  /** Of a tool: the call that this is the result of. */
  result?: { id: string; name: string };
}

/** A sample as a program of the submitter sees it, without the expected answer. */
interface AskedSample {
  id: string;
  repeat: number;
  /** The question, without prompt; missing in a conversation, whose later turns it would give away. */
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
  /** Whether it may answer without a call, or must call; not sent if undefined. */
  toolChoice?: "auto" | "required";
  /** Not sent if null or undefined. */
  temperature?: number | null;
  topP?: number;
  maxTokens?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  seed?: number;
  logprobs?: boolean;
  /** The sample that is asked for; only sent to programs of the submitter. */
  sample?: AskedSample;
}
