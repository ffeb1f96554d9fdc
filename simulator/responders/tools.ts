import { isJsonObject, type JsonObject, parsedJson } from "../../shared/contracts/json.ts";
import { defaultOptions } from "../../shared/suites/tools/options.ts";
import { readCalls } from "../../shared/suites/tools/read.ts";
import { checkSample, type ToolsSample } from "../../shared/suites/tools/sample.ts";
import { toolFunction, toolName } from "../../shared/suites/tools/sample-parts.ts";
import { callScore } from "../../shared/suites/tools/score/match-calls.ts";
import type { Completion } from "../chat-response.ts";
import { type Draws, drawNormal, drawsFrom } from "../draws.ts";
import { garbleKinds, textGarbleKinds } from "../mistakes/garble.ts";
import type { MistakeRates } from "../mistakes/mistakes.ts";
import {
  type CallableFunction,
  inventedCall,
  perturbCalls,
  type WrittenCall,
} from "../mistakes/perturb-calls.ts";
import type { ParsedChat } from "../parse-chat.ts";
import { requestKey } from "./prose.ts";
import {
  type AnswerContext,
  type Claim,
  completeAnswer,
  isFlawless,
  type Responder,
  textKey,
} from "./responder.ts";
import { indexTexts } from "./text-index.ts";

/** The answer of a model that calls nothing. */
const noCall = "None of the functions that I have can do that.";

/** Minimum certainty of a token. */
const leastCertainty = 0.05;

/** Format of calls: `tool_calls`, or JSON in the content. */
type Mode = "native" | "prompt";

/**
 * Answers requests about known conversations with the right calls and the model's mistakes. Other requests with tools
 * get one call of the first tool, or of the one that `tool_choice` names; or, if allowed, one call for each of several
 * words in double quotes.
 */
export function toolsResponder(rows: readonly JsonObject[]): Responder {
  const known = knownConversations(rows);
  const skillOf = skillMeter();
  return {
    claim(request) {
      if (request.toolChoice === "none") return null;
      const conversation = known.find(request);
      if (conversation === null) return claimUnknown(request);
      if (conversation.isTurn && hasResults(request)) return claimDone(conversation);
      return claimKnown(conversation, request.tools.length > 0 ? "native" : "prompt", skillOf);
    },
  };
}

function claimKnown(
  conversation: Conversation,
  mode: Mode,
  skillOf: ReturnType<typeof skillMeter>,
): Claim {
  const { key, id, sample } = conversation;
  const answer = (context: AnswerContext) => answerOnce(conversation, mode, context);
  const isRight = ({ content, toolCalls }: Completion) => {
    const answer = { toolCalls: [...toolCalls], output: content };
    const { calls, leftOut } = readCalls(answer, mode);
    return callScore(sample.expected_calls, calls, leftOut, defaultOptions).f1 === 1;
  };
  return {
    key,
    id,
    answer(context) {
      const completion = answer(context);
      if (isFlawless(context)) return { ...completion, confidence: flawlessConfidence };
      const skill = skillOf(`${mode}\n${key}`, context, (again) => isRight(answer(again)));
      const confidence = selfConfidence(isRight(completion), skill, context.draws);
      return { ...completion, confidence, certainty: Math.max(leastCertainty, confidence) };
    },
  };
}

/** The end of a turn, once its calls were made. */
const claimDone = ({ key, id }: Conversation): Claim => ({
  key: textKey(`${key} done`),
  id,
  answer: () => ({
    content: "Done.",
    refusal: null,
    mistakes: [],
    certainty: 0.95,
    toolCalls: [],
  }),
});

function answerOnce(
  { sample, functions }: Conversation,
  mode: Mode,
  context: AnswerContext,
): Completion {
  const text = sample.messages.map(({ content }) => content).join("\n");
  return completeAnswer(context, mode === "native" ? textGarbleKinds : garbleKinds, (made) => {
    const mistakes = { ...context, constrained: false, made, root: {}, text };
    const toolCalls = perturbCalls(sample.expected_calls, functions, mistakes);
    if (mode === "prompt") return asJson(toolCalls);
    return { content: toolCalls.length === 0 ? noCall : null, toolCalls };
  });
}

/** Arguments that are not JSON stay text. */
function asJson(calls: readonly WrittenCall[]): string {
  const listed = calls.map(({ name, arguments: text }) => ({
    name,
    arguments: parsedJson(text) ?? text,
  }));
  return JSON.stringify(listed);
}

function claimUnknown(request: ParsedChat): Claim | null {
  const tool = chosenFunction(request);
  if (tool === null) return null;
  const parameters = tool.parameters ?? { type: "object", properties: {} };
  const named = { name: String(tool.name), parameters };
  return {
    key: requestKey(request),
    id: null,
    answer: ({ draws }) => ({
      content: null,
      refusal: null,
      mistakes: [],
      certainty: 0.95,
      toolCalls: askedTogether(request).map((text) => inventedCall(named, { text, draws })),
    }),
  };
}

/** Topics of calls: each of several quoted words, or the whole text if only one call is wanted. */
function askedTogether({ userText, toolChoice, body }: ParsedChat): string[] {
  const isOne = body.parallel_tool_calls === false || isJsonObject(toolChoice);
  const quoted = [...userText.matchAll(/"([^"]+)"/g)].map(([, words]) => words ?? "");
  return isOne || quoted.length < 2 ? [userText] : quoted;
}

