import { bounds } from "../../contracts/bounds.ts";
import type { ChatRequest } from "../../contracts/chat-request.ts";
import { isJsonObject, type Json, textOrJson } from "../../contracts/json.ts";
import { scales } from "../../contracts/judging/judge.ts";
import { type Labels, readLabels } from "../../contracts/judging/rating.ts";
import { err, ok, type Result } from "../../contracts/result.ts";
import type { CheckedSample } from "../../contracts/suite.ts";
import { readTurns, type Turn } from "../../judges/exchange.ts";
import { judges } from "../../judges/judges.ts";
import { isTags } from "../../measures/repeats.ts";
import { type EmotionMix, readMix } from "./ask/emotions.ts";
import { type Personality, readPersonality } from "./ask/personality.ts";

/** A question of a person, with stored facts about that person. */
export interface MemorySample {
  id: string;
  query: string;
  /** Facts by key, as in the prompt. */
  memory: Record<string, string>;
  required_keys: string[];
  forbidden_keys: string[];
  neutral_keys: string[];
  /** Known emotions of the query: from speech, and from text. */
  emotion: { speech: EmotionMix | null; text: EmotionMix | null };
  personality: Personality | null;
  /** The spoken query as a data URL. */
  audio: string | null;
  history: Turn[];
  tags: Record<string, string>;
  /** People's scores of one answer, by metric. */
  human: Labels<HumanScores>;
}

/** Bounds the cost of one sample. */
const maxChars = 200_000;
const mostKeys = 500;

const lists = ["required_keys", "forbidden_keys", "neutral_keys"] as const;

type Part = Omit<MemorySample, "id">;

/**
 * Whether a dataset row can be used: it needs an id, a query and facts by key, and may have three disjoint lists of
 * keys and the other fields of the specification. A required key missing from the memory, which no answer could use,
 * gives a warning, and so does a key of the memory that is in no list. Never throws.
 * Source: docs/spec/memory.md, sample.
 * @example checkSample({ id: "a", query: "" }) // { ok: false, error: "query must be a non-empty string" }
 */
export function checkSample(row: unknown): Result<CheckedSample<MemorySample>, string> {
  if (!isJsonObject(row)) return err("the row is not a JSON object");
  const { id } = row;
  if (typeof id !== "string" || id === "") return err("id must be a non-empty string");
  const part: Partial<Part> = {};
  for (const [name, read] of Object.entries(readers)) {
    const found = read(row[name]);
    if (!found.ok) return found;
    Object.assign(part, { [name]: found.value });
  }
  const sample = { id, ...part } as MemorySample;
  const flaw = sharedKey(sample);
  return flaw === null ? ok({ sample, warnings: warningsOf(sample) }) : err(flaw);
}

const isGiven = (value: Json | undefined): value is NonNullable<Json> =>
  value !== undefined && value !== null;

const named = <T>(name: string, result: Result<T, string>): Result<T, string> =>
  result.ok ? result : err(`${name} ${result.error}`);

/** Reader of each field; its error names the field. */
const readers: { [Name in keyof Part]: (value: Json | undefined) => Result<Part[Name], string> } = {
  query: readQuery,
  memory: readMemory,
  required_keys: (value) => readKeys("required_keys", value),
  forbidden_keys: (value) => readKeys("forbidden_keys", value),
  neutral_keys: (value) => readKeys("neutral_keys", value),
  emotion: readEmotion,
  personality: (value) =>
    isGiven(value) ? named("personality", readPersonality(value)) : ok(null),
  audio: (value) => {
    if (!isGiven(value)) return ok(null);
    return typeof value === "string" && value !== ""
      ? ok(value)
      : err("audio must be a data URL of a WAV or MP3 recording");
  },
  history: readTurns,
  tags: (value = {}) => (isTags(value) ? ok(value) : err("tags must be an object of strings")),
  human: (value) =>
    isGiven(value) ? readHumanScores(value) : ok({ scores: {}, answerHash: null }),
};

function readQuery(value: Json | undefined): Result<string, string> {
  if (typeof value !== "string" || value.trim() === "") {
    return err("query must be a non-empty string");
  }
  return value.length <= maxChars
    ? ok(value)
    : err(`query has ${value.length} characters, but at most ${maxChars} are allowed`);
}

/** A fact that is not text appears in the prompt as JSON. */
function readMemory(value: Json | undefined): Result<Record<string, string>, string> {
  if (!isJsonObject(value)) return err("memory must be an object of facts by key");
  const facts = Object.entries(value).filter(([, fact]) => fact !== null);
  if (facts.length > mostKeys) return err(`memory has more than ${mostKeys} keys`);
  if (facts.some(([key]) => key.trim() === "")) return err("memory has a key without a name");
  const shown = facts.map(([key, fact]): [string, string] => [key, textOrJson(fact)]);
  const chars = shown.reduce((sum, [, fact]) => sum + fact.length, 0);
  if (chars > maxChars) return err(`memory has more than ${maxChars} characters`);
  return ok(Object.fromEntries(shown));
}

