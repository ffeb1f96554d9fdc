import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { err, ok, type Result } from "../../contracts/result.ts";
import type { SampleHead } from "../../contracts/runs/unit.ts";
import type { CheckedSample } from "../../contracts/suite.ts";
import { isTooDeep, maxDepth } from "../../measures/json-output/nesting.ts";
import { type Slots, slotsOf, valuesOf } from "./read/slots.ts";

/** One turn of a session. */
interface Turn {
  role: string;
  content: string;
}

/** A conversation session, the fields that may be stored, and the expected slots. */
export interface SlotsSample {
  id: string;
  user: string;
  session: string | number;
  turns: Turn[];
  topics: Record<string, string[]>;
  expected: Record<string, JsonObject>;
  tags: Record<string, string>;
}

/** Limits of a sample: far more than a real session has; they bound schema, prompt and stored detail. */
const maxTurns = 2_000;
const maxTopics = 100;
const maxFields = 1_000;
const maxValues = 10_000;
const maxNameLength = 200;

/**
 * Whether a dataset row can be used: it needs an id, a user, a session (a number or a text), turns with role and
 * content, topics with their fields, and the expected slots. A value in `expected` is a text, a number, a boolean or
 * a list of these; null and empty values expect nothing. An expected slot that no topic lists gives a warning,
 * because the prompt does not name it; so does a sample that expects nothing. Never throws. Linear.
 * Source: docs/spec/slots.md, data.
 * @example checkSample({ id: "a" }) // { ok: false, error: "user must be …" }
 */
export function checkSample(row: unknown): Result<CheckedSample<SlotsSample>, string> {
  if (!isJsonObject(row)) return err("the row is not a JSON object");
  const { id, user, session, turns, topics, expected, tags = {} } = row;
  if (typeof id !== "string" || id === "") return err("id must be a non-empty string");
  if (!isName(user)) return err(`user must be ${aName}`);
  if (!isName(session) && !Number.isFinite(session)) {
    return err(`session must be a number or ${aName}`);
  }
  const flaw =
    turnsFlaw(turns) ?? topicsFlaw(topics) ?? expectedFlaw(expected) ?? tagsFlaw(tags) ?? null;
  if (flaw !== null) return err(flaw);
  const sample = { id, user, session, turns, topics, expected, tags } as unknown as SlotsSample;
  return ok({ sample, warnings: warningsOf(sample) });
}

const aName = `a string of 1 to ${maxNameLength} characters that is not blank`;
const isName = (name: unknown): name is string =>
  typeof name === "string" && name.trim() !== "" && name.length <= maxNameLength;

function turnsFlaw(turns: Json | undefined): string | undefined {
  if (!Array.isArray(turns) || turns.length === 0) return "turns must be a list, not empty";
  if (turns.length > maxTurns) return `turns are ${turns.length}: more than ${maxTurns}`;
  const at = turns.findIndex(
    (turn) => !isJsonObject(turn) || !isName(turn["role"]) || typeof turn["content"] !== "string",
  );
  return at < 0 ? undefined : `turns[${at}] must have a role and a content, both strings`;
}

function topicsFlaw(topics: Json | undefined): string | undefined {
  if (!isJsonObject(topics)) {
    return "topics must be an object: each topic with a list of its fields";
  }
  const entries = Object.entries(topics);
  if (entries.length === 0) return "topics must name at least one topic";
  if (entries.length > maxTopics) return `topics are ${entries.length}: more than ${maxTopics}`;
  let fieldCount = 0;
  for (const [topic, fields] of entries) {
    if (!isName(topic)) return `the name of a topic must be ${aName}`;
    if (!Array.isArray(fields) || !fields.every(isName)) {
      return `topics.${topic} must be a list of field names, each ${aName}`;
    }
    fieldCount += fields.length;
  }
  return fieldCount > maxFields
    ? `topics have ${fieldCount} fields: more than ${maxFields}`
    : undefined;
}

function expectedFlaw(expected: Json | undefined): string | undefined {
  if (!isJsonObject(expected)) {
    return "expected must be an object: topics with their fields and values";
  }
  if (isTooDeep(expected)) return `expected is nested deeper than ${maxDepth} levels`;
  let [slotCount, valueCount] = [0, 0];
  for (const [topic, fields] of Object.entries(expected)) {
    if (!isName(topic)) return `the name of a topic must be ${aName}`;
    if (!isJsonObject(fields)) return `expected.${topic} must be an object of fields and values`;
    for (const [field, value] of Object.entries(fields)) {
      const flaw = slotFlaw(topic, field, value);
      if (flaw !== undefined) return flaw;
      slotCount++;
      valueCount += valuesOf(value).length;
    }
  }
  if (slotCount > maxFields) return `expected has ${slotCount} slots: more than ${maxFields}`;
  return valueCount > maxValues
    ? `expected has ${valueCount} values: more than ${maxValues}`
    : undefined;
}

function slotFlaw(topic: string, field: string, value: Json): string | undefined {
  if (!isName(field)) return `the name of a field of expected.${topic} must be ${aName}`;
  return isValue(value)
    ? undefined
    : `expected.${topic}.${field} must be a string, number, boolean or a list of these`;
}

const isScalar = (value: Json) => typeof value !== "object" || value === null;
const isValue = (value: Json) => (Array.isArray(value) ? value.every(isScalar) : isScalar(value));

const tagsFlaw = (tags: Json): string | undefined =>
  isJsonObject(tags) && Object.values(tags).every((tag) => typeof tag === "string")
    ? undefined
    : "tags must be an object of strings";

/** Maximum unlisted slots named in the warning: enough to find the cause. */
const maxNamed = 5;

function warningsOf({ topics, expected }: SlotsSample): string[] {
  const slots = expectedSlots({ expected });
  if (slots.size === 0) return ["nothing is expected, so its F1 is always 0"];
  const unlisted: string[] = [];
  for (const [topic, fields] of slots) {
    const listed = new Set(Object.hasOwn(topics, topic) ? topics[topic] : []);
    for (const field of fields.keys()) if (!listed.has(field)) unlisted.push(`${topic}.${field}`);
  }
  if (unlisted.length === 0) return [];
  const named = unlisted.slice(0, maxNamed).join(", ");
  const more = unlisted.length > maxNamed ? ` and ${unlisted.length - maxNamed} more` : "";
  return [`expected, but not among the topics in the prompt: ${named}${more}`];
}

/**
 * The slots a sample expects.
 * @example expectedSlots(sample).get("basic_info")?.get("age") // ["34"]
 */
export function expectedSlots({ expected }: Pick<SlotsSample, "expected">): Slots {
  return slotsOf(expected);
}

/**
 * The head of a sample, without its body. A user's sessions are one group, and share a source; user and session
 * are tags, and replace the row's own tags of these names.
 * Source: docs/spec/slots.md, data and metrics.
 * @example sampleHead(sample).group // "mara"
 */
export function sampleHead(sample: SlotsSample): SampleHead & { tags: Record<string, string> } {
  const { id, user, session, tags } = sample;
  return { id, group: user, tags: { ...tags, user, session: String(session), cluster: user } };
}
