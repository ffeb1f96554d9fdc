import { isJsonObject, type JsonObject } from "../../shared/contracts/json.ts";
import { emotions } from "../../shared/suites/memory/ask/emotions.ts";
import { traits } from "../../shared/suites/memory/ask/personality.ts";
import { checkSample, type MemorySample } from "../../shared/suites/memory/sample.ts";
import type { AdviceTask } from "../advice/advice-task.ts";
import { writeAdvice } from "../advice/write-advice.ts";
import { addressesJudge } from "../judging/analyze-material.ts";
import { fencedPieces, schemaOf } from "../judging/material.ts";
import { moodOf } from "../language/moods.ts";
import { garbleKinds, textGarbleKinds } from "../mistakes/garble.ts";
import type { ParsedChat } from "../parse-chat.ts";
import { wordsIn } from "../speech/wave.ts";
import { requestKey } from "./prose.ts";
import { type AnswerContext, completeAnswer, type Responder, textKey } from "./responder.ts";

/** Names and numbers in prompts, such as `fear 0.62`. */
const named = /\b(\p{L}+):? (\d(?:\.\d+)?)\b/gu;

/**
 * Answers questions of known people if the system message has their stored facts: with advice that uses the required
 * facts, and the model's mistakes.
 */
export function memoryResponder(rows: readonly JsonObject[]): Responder {
  const samples = rows.flatMap(readSample);
  const byQuery = Map.groupBy(samples, ({ query }) => query.trim());
  return {
    claim(request) {
      const last = request.messages.at(-1);
      if (last?.role !== "user") return null;
      const asked = byQuery.get(last.text.trim());
      const sample = asked && byProfile(asked, systemText(request));
      if (sample === undefined) return null;
      const task = taskOf(sample, request);
      const { id, query, memory, history } = sample;
      return {
        key: textKey(JSON.stringify([query, memory, history])),
        id,
        answer: (context) =>
          completeAnswer(context, textGarbleKinds, (made) =>
            writeAdvice(task, { ...context, made }),
          ),
      };
    },
  };
}

