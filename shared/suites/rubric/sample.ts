import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { type Labels, readLabels } from "../../contracts/judging/rating.ts";
import { err, ok, type Result } from "../../contracts/result.ts";
import type { CheckedSample } from "../../contracts/suite.ts";
import { readTurns, type Turn } from "../../judges/exchange.ts";
import { isTags } from "../../measures/repeats.ts";
import { mostCriteria } from "./rubric.ts";

/** A question for an answer that judges grade. */
export interface RubricSample {
  id: string;
  query: string;
  system: string | null;
  history: Turn[];
  /** Text that is shown to the model with the query. */
  context: string | null;
  /** One good answer, for judges only. */
  reference: string | null;
  /** People's grades of one answer, by criterion, on its own scale. */
  human: Labels<HumanGrades>;
  /** Ids of criteria that do not apply to the sample. */
  skip: string[];
  tags: Record<string, string>;
}

/** The mean of people's grades by criterion. */
export type HumanGrades = Readonly<Record<string, number>>;

/** Bounds the cost of one sample: characters of each text, and people's grades of a criterion. */
const maxChars = 200_000;
const mostGrades = 100;

const fields = [
  "id",
  "query",
  "system",
  "history",
  "context",
  "reference",
  "human",
  "skip",
  "tags",
];

/** Texts of a sample that may be missing. */
const optionalTexts = ["system", "context", "reference"] as const;

/**
 * Whether a dataset row can be used: an id and a query, and system message, history, context, reference, people's
 * grades, criteria to skip and tags if it has them. Any other field is an error: it may be a typing error. Grades and
 * criteria are compared with the rubric when answers are scored, because a dataset can be used with several rubrics.
 * Never throws.
 * @example checkSample({ id: "a", query: "" }) // { ok: false, error: "query must be a non-empty string" }
 */
export function checkSample(row: unknown): Result<CheckedSample<RubricSample>, string> {
  if (!isJsonObject(row)) return err("the row is not a JSON object");
  const unknown = Object.keys(row).find((name) => !fields.includes(name));
  if (unknown !== undefined) {
    return err(`unknown field ${JSON.stringify(unknown)}; there is ${fields.join(", ")}`);
  }
  const { id, query, tags = {}, human, skip = [] } = row;
  if (typeof id !== "string" || id === "") return err("id must be a non-empty string");
  if (typeof query !== "string" || query.trim() === "") {
    return err("query must be a non-empty string");
  }
  if (query.length > maxChars) return err(tooLong("query", query));
  const texts = readTexts(row);
  if (!texts.ok) return texts;
  const history = readTurns(row["history"]);
  if (!history.ok) return history;
  if (!isTags(tags)) return err("tags must be an object of strings");
  if (!isIds(skip)) return err(`skip must be a list of at most ${mostCriteria} ids of criteria`);
  const labels = readGrades(human ?? {});
  if (!labels.ok) return labels;
  const more = { history: history.value, human: labels.value, skip, tags };
  return ok({ sample: { id, query, ...texts.value, ...more }, warnings: [] });
}

const isIds = (list: Json): list is string[] =>
  Array.isArray(list) && list.length <= mostCriteria && list.every((id) => typeof id === "string");

type Texts = Pick<RubricSample, (typeof optionalTexts)[number]>;

/** An empty text counts as missing. */
function readTexts(row: JsonObject): Result<Texts, string> {
  const texts: Texts = { system: null, context: null, reference: null };
  for (const name of optionalTexts) {
    const text = row[name] ?? "";
    if (typeof text !== "string") return err(`${name} must be a string`);
    if (text.length > maxChars) return err(tooLong(name, text));
    texts[name] = text === "" ? null : text;
  }
  return ok(texts);
}

const tooLong = (name: string, text: string) =>
  `${name} has ${text.length} characters, but at most ${maxChars} are allowed`;

function readGrades(human: Json): Result<Labels<HumanGrades>, string> {
  const labels = readLabels(human);
  if (!labels.ok) return labels;
  const grades: [string, number][] = [];
  for (const [name, given] of Object.entries(labels.value.scores)) {
    const list = (Array.isArray(given) ? given : [given]).filter((one) => one !== null);
    if (list.length > mostGrades) return err(`human.${name} has more than ${mostGrades} grades`);
    if (!list.every((one) => typeof one === "number" && Number.isFinite(one))) {
      return err(`human.${name} must be a number, or a list of them`);
    }
    const known = list as number[];
    if (known.length === 0) continue;
    grades.push([name, known.reduce((sum, one) => sum + one, 0) / known.length]);
  }
  return ok({ scores: Object.fromEntries(grades), answerHash: labels.value.answerHash });
}
