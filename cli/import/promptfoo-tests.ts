import { cutText } from "#shared/contracts/bounds.ts";
import {
  asObject,
  isJsonObject,
  type Json,
  type JsonObject,
  parsedJson,
  textOrJson,
} from "#shared/contracts/json.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { BadInput } from "../errors.ts";
import type { ImportedModel } from "./imported-config.ts";
import type { Check, ImportedMessage, ImportedTest } from "./imported-test.ts";
import { tagsOf } from "./imported-tests.ts";
import {
  type PromptfooFile,
  promptfooAnswer,
  promptfooProviders,
  promptfooRows,
  promptfooVars,
} from "./promptfoo-answers.ts";

/**
 * The tests in a file from promptfoo's `--output results.json`, with their assertions. `textField`: the
 * variable that is the input; null: the only variable of the prompt, otherwise the whole prompt. Throws BadInput.
 * Source: promptfoo.dev, docs/configuration/expected-outputs (2026-11).
 */
export function* promptfooTests(
  file: PromptfooFile,
  textField: string | null,
): Generator<ImportedTest> {
  const texts = textsOfFiles([...promptfooRows(file)].map(({ row }) => row));
  for (const { place, id, row } of promptfooRows(file)) {
    const test = asObject(row["testCase"]);
    const vars = promptfooVars(row);
    const own = textsOfFiles([row]);
    const whole = (one: JsonObject) => withVars(withText(withText(one, own), texts), vars);
    const asserted = assertions(test["assert"]).map(whole);
    const targets = asserted.filter(
      ({ type, value = null }) => isExpected.test(`${type}`) && !isFile(value),
    );
    const schemas = asserted.filter(({ type, value }) => isSchema(type) && isJsonObject(value));
    const grades = gradesOf(row["gradingResult"], whole);
    const sent = sentOf(row);
    const { metadata } = test;
    yield {
      place,
      id,
      model: file.provider ?? "",
      sent,
      input: inputOf(sent.at(-1)?.content ?? "", row, { place, file, textField }),
      target: targets[0]?.["value"] ?? null,
      schema: schemas[0]?.["value"] ?? null,
      tags: tagsOf(asObject(metadata)),
      checks: [...asserted, ...thresholdsOf(test)].flatMap((one) =>
        checksOf(one, grades.get(keyOf(one)) ?? null),
      ),
      flaw: null,
      answer: promptfooAnswer(id, row),
    };
  }
}

/** The input of a test within the last message. Throws BadInput if the test does not have the variable. */
function inputOf(
  last: string,
  row: JsonObject,
  { place, file, textField }: { place: string; file: PromptfooFile; textField: string | null },
): string {
  const vars = promptfooVars(row);
  const names = promptVariables(file, row);
  const value = vars[textField ?? (names.length === 1 ? names[0]! : "")] ?? null;
  if (value === null && textField !== null) {
    const known = names.length === 0 ? "" : `; its prompt has ${names.join(", ")}`;
    throw new BadInput(`${place}: its test has no variable "${textField}"${known}`);
  }
  const text = value === null ? "" : textOrJson(value);
  // A template filter may have changed the value.
  return textField !== null || (text !== "" && last.includes(text)) ? text : last;
}

