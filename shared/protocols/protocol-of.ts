import type { StructuredMode } from "../contracts/answer.ts";
import type { Relay } from "../contracts/run.ts";
import {
  isAnthropic,
  isAzure,
  isKnownHost,
  type ProtocolName,
} from "../contracts/submissions/providers.ts";
import { chatCompletions } from "./chat-completions.ts";
import { generateContent } from "./generate-content.ts";
import { messages } from "./messages.ts";
import type { Protocol } from "./protocol.ts";
import { responses } from "./responses.ts";

const protocols: Readonly<Record<ProtocolName, Protocol>> = {
  chat_completions: chatCompletions,
  responses,
  messages,
  generate_content: generateContent,
};

interface Spoken {
  protocol?: ProtocolName | undefined;
}

/**
 * The interface of an endpoint; Chat Completions if it names none. (Submissions name the interface of their host.)
 * @example protocolOf({ protocol: "messages" }).path("m", false) // "/messages"
 */
export const protocolOf = ({ protocol = "chat_completions" }: Spoken): Protocol =>
  protocols[protocol];

/** Newer and older mode of vLLM, which other servers may ignore. */
const own: readonly StructuredMode[] = ["structured_outputs", "guided_json"];

/**
 * The modes that `auto` tries at an endpoint, in this order. In Chat Completions at a host that is not a known
 * provider's, vLLM's modes follow after `json_schema`.
 */
export function ladderOf(
  endpoint: Spoken & { baseUrl: string; relay?: Relay | undefined },
): readonly StructuredMode[] {
  // A program gets the schema unchanged and refuses no mode.
  if (endpoint.relay !== undefined) return ["json_schema"];
  const protocol = protocolOf(endpoint);
  // Anthropic's OpenAI-compatible interface accepts every mode and enforces none.
  if (protocol === chatCompletions && isAnthropic(endpoint.baseUrl)) return ["none"];
  if (protocol !== chatCompletions || isKnownHost(endpoint.baseUrl)) return protocol.ladder;
  return protocol.ladder.flatMap((mode) => (mode === "json_schema" ? [mode, ...own] : [mode]));
}

/** Headers of an endpoint's interface, including the key. */
export function headersOf(
  endpoint: Spoken & { baseUrl: string },
  key: string | null | undefined,
): Record<string, string> {
  const { headers, keyHeaders } = protocolOf(endpoint);
  if (key == null) return { ...headers };
  return { ...headers, ...(isAzure(endpoint.baseUrl) ? { "api-key": key } : keyHeaders(key)) };
}
