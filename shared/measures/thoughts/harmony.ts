import type { ToolCall } from "../../contracts/answer.ts";
import { parsedJson } from "../../contracts/json.ts";
import { literalRanges, rangeAt } from "./literal-ranges.ts";

/** A text in the harmony format, by channel. */
export interface HarmonyText {
  /** Content of the final channel; null without one. */
  final: string | null;
  /** Content of the other channels, except calls. */
  thoughts: string[];
  /** Complete function calls, in order. */
  calls: ToolCall[];
}

interface Message {
  header: string;
  body: string;
  /** Whether a special token ends the message, so that it is not truncated. */
  isEnded: boolean;
}

const opening = /^\s*(?:<\|channel\|>|<\|start\|>)/;
/** Separates messages; also at the start if the first header was part of the prompt. */
const between = /<\|end\|>\s*<\|start\|>assistant/;
const token = /<\|(start|channel|constrain|message|end|return|call)\|>/g;

/** Remains of a header if the server drops special tokens. */
const bareOpening = /^\s*(?:assistant)?analysis(?=\P{Ll})/u;
const bareHeader = /assistant(analysis|commentary|final)/g;
/** The channel's name joined with the first word of the thoughts, which is not an English word. */
const bareUnended = /^\s*(?:assistant)?analysis(?=\p{Lu})/u;

/**
 * Parses a text in OpenAI's harmony format, as gpt-oss writes it, with its special tokens or with the headers that
 * remain without them; null if it is not in this format. Linear.
 * Source: github.com/openai/harmony, docs/format.md.
 * @example harmonyText("<|channel|>final<|message|>4<|return|>")?.final // "4"
 */
export function harmonyText(text: string): HarmonyText | null {
  const isTokenized = opening.test(text) || isBetween(text);
  const messages = isTokenized ? messagesOf(text) : bareMessages(text);
  if (messages === null) return null;
  const read: HarmonyText = { final: null, thoughts: [], calls: [] };
  for (const message of messages) addMessage(read, message);
  return read;
}

/** Whether a separator is outside code fences, where it would be an example. */
function isBetween(text: string): boolean {
  const found = between.exec(text);
  return found !== null && rangeAt(literalRanges(text), found.index) === null;
}

function addMessage(read: HarmonyText, { header, body, isEnded }: Message): void {
  const role = /<\|start\|>\s*(\S+?)(?=[\s<]|$)/.exec(header)?.[1] ?? "assistant";
  if (role !== "assistant") return;
  const channel = /<\|channel\|>\s*([a-z]+)/.exec(header)?.[1] ?? "analysis";
  const called = /\bto=functions\.([\w.-]+)/.exec(header)?.[1];
  if (channel === "final") read.final = (read.final ?? "") + body;
  else if (called === undefined) read.thoughts.push(body);
  else {
    const args = parsedJson(body);
    if (isEnded || args !== undefined) read.calls.push({ name: called, arguments: args ?? body });
  }
}

function messagesOf(text: string): Message[] {
  const messages: Message[] = [];
  // Text before the first token belongs to a header that was part of the prompt.
  let message: Message = { header: "", body: "", isEnded: false };
  let isHeader = opening.test(text);
  let at = 0;
  const take = (to: number) => {
    if (isHeader) message.header += text.slice(at, to);
    else message.body += text.slice(at, to);
    at = to;
  };
  const begin = (to: number) => {
    take(to);
    if (message.header !== "" || message.body.trim() !== "") messages.push(message);
    message = { header: "", body: "", isEnded: false };
    isHeader = true;
  };
  for (const found of text.matchAll(token)) {
    const [whole, name] = found;
    const isEnd = name === "end" || name === "return" || name === "call";
    if (name === "start" || (name === "channel" && !isHeader)) begin(found.index);
    else take(found.index);
    if (isEnd) {
      message.isEnded = true;
      at += whole.length;
      begin(at);
    } else if (name === "message") {
      at += whole.length;
      isHeader = false;
    }
  }
  begin(text.length);
  return messages.filter(({ header, body }) => header.includes("<|") || body.trim() !== "");
}

/** If headers lost their tokens, everything after the final one belongs to it. */
function bareMessages(text: string): Message[] | null {
  const opened = bareOpening.exec(text);
  if (opened === null) return null;
  const messages: Message[] = [];
  let [channel, from] = ["analysis", opened[0].length];
  const end = (to: number) => {
    const body = text.slice(from, to);
    const call =
      channel === "commentary"
        ? /^\s*(to=functions\.[\w.-]+)\s*(?:json)?\s*(?=\{)/.exec(body)
        : null;
    const header = `<|channel|>${channel} ${call?.[1] ?? ""}`;
    messages.push({ header, body: body.slice(call?.[0].length ?? 0), isEnded: false });
  };
  for (const found of text.matchAll(bareHeader)) {
    if (channel === "final") break;
    end(found.index);
    [channel, from] = [found[1]!, found.index + found[0].length];
  }
  end(text.length);
  return messages.length > 1 || bareUnended.test(text) ? messages : null;
}