function readKeys(name: (typeof lists)[number], value: Json | undefined): Result<string[], string> {
  if (!isGiven(value)) return ok([]);
  if (!Array.isArray(value) || !value.every((key) => typeof key === "string" && key !== "")) {
    return err(`${name} must be a list of keys`);
  }
  if (value.length > mostKeys) return err(`${name} has more than ${mostKeys} keys`);
  if (value.some((key) => `${key}`.length > bounds.fieldName)) {
    return err(`${name} has a key of more than ${bounds.fieldName} characters`);
  }
  return ok([...new Set(value as string[])]);
}

function readEmotion(value: Json | undefined): Result<MemorySample["emotion"], string> {
  const emotion: MemorySample["emotion"] = { speech: null, text: null };
  if (!isGiven(value)) return ok(emotion);
  if (!isJsonObject(value)) return err("emotion must be an object with speech, text or both");
  for (const [name, mix] of Object.entries(value)) {
    if (name !== "speech" && name !== "text") {
      return err(`emotion may have speech and text, not ${JSON.stringify(name)}`);
    }
    if (mix === null) continue;
    const read = named(`emotion.${name}`, readMix(mix));
    if (!read.ok) return read;
    emotion[name] = read.value;
  }
  return ok(emotion);
}

function sharedKey(sample: MemorySample): string | null {
  for (const [i, name] of lists.entries()) {
    for (const other of lists.slice(i + 1)) {
      const shared = sample[name].find((key) => sample[other].includes(key));
      if (shared !== undefined) return `${JSON.stringify(shared)} is in ${name} and in ${other}`;
    }
  }
  return null;
}

function warningsOf(sample: MemorySample): string[] {
  const quoted = (keys: readonly string[]) => keys.map((key) => JSON.stringify(key)).join(", ");
  const missing = sample.required_keys.filter((key) => !Object.hasOwn(sample.memory, key));
  const listed = new Set(lists.flatMap((name) => sample[name]));
  const unlisted = Object.keys(sample.memory).filter((key) => !listed.has(key));
  const isUnheard = sample.audio !== null && recordingOf(sample.audio) === null;
  return [
    ...(isUnheard ? ["audio is not a data URL of WAV or MP3, so the query is spoken instead"] : []),
    ...(missing.length > 0 ? [`required but not in memory: ${quoted(missing)}`] : []),
    ...(unlisted.length > 0
      ? [`in memory but in no list, so not counted: ${quoted(unlisted)}`]
      : []),
  ];
}

/** People's ratings of an answer, by metric, on the metric's own scale. */
export type HumanScores = Partial<Record<string, number>>;

/**
 * People's scores in a row: for each metric a number on its scale, or a list of numbers, which is averaged; and the
 * rated answer. The error names the invalid score.
 * Source: docs/spec/memory.md, people's ratings.
 * @example readHumanScores({ empathy: [4, 5] }) // { ok: true, value: { scores: { empathy: 4.5 }, answerHash: null } }
 */
function readHumanScores(human: Json): Result<Labels<HumanScores>, string> {
  const labels = readLabels(human);
  if (!labels.ok) return labels;
  const scores: HumanScores = {};
  for (const [name, given] of Object.entries(labels.value.scores)) {
    const judge = judges.find(({ id }) => id === name);
    if (judge === undefined) {
      const ids = judges.map(({ id }) => id).join(", ");
      return err(`human may score ${ids}, not ${JSON.stringify(name)}`);
    }
    const list = (Array.isArray(given) ? given : [given]).filter((one) => one !== null);
    const [low, high] = scales[judge.scale];
    const isScore = (one: Json): one is number =>
      typeof one === "number" && one >= low && one <= high;
    if (!list.every(isScore)) {
      return err(`human.${name} must be a number from ${low} to ${high}, or a list of them`);
    }
    if (list.length > 0) scores[name] = list.reduce((sum, one) => sum + one, 0) / list.length;
  }
  return ok({ scores, answerHash: labels.value.answerHash });
}

const dataUrl = /^data:audio\/(?:x-)?(wav|wave|mp3|mpeg);base64,([A-Za-z0-9+/]+=*)$/;

/**
 * The recording in a sample: a data URL of WAV or MP3. Nothing is fetched, because an address in a dataset could
 * point anywhere.
 * @example recordingOf("data:audio/wav;base64,UklGRg==") // { data: "UklGRg==", format: "wav" }
 */
export function recordingOf(audio: string | null): NonNullable<ChatRequest["audio"]> | null {
  const [, kind, data] = dataUrl.exec(audio ?? "") ?? [];
  if (kind === undefined || data === undefined) return null;
  return { data, format: kind.startsWith("wav") ? "wav" : "mp3" };
}
