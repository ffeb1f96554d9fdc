import { distance } from "fastest-levenshtein";
import { isJsonObject, type Json, type JsonObject } from "../../shared/contracts/json.ts";
import type { Draws } from "../draws.ts";
import { resolveSchema } from "../schemas/navigate.ts";
import { helpfulness } from "./advice-rubrics.ts";
import type { AnalyzedMaterial } from "./analyze-material.ts";
import type { JudgeBias } from "./cues.ts";
import { type FencedRequest, parseOr } from "./material.ts";
import { coherence } from "./text-rubrics.ts";

/**
 * A judgment for a schema without a known rubric. If the material has the parts `expected` and `predicted`, by their
 * similarity; otherwise by helpfulness and coherence.
 */
export function unknownJudgment(
  { schema, pieces }: FencedRequest,
  analyzed: AnalyzedMaterial,
  bias: JudgeBias,
  draws: Draws,
): JsonObject {
  const worth = bias.share(worthOf(pieces, analyzed, bias, draws));
  const judgment = fill(schema, schema, "", worth);
  return isJsonObject(judgment) ? judgment : {};
}

function worthOf(
  { expected, predicted }: FencedRequest["pieces"],
  analyzed: AnalyzedMaterial,
  bias: JudgeBias,
  draws: Draws,
): number {
  if (expected !== undefined && predicted !== undefined) return similarity(expected, predicted);
  const level = Number(helpfulness(analyzed, bias, draws)["helpfulness_score"]);
  const order = Number(coherence(analyzed, bias, draws)["coherence_score"]);
  return (level + order - 2) / 8;
}

/** A value of the schema's type that expresses `worth`, 0–1. */
function fill(root: Json, part: Json | undefined, name: string, worth: number): Json {
  const schema = resolveSchema(root, part);
  if (Array.isArray(schema["enum"])) return graded(schema["enum"], worth);
  const { type: types } = schema;
  const type = Array.isArray(types) ? types.find((one) => one !== "null") : types;
  switch (type) {
    case "object": {
      const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
      return Object.fromEntries(
        Object.entries(properties).map(([key, one]) => [key, fill(root, one, key, worth)]),
      );
    }
    case "array":
      return [];
    case "boolean":
      return worth >= 0.5;
    case "number":
    case "integer":
      return onScale(schema, worth);
    default:
      return name === "reasoning" ? reasoningFor(worth) : "";
  }
}

/** Words are assumed to be ordered, best first. */
const graded = (words: readonly Json[], worth: number): Json =>
  words[Math.round((1 - worth) * (words.length - 1))] ?? null;

/** Unless the schema says otherwise, integers are levels from 1 to 5 and other numbers are shares. */
function onScale({ type, minimum, maximum, description }: JsonObject, worth: number): number {
  const isLevel = type === "integer" && !/0 to 1\b/.test(String(description));
  const low = typeof minimum === "number" ? minimum : isLevel ? 1 : 0;
  const high = typeof maximum === "number" ? maximum : isLevel ? 5 : 1;
  const value = low + worth * (high - low);
  return type === "integer" ? Math.round(value) : value;
}

function reasoningFor(worth: number): string {
  if (worth >= 0.9) return "It is what it should be.";
  return worth >= 0.4 ? "It is so in part." : "It is not what it should be.";
}

const numbers = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** Minimum similarity of spellings that may be typing errors. */
const leastSpelling = 0.75;

/** Longer texts are compared by words only: edit distance is quadratic. */
const longestSpelt = 500;

/**
 * Similarity of two values, 0–1: equal words in any order, or nearly equal spelling. 1 if both are empty, 0 if one is.
 * @example similarity("two cats", "2 cats") // 1
 */
export function similarity(expected: string, predicted: string): number {
  const [a, b] = [wordsOf(expected), wordsOf(predicted)];
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0;
  const shared = a.filter((word) => b.includes(word)).length;
  const [precision, recall] = [
    b.filter((word) => a.includes(word)).length / b.length,
    shared / a.length,
  ];
  const sameWords = shared === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return Math.max(sameWords, spelling(a.join(" "), b.join(" ")));
}

function spelling(a: string, b: string): number {
  const length = Math.max(a.length, b.length);
  if (length > longestSpelt) return 0;
  const alike = 1 - distance(a, b) / length;
  return alike >= leastSpelling ? alike : 0;
}

function wordsOf(text: string): string[] {
  const words =
    flat(parseOr(text, text))
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const isNothing = words.length === 1 && /^(?:none|null|empty|nothing)$/.test(words[0]!);
  return isNothing ? [] : words.map((word) => String(numbers.indexOf(word)).replace("-1", word));
}

function flat(value: Json): string {
  if (Array.isArray(value)) return value.map(flat).join(" ");
  if (isJsonObject(value)) return Object.values(value).map(flat).join(" ");
  return value === null ? "" : String(value);
}
