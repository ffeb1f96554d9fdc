import { isJsonObject, type JsonObject } from "../../shared/contracts/json.ts";
import { readCalls } from "../../shared/suites/tools/read.ts";
import { callScore } from "../../shared/suites/tools/score/match-calls.ts";
import type { Completion } from "../completion.ts";
import { garbleKinds, textGarbleKinds } from "../mistakes/garble.ts";
import { inventedCall, perturbCalls, type WrittenCall } from "../mistakes/perturb-calls.ts";
import type { ParsedChat } from "../parse-chat.ts";
import { type Conversation, knownConversations } from "./known-conversations.ts";
import { isFlawless, playAnswer } from "./play-answer.ts";
import type { Claim, Play, Player } from "./player.ts";
import { requestKey } from "./prose.ts";
import { flawlessConfidence, selfConfidence, skillMeter } from "./self-confidence.ts";

/** What a model says that calls nothing. */
const noCall = "None of the functions that I have can do that.";

/** Tokens of which a model is less sure than this are not what it says. */
const leastCertainty = 0.05;

/** How calls are asked for: as `tool_calls`, or as JSON in the content. */
type Mode = "native" | "prompt";

/**
 * Answers requests about known conversations with the calls that are right, with the model's mistakes;
 * other requests with tools by one call of the first, or of the one that `tool_choice` names; by one for each
 * of several words in double quotes, where nothing forbids it.
 */
export function toolsPlayer(rows: readonly JsonObject[]): Player {
  const known = knownConversations(rows);
  const skillOf = skillMeter();
  return {
    claim(request) {
      if (request.toolChoice === "none") return null;
      const conversation = known.find(request);
      if (conversation === null) return claimUnknown(request);
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
  const answer = (play: Play) => answerOnce(conversation, mode, play);
  const isRight = ({ content, toolCalls }: Completion) => {
    const given = { toolCalls: [...toolCalls], output: content };
    const { calls, leftOut } = readCalls(given, mode);
    return callScore(sample.expected_calls, calls, leftOut, false).f1 === 1;
  };
  return {
    key,
    id,
    answer(play) {
      const completion = answer(play);
      if (isFlawless(play)) return { ...completion, confidence: flawlessConfidence };
      const skill = skillOf(`${mode}\n${key}`, play, (again) => isRight(answer(again)));
      const confidence = selfConfidence(isRight(completion), skill, play.draws);
      return { ...completion, confidence, certainty: Math.max(leastCertainty, confidence) };
    },
  };
}

function answerOnce({ sample, functions }: Conversation, mode: Mode, play: Play): Completion {
  const text = sample.messages.map(({ content }) => content).join("\n");
  return playAnswer(play, mode === "native" ? textGarbleKinds : garbleKinds, (made) => {
    const slips = { ...play, constrained: false, made, root: {}, text };
    const toolCalls = perturbCalls(sample.expected_calls, functions, slips);
    if (mode === "prompt") return asJson(toolCalls);
    return { content: toolCalls.length === 0 ? noCall : null, toolCalls };
  });
}

/** Arguments that did not come out as JSON stand as the text they are. */
function asJson(calls: readonly WrittenCall[]): string {
  const listed = calls.map(({ name, arguments: text }) => ({ name, arguments: parsedOr(text) }));
  return JSON.stringify(listed);
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
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

/** What calls are about: each of several quoted words, or the whole, unless one call is wanted. */
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
