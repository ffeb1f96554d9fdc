import { isJsonObject, type Json, type JsonObject } from "#shared/contracts/json.ts";
import type { Check, ImportedTest } from "./imported-test.ts";
import { tagsOf } from "./imported-tests.ts";
import { type InspectLog, inspectSamples, inspectText } from "./inspect-answers.ts";

/**
 * The samples of an Inspect log, epoch by epoch, with what is expected, and the grades of its scorers. A list of targets
 * is accepted in any of them; choices are appended to the question. Throws BadInput.
 * Source: UKGovernmentBEIS/inspect_ai, dataset/_dataset.py, scorer and solver/_multiple_choice.py at 499e615.
 */
export async function* inspectTests(log: InspectLog): AsyncGenerator<ImportedTest> {
  for await (const { place, id, sample } of inspectSamples(log)) {
    const { target, scores, metadata } = sample;
    const targets = (Array.isArray(target) ? target : [target]).filter(
      (one): one is string => typeof one === "string" && one !== "",
    );
    yield {
      place,
      id,
      messages: messagesOf(sample),
      target: targets.length === 0 ? null : targets.join("\nor: "),
      schema: null,
      tags: tagsOf(isJsonObject(metadata) ? metadata : {}),
      checks: Object.entries(isJsonObject(scores) ? scores : {})
        .toSorted(([a], [b]) => Number(graders.test(b)) - Number(graders.test(a)))
        .map(checkOf),
      flaw: hasMedia(sample["input"]) ? "its input has images or other media" : null,
    };
  }
}

const partsOf = (input: Json | undefined): Json[] =>
  (Array.isArray(input) ? input : []).flatMap((one) =>
    isJsonObject(one) && Array.isArray(one["content"]) ? one["content"] : [],
  );

const hasMedia = (input: Json | undefined): boolean =>
  partsOf(input).some((part) => isJsonObject(part) && part["type"] !== "text");

/** What the model was asked: the input, after the system message that a solver put before it. */
function messagesOf(sample: JsonObject): ImportedTest["messages"] {
  const { input, choices, messages: sent, attachments } = sample;
  const given: Json[] = Array.isArray(input) ? input : [{ role: "user", content: input ?? "" }];
  const read = (one: JsonObject) => ({
    role: `${one["role"]}`,
    content: inspectText(one["content"], attachments, "text"),
  });
  const messages = given.filter(isJsonObject).map(read);
  const letters = (Array.isArray(choices) ? choices : []).map(
    (choice, i) => `${String.fromCodePoint(65 + i)}) ${choice}`,
  );
  const last = messages.at(-1);
  if (last !== undefined && letters.length > 0) last.content += `\n\n${letters.join("\n")}`;
  const [first] = Array.isArray(sent) ? sent.filter(isJsonObject) : [];
  const isSolvers = first?.["role"] === "system" && messages[0]?.role !== "system";
  return isSolvers ? [read(first), ...messages] : messages;
}

const graders = /^model_graded_(qa|fact)$/;
const matchers = /^(match|includes|exact|answer|pattern|f1|choice)$/;

function checkOf([type, score]: [string, Json]): Check {
  const outcome = graders.test(type)
    ? "the target is the expected answer; a template or instructions of your own are not mapped: add them to the rubric"
    : matchers.test(type)
      ? "the target is the expected answer"
      : "not mapped: describe what it checks as a criterion; the target is the expected answer";
  const isOfTarget = graders.test(type) || matchers.test(type);
  const grade = isOfTarget ? gradeOf(isJsonObject(score) ? score["value"] : null) : null;
  return { type, question: null, isOfTarget, weight: 1, grade, outcome };
}

const grades: Readonly<Record<string, number>> = { C: 1, P: 0.5, I: 0 };

function gradeOf(value: Json | undefined): number | null {
  if (typeof value === "string") return Object.hasOwn(grades, value) ? grades[value]! : null;
  return typeof value === "number" && value >= 0 && value <= 1 ? value : null;
}
