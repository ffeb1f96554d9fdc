import type { Json, JsonObject } from "../../shared/contracts/json.ts";
import { checkSample, type SlotsSample } from "../../shared/suites/slots/sample.ts";
import type { Completion } from "../chat-response.ts";
import { type GarbleKind, garbleKinds, textGarbleKinds } from "../mistakes/garble.ts";
import { perturbSlots, type Slot, type Topics } from "../mistakes/perturb-slots.ts";
import type { ParsedChat } from "../parse-chat.ts";
import {
  type AnswerContext,
  type Claim,
  completeAnswer,
  type Responder,
  textKey,
} from "./responder.ts";
import { indexTexts } from "./text-index.ts";

interface Session {
  key: string;
  id: string;
  /** The conversation as in prompts. */
  text: string;
  /** The messages, without roles. */
  said: string;
  topics: Topics;
  /** The topics with their fields as in prompts. */
  list: string;
  expected: readonly Slot[];
}

/** Mistakes of whole outputs in line format. */
const lineGarbles: readonly GarbleKind[] = [
  "truncated_json",
  "chatty",
  "prose",
  ...textGarbleKinds,
];

/** Answers requests for the memory slots of known conversations: the expected ones, with the model's mistakes. */
export function slotsResponder(rows: readonly JsonObject[]): Responder {
  const index = indexTexts(rows.flatMap(readSession));
  return {
    claim(request) {
      const prompt = request.messages.map(({ text }) => text).join("\n\n");
      const candidates = index.within(prompt);
      const session = candidates.length > 1 ? byTopics(candidates, prompt) : candidates[0];
      return session === undefined ? null : claimSession(session, request, prompt);
    },
  };
}

function readSession(row: JsonObject): Session[] {
  const checked = checkSample(row);
  if (!checked.ok) return [];
  const { id, turns, topics, expected } = checked.value.sample;
  const text = turns.map(({ role, content }) => `${role}: ${content}`).join("\n");
  const said = turns.map(({ content }) => content).join("\n");
  const key = textKey(`${text}\n${JSON.stringify(topics)}`);
  const lines = Object.entries(topics).map(([topic, fields]) => `- ${topic}: ${fields.join(", ")}`);
  const list = lines.join("\n");
  return [{ key, id, text, said, topics, list, expected: slotsOf(expected) }];
}

function slotsOf(expected: SlotsSample["expected"]): Slot[] {
  return Object.entries(expected).flatMap(([topic, fields]) =>
    Object.entries(fields).flatMap(([field, value]) => {
      const values = (Array.isArray(value) ? value : [value]).filter(isSaid);
      return values.length > 0 ? [{ topic, field, values }] : [];
    }),
  );
}

const isSaid = (value: Json) => value !== null && String(value).trim() !== "";

/** Among sessions with the same conversation, the one with the longest topic list that the prompt contains. */
function byTopics(sessions: readonly Session[], prompt: string): Session | undefined {
  const listed = sessions.filter(({ list }) => `${prompt}\n`.includes(`${list}\n`));
  return listed.toSorted((a, b) => b.list.length - a.list.length)[0] ?? sessions[0];
}

function claimSession(session: Session, request: ParsedChat, prompt: string): Claim {
  const inLines =
    request.enforcement === "none" && /\w::\w+::/.test(prompt.replace(session.text, ""));
  const constrained = request.enforcement === "schema";
  return {
    key: session.key,
    id: session.id,
    answer: (context) => answerSession(session, { inLines, constrained }, context),
  };
}

function answerSession(
  { said, topics, expected }: Session,
  { inLines, constrained }: { inLines: boolean; constrained: boolean },
  context: AnswerContext,
): Completion {
  const isListed = ({ topic, field }: Slot) =>
    Object.hasOwn(topics, topic) && topics[topic]?.includes(field) === true;
  const known = constrained ? expected.filter(isListed) : expected;
  return completeAnswer(context, inLines ? lineGarbles : garbleKinds, (made) => {
    const mistakes = { ...context, constrained, made, root: {}, text: said };
    const slots = perturbSlots(known, topics, mistakes);
    return inLines ? asLines(slots) : asJson(slots);
  });
}

function asJson(slots: readonly Slot[]): string {
  const topics = new Map<string, [string, Json][]>();
  for (const { topic, field, values } of slots) {
    const texts = values.map(String);
    const fields = topics.get(topic) ?? [];
    fields.push([field, texts.length === 1 ? String(texts[0]) : texts]);
    topics.set(topic, fields);
  }
  const entries = [...topics].map(([topic, fields]) => [topic, Object.fromEntries(fields)]);
  return JSON.stringify(Object.fromEntries(entries));
}

function asLines(slots: readonly Slot[]): string {
  const lines = slots.map(
    ({ topic, field, values }) => `${topic}::${field}::${values.map(asOneValue).join(", ")}`,
  );
  return lines.join("\n") || "NONE";
}

/** Commas and semicolons separate values, except within brackets. */
function asOneValue(value: Json): string {
  const text = String(value).replace(/\s+/g, " ").trim();
  return /[,;]/.test(text) ? `(${text})` : text;
}
