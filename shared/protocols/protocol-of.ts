import type { StructuredMode } from "../contracts/answer.ts";
import {
  isAzure,
  isKnownHost,
  type ProtocolName,
  protocolAt,
} from "../contracts/submissions/providers.ts";
import type { Endpoint } from "../contracts/submissions/submission.ts";
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

/**
 * The interface that an endpoint speaks: the one it names, else that of its host.
 * @example protocolOf({ baseUrl: "https://api.anthropic.com/v1" }).path("m", false) // "/messages"
 */
export const protocolOf = ({
  baseUrl,
  protocol,
}: Pick<Endpoint, "baseUrl" | "protocol">): Protocol => protocols[protocol ?? protocolAt(baseUrl)];

/** Modes of vLLM, older and newer, which other servers may ignore. */
const own: readonly StructuredMode[] = ["structured_outputs", "guided_json"];

/**
 * The modes that `auto` tries at an endpoint, in this order. Those of vLLM come after the schema of Chat Completions,
 * where the host is no known provider's.
 */
export function ladderOf(
  endpoint: Pick<Endpoint, "baseUrl" | "protocol">,
): readonly StructuredMode[] {
  const protocol = protocolOf(endpoint);
  if (protocol !== chatCompletions || isKnownHost(endpoint.baseUrl)) return protocol.ladder;
  return protocol.ladder.flatMap((mode) => (mode === "json_schema" ? [mode, ...own] : [mode]));
}

/** Headers that carry an endpoint's key. */
export const keyHeaders = (endpoint: Pick<Endpoint, "baseUrl" | "protocol">, key: string) =>
  isAzure(endpoint.baseUrl) ? { "api-key": key } : protocolOf(endpoint).headers(key);
