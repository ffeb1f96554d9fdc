import { isJsonObject, type Json, type JsonObject } from "#shared/contracts/json.ts";
import type { Check, ImportedTest } from "./imported-tests.ts";
import { type PromptfooFile, promptfooRows, promptfooVars } from "./promptfoo-answers.ts";

/**
 * The tests of a file that promptfoo wrote with `--output results.json`, with their assertions. `textField`: the
 * variable that is the user's message; null: the whole prompt. Throws BadInput.
 * Source: promptfoo.dev, docs/configuration/expected-outputs (2026-11).
 */
export function* promptfooTests(
  file: PromptfooFile,
  textField: string | null,
): Generator<ImportedTest> {
  for (const { place, id, row } of promptfooRows(file)) {
    const test = isJsonObject(row["testCase"]) ? row["testCase"] : {};
    const vars = promptfooVars(row);
    const asserted = assertions(test["assert"]).map((one) => withVars(one, vars));
    const targets = asserted.filter(({ type }) => isExpected.test(`${type}`));
    const schemas = asserted.filter(({ type, value }) => isSchema(type) && isJsonObject(value));
    yield {
      place,
      id,
      messages: messagesOf(row, textField === null ? null : (vars[textField] ?? "")),
      target: targets[0]?.["value"] ?? null,
      schema: schemas[0]?.["value"] ?? null,
      checks: asserted.flatMap(checksOf),
    };
  }
}

/** Assertions, those of sets included. */
function assertions(given: Json | undefined): JsonObject[] {
  const list = Array.isArray(given) ? given.filter(isJsonObject) : [];
  return list.flatMap((one) => (one["type"] === "assert-set" ? assertions(one["assert"]) : [one]));
}

/** The assertion with the variables in its value filled in; filters and loops of templates stay as they are. */
function withVars(assertion: JsonObject, vars: JsonObject): JsonObject {
  const filled = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== "string") return value;
    return value.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => {
      const known = vars[name];
      if (known === undefined || known === null) return whole;
      return typeof known === "string" ? known : JSON.stringify(known);
    });
  };
  return { ...assertion, value: filled(assertion["value"] ?? null) };
}

const isQuestion = /^(llm-rubric|model-graded-closedqa|g-eval)$/;
const isExpected = /^(equals|factuality|model-graded-factuality)$/;
const isSchema = (type: Json | undefined) => type === "is-json" || type === "contains-json";
const isCode = /^(javascript|python|ruby|webhook)$/;
const isLimit = /^(cost|latency)$/;

function checksOf({ type: given, value, weight }: JsonObject): Check[] {
  const type = `${given ?? "unknown"}`;
  const check = {
    type,
    question: null,
    weight: typeof weight === "number" && weight >= 0 ? weight : 1,
  };
  if (!isQuestion.test(type)) return [{ ...check, outcome: outcomeOf(type, value ?? null) }];
  const texts = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string");
  const outcome = texts.length === 0 ? "not mapped: it has no text" : "a judge is asked the same";
  if (texts.length === 0) return [{ ...check, outcome }];
  return texts.map((text) => ({ ...check, question: text.trim(), outcome }));
}

function outcomeOf(type: string, value: Json): string {
  if (isExpected.test(type)) return "the expected answer";
  if (isSchema(type)) {
    return isJsonObject(value)
      ? "the JSON Schema of the answer, for --suite extraction"
      : "not mapped: it has no schema";
  }
  if (isCode.test(type))
    return "not mapped: code is not run: describe what it checks as a criterion";
  if (isLimit.test(type))
    return "not mapped: set a limit of the run, such as --fail-under latencyP95=2000";
  return "not mapped: describe what it checks as a criterion, or compare fields with --suite extraction";
}

/** The prompt as it was sent: a text, or messages as JSON. */
function messagesOf(row: JsonObject, text: Json): ImportedTest["messages"] {
  const prompt = isJsonObject(row["prompt"]) ? row["prompt"]["raw"] : row["prompt"];
  const raw = typeof prompt === "string" ? prompt : "";
  const messages = chatOf(raw) ?? [{ role: "user", content: raw }];
  if (text === null) return messages;
  const content = typeof text === "string" ? text : JSON.stringify(text);
  const before = messages.slice(0, -1);
  return [...before, { role: "user", content }];
}

function chatOf(raw: string): ImportedTest["messages"] | null {
  if (!raw.trimStart().startsWith("[")) return null;
  let list: unknown;
  try {
    list = JSON.parse(raw);
  } catch {
    return null;
  }
  const isMessage = (one: unknown): one is { role: string; content: string } =>
    isJsonObject(one) && typeof one["role"] === "string" && typeof one["content"] === "string";
  return Array.isArray(list) && list.length > 0 && list.every(isMessage)
    ? list.map(({ role, content }) => ({ role, content }))
    : null;
}
