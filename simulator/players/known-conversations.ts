import { isJsonObject, type JsonObject } from "../../shared/contracts/json.ts";
import {
  checkSample,
  type ToolsSample,
  toolFunction,
  toolName,
} from "../../shared/suites/tools/sample.ts";
import type { CallableFunction } from "../mistakes/perturb-calls.ts";
import type { ParsedChat } from "../parse-chat.ts";
import { textKey } from "./player.ts";
import { indexTexts } from "./text-index.ts";

/** A sample of the suite `tools`, as requests are told by. */
export interface Conversation {
  key: string;
  id: string;
  sample: ToolsSample;
  functions: readonly CallableFunction[];
  /** The last message. */
  text: string;
}

type Message = ParsedChat["messages"][number];

/** Finds the sample that a request is about: by its messages, and by the functions that it offers. */
export function knownConversations(rows: readonly JsonObject[]) {
  const known = rows.flatMap(readConversation);
  const byMessages = Map.groupBy(known, ({ sample }) => saidKey(messagesOf(sample)));
  const byText = indexTexts(known);
  return {
    find(request: ParsedChat): Conversation | null {
      if (known.length === 0) return null;
      const whole = request.messages.map(({ text }) => text).join("\n\n");
      const exact = byMessages.get(saidKey(request.messages));
      const found = exact ?? byText.within(whole).filter((one) => isWithin(one, whole));
      const offered = found.filter((one) => isOffered(one, request, whole));
      const closeness = ({ functions, sample }: Conversation) =>
        functions.length + (isInstructed(sample, whole) ? 0.5 : 0);
      return offered.toSorted((a, b) => closeness(b) - closeness(a))[0] ?? null;
    },
  };
}

function readConversation(row: JsonObject): Conversation[] {
  const checked = checkSample(row);
  if (!checked.ok) return [];
  const { sample } = checked.value;
  const functions = sample.tools.map((tool) => ({
    name: toolName(tool) ?? "",
    parameters: toolFunction(tool).parameters ?? { type: "object", properties: {} },
  }));
  const key = textKey(JSON.stringify([sample.messages, sample.tools]));
  const text = sample.messages.at(-1)?.content ?? "";
  return [{ key, id: sample.id, sample, functions, text }];
}

const messagesOf = ({ messages }: ToolsSample): Message[] =>
  messages.map(({ role, content }) => ({ role, text: content }));

/** System messages may have been added to. */
function saidKey(messages: readonly Message[]): string {
  const said = messages.filter(({ role }) => role !== "system");
  return textKey(JSON.stringify(said.map(({ role, text }) => [role, text])));
}

/** Whether a prompt that is laid out otherwise holds all that was said. */
function isWithin({ sample }: Conversation, whole: string): boolean {
  return sample.messages.every(({ role, content }) => role === "system" || whole.includes(content));
}

/** Whether the request offers the sample's functions: as tools, or in its text. */
function isOffered({ functions }: Conversation, { tools }: ParsedChat, whole: string): boolean {
  if (functions.length === 0) return false;
  if (tools.length === 0) return functions.every(({ name }) => whole.includes(`"${name}"`));
  const names = new Set(tools.filter(isJsonObject).map(toolName));
  return names.size === functions.length && functions.every(({ name }) => names.has(name));
}

/** Whether the request holds the sample's system message. */
function isInstructed({ messages }: ToolsSample, whole: string): boolean {
  return messages.every(({ role, content }) => role !== "system" || whole.includes(content));
}