function readSample(row: JsonObject): MemorySample[] {
  const checked = checkSample(row);
  return checked.ok ? [checked.value.sample] : [];
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

function systemText({ messages }: ParsedChat): string {
  return oneLine(messages.flatMap(({ role, text }) => (role === "system" ? [text] : [])).join(" "));
}

/** Among samples with the same query, the one with the most facts that the request contains completely. */
function byProfile(samples: readonly MemorySample[], system: string): MemorySample | undefined {
  const factsOf = ({ memory }: MemorySample) => Object.values(memory);
  return samples
    .filter((sample) => factsOf(sample).every((fact) => system.includes(oneLine(fact))))
    .toSorted((a, b) => factsOf(b).length - factsOf(a).length)[0];
}

/** Injected instructions in a profile are not facts; no simulated model uses them. */
function taskOf(sample: MemorySample, request: ParsedChat): AdviceTask {
  const { query, memory, required_keys: required, forbidden_keys: forbidden } = sample;
  const factOf = (key: string) => (Object.hasOwn(memory, key) ? [memory[key]!] : []);
  const numbers = Object.fromEntries(
    [...systemText(request).matchAll(named)].map(([, name, share]) => [name, Number(share)]),
  );
  return {
    query,
    emotion: pick(numbers, emotions),
    traits: pick(numbers, traits),
    required: required.flatMap(factOf),
    forbidden: forbidden
      .flatMap((key) => (Object.hasOwn(memory, key) ? factOf(key) : [key]))
      .filter((fact) => !addressesJudge(fact)),
    turns: request.messages.slice(0, -1).flatMap((m) => (m.role === "user" ? [m.text] : [])),
  };
}

function pick(numbers: Record<string, number>, names: readonly string[]): Record<string, number> {
  const known = names.filter((name) => numbers[name] !== undefined);
  return Object.fromEntries(known.map((name) => [name, numbers[name]!]));
}

/** Random factor for the share of an emotion, and random offset for a trait. */
const moodSpread = 0.3;
const characterSpread = 0.06;

/**
 * Recognises the emotion of a text or recording, and the character of its author: for requests whose schema has exactly
 * the names of emotions, or of the Big Five traits.
 */
export function stagesResponder(): Responder {
  return {
    claim(request) {
      const names = propertiesOf(schemaOf(request));
      const find = names.length === 0 ? null : finderFor(names);
      if (find === null) return null;
      const text = materialOf(request);
      const key = textKey(`${requestKey(request)}\n${request.audio.join("\n")}`);
      return {
        key,
        id: null,
        answer: (context) =>
          completeAnswer(context, garbleKinds, () => JSON.stringify(find(text, names, context))),
      };
    },
  };
}

function propertiesOf(schema: JsonObject | null): string[] {
  return isJsonObject(schema?.["properties"]) ? Object.keys(schema["properties"]) : [];
}

type Finder = (
  text: string | null,
  names: readonly string[],
  context: AnswerContext,
) => Record<string, number>;

function finderFor(names: readonly string[]): Finder | null {
  const areAll = (known: readonly string[]) => names.every((name) => known.includes(name));
  return areAll(emotions) ? emotionIn : areAll(traits) ? characterIn : null;
}

/** The words of a recording, else the fenced text, else all user text; null for an unknown recording. */
function materialOf({ audio, userText }: ParsedChat): string | null {
  const recording = audio[0];
  if (recording !== undefined) return wordsIn(Buffer.from(recording, "base64"));
  const pieces = fencedPieces(userText);
  return pieces === null ? userText : [pieces["profile"], pieces["query"]].join("\n");
}

/** For an unknown recording the emotion is random. */
const emotionIn: Finder = (text, names, { draws }) => {
  const mood = text === null ? {} : moodOf(text);
  const luck = () => 1 + moodSpread * (draws.unit() - 0.5);
  const shares = names.map((name) => (text === null ? draws.unit() : (mood[name] ?? 0) * luck()));
  const sum = shares.reduce((total, share) => total + share, 0) || 1;
  return Object.fromEntries(names.map((name, at) => [name, rounded(shares[at]! / sum)]));
};

const characterIn: Finder = (text, names, { draws }) => {
  const character = characterOf(text ?? "");
  const near = (value: number) => value + characterSpread * (2 * draws.unit() - 1);
  return Object.fromEntries(
    names.map((name) => [name, rounded(Math.min(1, Math.max(0, near(character[name] ?? 0.5))))]),
  );
};

const rounded = (value: number): number => Math.round(1_000 * value) / 1_000;

/** Word patterns for and against traits, in messages of a person and in facts about them. */
const signs: Readonly<Record<string, { more: RegExp; less: RegExp }>> = {
  openness: {
    more: /\b(?:curious|new|travel|music|paint|learn|yoga|reads?|try|abroad|idea)/giu,
    less: /\b(?:always|as usual|same|never changes|tradition)/giu,
  },
  conscientiousness: {
    more: /\b(?:plan|arrange|checked|every day|on time|list|measures|noted|need to|how should)/giu,
    less: /\b(?:forgot|late|putting off|mixed up|whatever|skip|spontaneous)/giu,
  },
  extraversion: {
    more: /\b(?:friends?|everyone|everybody|party|team|together|group|wedding|hug|sings?)/giu,
    less: /\b(?:alone|by myself|quiet|shy|in peace)/giu,
  },
  agreeableness: {
    more: /\b(?:thank|please|friendly|help|kind|nurses|let them down|grandmother|neighbour)/giu,
    less: /\b(?:damn|suing|quarrel|hate|fault|stupid|scream)/giu,
  },
  neuroticism: {
    more: /\b(?:afraid|worr|panic|anxi|can't sleep|cry|ashamed|round and round|nervous|rotten)/giu,
    less: /\b(?:calm|no trouble|fine|relaxed|sleeps well|marvellous)/giu,
  },
};

/** Change of a trait per sign, and maximum number of signs. */
const perSign = 0.12;
const mostSigns = 3;

/**
 * Levels of the Big Five traits of a person, 0–1, from texts of and about them; 0.5 without signs. Linear.
 * @example characterOf("Thank you, that was kind.").agreeableness > 0.5 // true
 */
function characterOf(text: string): Record<string, number> {
  const count = (sign: RegExp) => Math.min(mostSigns, text.match(sign)?.length ?? 0);
  return Object.fromEntries(
    Object.entries(signs).map(([name, { more, less }]) => [
      name,
      0.5 + perSign * (count(more) - count(less)),
    ]),
  );
}