function chosenFunction({ tools, toolChoice }: ParsedChat): JsonObject | null {
  const functions = tools.map((tool) => tool.function).filter(isJsonObject);
  const named =
    isJsonObject(toolChoice) && isJsonObject(toolChoice.function) ? toolChoice.function : {};
  return functions.find(({ name }) => name === named.name) ?? functions[0] ?? null;
}

/** Number of trials that measure how often a model is right about a sample. */
const tries = 24;

/** Distance of the signals of right and wrong answers, in standard deviations. */
const separation = 2.2;

/** Confidence of a model without mistakes. */
const flawlessConfidence = 0.999;

/**
 * Confidence of a model in an answer, 0–1: the calibrated probability that it is right. Bayesian, from how often the
 * model is right about this sample and a noisy signal that differs between right and wrong answers (signal detection
 * theory). Of all answers with confidence c, about the share c is right.
 */
export function selfConfidence(right: boolean, skill: number, draws: Draws): number {
  const feeling = drawNormal(draws) + (right ? separation / 2 : -separation / 2);
  const logit = Math.log(skill / (1 - skill)) + separation * feeling;
  return Number((1 / (1 + Math.exp(-logit))).toFixed(4));
}

/**
 * How often a model is right about sample `key`, between 0 and 1 (exclusive). Measured once per model and sample,
 * independent of earlier requests.
 */
export function skillMeter(): (
  key: string,
  context: AnswerContext,
  isRight: (context: AnswerContext) => boolean,
) => number {
  const known = new WeakMap<MistakeRates, Map<string, number>>();
  return (key, context, isRight) => {
    const { rates } = context;
    const skills = known.get(rates) ?? new Map<string, number>();
    known.set(rates, skills);
    const skill =
      skills.get(key) ?? measured({ ...context, draws: drawsFrom("skill", key) }, isRight);
    skills.set(key, skill);
    return skill;
  };
}

function measured(context: AnswerContext, isRight: (context: AnswerContext) => boolean): number {
  const successes = Array.from({ length: tries }, () => isRight(context)).filter(Boolean);
  return (successes.length + 0.5) / (tries + 1);
}

/** What identifies a sample of the suite `tools` in a request. */
interface Conversation {
  key: string;
  id: string;
  sample: ToolsSample;
  functions: readonly CallableFunction[];
  /** The last message. */
  text: string;
  /** Whether it is one of several turns; these end after the results of their calls. */
  isTurn: boolean;
}

type Message = ParsedChat["messages"][number];

/** Finds the sample of a request by its messages and the offered functions. */
function knownConversations(rows: readonly JsonObject[]) {
  const known = rows.flatMap(readConversation);
  const byMessages = Map.groupBy(known, ({ sample }) => saidKey(messagesOf(sample)));
  const byText = indexTexts(known);
  return {
    find(request: ParsedChat): Conversation | null {
      if (known.length === 0) return null;
      const whole = request.messages.map(({ text }) => text).join("\n\n");
      // In a conversation, the user messages identify the turn.
      const asked = request.messages.filter(
        ({ role, text }) => role === "user" && !isFromSuite(text),
      );
      const exact = byMessages.get(saidKey(request.messages)) ?? byMessages.get(saidKey(asked));
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
  return eachTurn(sample).map((one) => {
    const functions = one.tools.map((tool) => ({
      name: toolName(tool) ?? "",
      parameters: toolFunction(tool).parameters ?? { type: "object", properties: {} },
    }));
    const key = textKey(JSON.stringify([one.messages, one.tools]));
    const text = one.messages.at(-1)?.content ?? "";
    const isTurn = sample.conversation !== undefined;
    return { key, id: one.id, sample: one, functions, text, isTurn };
  });
}

/** The turns of a sample as samples: user messages and tools so far, and the turn's expected calls. */
function eachTurn(sample: ToolsSample): ToolsSample[] {
  const { conversation, ...rest } = sample;
  if (conversation === undefined) return [sample];
  const { opening, turns } = conversation;
  return turns.map(({ calls }, i) => {
    const before = turns.slice(0, i + 1);
    const messages = [...opening, ...before.flatMap((turn) => turn.messages)];
    const tools = [...conversation.tools, ...before.flatMap((turn) => turn.tools)];
    return { ...rest, messages, tools, expected_calls: calls };
  });
}

/** Whether the request has results of calls. */
function hasResults({ messages }: ParsedChat): boolean {
  const last = messages.at(-1);
  return last?.role === "tool" || last?.text.startsWith(resultsText) === true;
}

/** The suite's additions for models that get functions in their prompt. */
const resultsText = "Results of the calls:";
const isFromSuite = (text: string): boolean =>
  text.startsWith(resultsText) || text.startsWith("These functions are new:");

const messagesOf = ({ messages }: ToolsSample): Message[] =>
  messages.map(({ role, content }) => ({ role, text: content }));

/** System messages may have additions. */
function saidKey(messages: readonly Message[]): string {
  const spoken = messages.filter(({ role }) => role !== "system");
  return textKey(JSON.stringify(spoken.map(({ role, text }) => [role, text])));
}

/** Whether a prompt in another format contains all messages. */
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

/** Whether the request contains the sample's system message. */
function isInstructed({ messages }: ToolsSample, whole: string): boolean {
  return messages.every(({ role, content }) => role !== "system" || whole.includes(content));
}