/** The variables in the last message of a prompt's template; empty if the template is not text. */
function promptVariables({ document }: PromptfooFile, { prompt, promptIdx }: JsonObject): string[] {
  const { prompts } = asObject(document["results"]);
  const listed = Array.isArray(prompts) ? asObject(prompts[Number(promptIdx ?? 0)])["raw"] : null;
  const template = `${listed ?? asObject(prompt)["label"] ?? ""}`;
  const last = chatOf(template)?.at(-1)?.content ?? template;
  const found = last.slice(0, LONGEST_TEMPLATE).matchAll(/\{\{-?\s*(\w+)/g);
  return [...new Set([...found].map(([, name]) => name!))];
}

/** Maximum length of a template that is searched for variables. */
const LONGEST_TEMPLATE = 100_000;

/**
 * Notes on the file: how many tests passed in promptfoo, who graded them, and a prompt with several variables.
 * `isWhole`: queries are whole prompts if there are several variables. Throws BadInput.
 */
export function promptfooNotes(file: PromptfooFile, isWhole: boolean): string[] {
  const rows = [...promptfooRows(file)].map(({ row }) => row);
  const graders = new Set(rows.flatMap(gradersOf));
  const names = [...new Set(rows.flatMap((row) => promptVariables(file, row)))];
  const passed = rows.filter(({ success }) => success === true).length;
  const who = file.provider === null ? "" : `, ${file.provider}`;
  return [
    ...Array.from(graders, (grader) => `grader ${grader} is not used: ${ownJudges}`),
    ...(isWhole && names.length > 1 ? [`prompt with ${names.join(", ")}: ${wholePrompt}`] : []),
    `promptfoo${who}: ${passed} of ${counted(rows.length, "test")} passed`,
  ];
}

const ownJudges = "name a judge in the config, as options: { judge: provider:model }";

const wholePrompt =
  "each query is the whole prompt, so that another prompt makes another dataset: name the variable that is the input with --text-field if the others are the same in all tests; or take the text that all queries share out of the samples, and write it into the config as prompts: { user: … {query} … }";

/** Names of the models or files that grade a test. */
function gradersOf({ testCase }: JsonObject): string[] {
  const { options, assert } = asObject(testCase);
  const given = [asObject(options), ...assertions(assert)].map(({ provider }) => provider);
  return given.flatMap((one) => {
    const name = isJsonObject(one) ? one["id"] : one;
    return typeof name === "string" && name !== "" ? [cutText(name, LONGEST_GRADER)] : [];
  });
}

/** Maximum length of a grader's name in a note. */
const LONGEST_GRADER = 80;

/** Each provider with results once, with its settings in promptfoo's config. Throws BadInput. */
export function promptfooModels(file: PromptfooFile): ImportedModel[] {
  const { providers: configured } = asObject(file.document["config"]);
  const list = Array.isArray(configured) ? configured : [configured];
  const options = list.filter(isJsonObject).flatMap((one) => {
    const { id } = one;
    // promptfoo also allows options by id.
    const all = Object.entries(one).map(([id, more]) => ({ ...asObject(more), id }));
    return typeof id === "string" ? [one] : all;
  });
  const names = new Map(promptfooProviders(file).map((one) => [one.at(-1)!, one]));
  return [...names].map(([name, all]) => {
    const own = options.find(({ id, label }) => label === name || (!label && id === name));
    const settings = asObject(asObject(own)["config"]);
    return { name: cutText(name, 120), id: all[0]!, separator: ":", settings };
  });
}

/** An assertion by its type and value. */
const keyOf = ({ type, value }: JsonObject): string => JSON.stringify([type, value ?? null]);

/** promptfoo's verdicts by assertion. */
function gradesOf(
  grading: Json | undefined,
  whole: (assertion: JsonObject) => JsonObject,
): Map<string, number> {
  return new Map(
    componentsOf(grading).flatMap(({ assertion, pass }): [string, number][] =>
      isJsonObject(assertion) && typeof pass === "boolean"
        ? [[keyOf(whole(assertion)), Number(pass)]]
        : [],
    ),
  );
}

function componentsOf(grading: Json | undefined): JsonObject[] {
  const parts = isJsonObject(grading) ? grading["componentResults"] : null;
  return Array.isArray(parts) ? parts.filter(isJsonObject) : [];
}

const isFile = (value: Json): value is string =>
  typeof value === "string" && value.startsWith("file://");

/** Texts of files in assertions, which promptfoo stores with its verdicts; without files that have several texts. */
function textsOfFiles(rows: readonly JsonObject[]): Map<string, string> {
  const graded = rows.flatMap((row) => componentsOf(row["gradingResult"]));
  const found = graded.flatMap(({ assertion, metadata }): [string, string][] => {
    const { value = null } = asObject(assertion);
    const { renderedAssertionValue: text } = asObject(metadata);
    return isFile(value) && typeof text === "string" ? [[value, text]] : [];
  });
  const texts = new Map(found);
  for (const [name, text] of found) if (texts.get(name) !== text) texts.delete(name);
  return texts;
}

/** The assertion with its file name replaced by the file's text, if known. */
function withText(assertion: JsonObject, texts: ReadonlyMap<string, string>): JsonObject {
  const { value = null } = assertion;
  return isFile(value) ? { ...assertion, value: texts.get(value) ?? value } : assertion;
}

/** Assertions, including assertions in sets. */
function assertions(given: Json | undefined): JsonObject[] {
  const list = Array.isArray(given) ? given.filter(isJsonObject) : [];
  return list.flatMap((one) => (one["type"] === "assert-set" ? assertions(one["assert"]) : [one]));
}

/** Thresholds of a test and of its assertion sets, in the form of assertions. */
function thresholdsOf(test: JsonObject): JsonObject[] {
  const sets = Array.isArray(test["assert"]) ? test["assert"].filter(isJsonObject) : [];
  return [test, ...sets.filter(({ type }) => type === "assert-set")]
    .filter(({ threshold }) => typeof threshold === "number")
    .map(() => ({ type: "threshold" }));
}

/** The assertion with variables filled into its value. */
const withVars = (assertion: JsonObject, vars: JsonObject): JsonObject => ({
  ...assertion,
  value: filled(assertion["value"] ?? null, vars),
});

/** Fills variables into texts; template filters and loops are not evaluated. */
function filled(value: Json, vars: JsonObject): Json {
  if (Array.isArray(value)) return value.map((one) => filled(one, vars));
  if (typeof value !== "string") return value;
  return value.replace(/\{\{-?\s*([\w.]+)\s*-?\}\}/g, (whole, path: string) => {
    const known = path.split(".").reduce(valueIn, vars);
    return known === null ? whole : textOrJson(known);
  });
}

const valueIn = (of: Json, name: string): Json =>
  of !== null && typeof of === "object" && Object.hasOwn(of, name)
    ? ((of as JsonObject)[name] ?? null)
    : null;

/** A template expression that was not filled in. */
const isTemplate = /\{[{%]/;

const isQuestion = /^(not-)?(llm-rubric|model-graded-closedqa|g-eval)$/;
const isExpected = /^(equals|factuality|model-graded-factuality)$/;
const isSchema = (type: Json | undefined) => type === "is-json" || type === "contains-json";
const isCode = /^(javascript|python|ruby|webhook)$/;

/** Text assertions as statements for a judge. */
const aboutText: Readonly<Record<string, (value: string) => string>> = {
  contains: (value) => `It contains ${value}.`,
  icontains: (value) => `It contains ${value}, in upper or lower case.`,
  "contains-all": (value) => `It contains all of: ${value}.`,
  "icontains-all": (value) => `It contains all of: ${value}, in upper or lower case.`,
  "contains-any": (value) => `It contains one of: ${value}.`,
  "icontains-any": (value) => `It contains one of: ${value}, in upper or lower case.`,
  "starts-with": (value) => `It starts with ${value}.`,
  regex: (value) => `A part of it matches the regular expression ${value}.`,
};

/** The equivalent question for a judge; null if there is none. */
function questionOf(type: string, value: Json): string | null {
  const isNot = type.startsWith("not-");
  const words = aboutText[type.replace(/^not-/, "")];
  const isList = /-(any|all)$/.test(type);
  const listed = isList && typeof value === "string" ? separated(value) : value;
  const texts = (Array.isArray(listed) ? listed : [listed]).filter((one) => one !== null);
  if (texts.length === 0) return null;
  const shown = texts.map(textOrJson);
  const plain = words === undefined || type.endsWith("regex");
  const joined = (plain ? shown : shown.map(quoted)).join(words === undefined ? "\n" : ", ");
  const text = words === undefined ? joined : words(joined);
  return isNot ? `This must not be so: ${text}` : text.trim();
}

const quoted = (text: string): string => JSON.stringify(text);

/** Comma-separated texts; quoted texts may contain commas. */
const separated = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|[^,"]+/g)]
    .map(([plain, inside]) => inside ?? plain.trim())
    .filter((one) => one !== "");

function checksOf(
  { type: given, value = null, weight }: JsonObject,
  grade: number | null,
): Check[] {
  const type = `${given ?? "unknown"}`;
  const check = {
    type,
    question: null,
    isOfTarget: isExpected.test(type) && !isFile(value),
    isMapped: (isExpected.test(type) && !isFile(value)) || (isSchema(type) && isJsonObject(value)),
    grade,
    weight: typeof weight === "number" && weight >= 0 ? weight : 1,
  };
  if (isFile(value) && !isCode.test(type)) return [{ ...check, outcome: outcomeOfFile(type) }];
  const isOfText = Object.hasOwn(aboutText, type.replace(/^not-/, ""));
  if (!isQuestion.test(type) && !isOfText) return [{ ...check, outcome: outcomeOf(type, value) }];
  const question = questionOf(type, value);
  const same = isOfText
    ? "a question for the judge, not an exact check"
    : "a judge is asked the same";
  const filledIn = isTemplate.test(question ?? "")
    ? `${same}, but a template in it is not filled in: edit the question`
    : same;
  const outcome = question === null ? "not mapped: it has no text" : filledIn;
  return [{ ...check, question, outcome }];
}

const outcomeOfFile = (type: string): string =>
  isSchema(type)
    ? "not mapped: its schema is in a file: give it with --schema"
    : "not mapped: its text is in a file that the results lack; describe what it checks as a criterion";

function outcomeOf(type: string, value: Json): string {
  if (isExpected.test(type)) return "the expected answer";
  if (isSchema(type)) {
    return isJsonObject(value)
      ? "not mapped in suite rubric; its schema is that of the answer in --suite extraction"
      : "not mapped: it has no schema";
  }
  if (isCode.test(type)) {
    return "not mapped, because code is not run; describe what it checks as a criterion";
  }
  if (type === "latency") return "not mapped: set a limit, such as --fail-under latencyP95=2000";
  if (type === "threshold") return "not mapped: set a limit, such as --fail-under rubricScore=0.8";
  if (type === "cost") return "not mapped: the option maxCostUsd stops a run";
  return "not mapped: describe what it checks as a criterion";
}

/** The sent prompt: a text, or messages as JSON. */
function sentOf(row: JsonObject): ImportedMessage[] {
  const prompt = isJsonObject(row["prompt"]) ? row["prompt"]["raw"] : row["prompt"];
  const raw = typeof prompt === "string" ? prompt : "";
  return chatOf(raw) ?? [{ role: "user", content: raw }];
}

function chatOf(raw: string): ImportedMessage[] | null {
  if (!raw.trimStart().startsWith("[")) return null;
  const list = parsedJson(raw);
  const isMessage = (one: unknown): one is { role: string; content: string } =>
    isJsonObject(one) && typeof one["role"] === "string" && typeof one["content"] === "string";
  return Array.isArray(list) && list.length > 0 && list.every(isMessage)
    ? list.map(({ role, content }) => ({ role, content }))
    : null;
}
