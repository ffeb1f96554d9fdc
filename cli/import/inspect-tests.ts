import { asObject, isJsonObject, type Json, type JsonObject } from "#shared/contracts/json.ts";
import { suggestion } from "../command-line/suggestion.ts";
import { BadInput } from "../errors.ts";
import type { ImportedSetup } from "./imported-config.ts";
import type { Check, ImportedTest } from "./imported-test.ts";
import { tagsOf } from "./imported-tests.ts";
import { type InspectLog, inspectHeader, inspectSamples, inspectText } from "./inspect-answers.ts";

/**
 * The samples of an Inspect log, epoch by epoch, with what is expected, and the grades of its scorers, or of `scorer`. A list of targets
 * is accepted in any of them; choices are appended to the question. Throws BadInput.
 * Source: UKGovernmentBEIS/inspect_ai, dataset/_dataset.py, scorer and solver/_multiple_choice.py at 499e615.
 */
export async function* inspectTests(
  log: InspectLog,
  scorer: string | null,
): AsyncGenerator<ImportedTest> {
  const known = new Set<string>();
  for await (const { place, id, sample } of inspectSamples(log)) {
    const { target, metadata } = sample;
    const scores = Object.entries(asObject(sample["scores"]));
    for (const [name] of scores) if (known.size < MOST_SCORERS) known.add(name);
    const targets = (Array.isArray(target) ? target : [target]).filter(
      (one): one is string => typeof one === "string" && one !== "",
    );
    yield {
      place,
      id,
      messages: messagesOf(sample),
      target: targets.length === 0 ? null : targets.join("\nor: "),
      schema: null,
      tags: tagsOf(asObject(metadata)),
      checks: scores
        .toSorted(([a], [b]) => Number(graders.test(b)) - Number(graders.test(a)))
        .map(([name, score]) => checkOf(name, score, scorer)),
      flaw: hasMedia(sample["input"]) ? "its input has images or other media" : null,
    };
  }
  if (scorer === null || known.has(scorer)) return;
  const hint = suggestion(scorer, [...known]) || `; choose ${[...known].join(", ")}`;
  throw new BadInput(`${log.path}: there is no scorer "${scorer}"${hint}`);
}

/** How Inspect asked the model of a log; what it did not set is not sent. Throws BadInput. */
export async function inspectSetup(log: InspectLog): Promise<ImportedSetup> {
  const { eval: its, plan } = await inspectHeader(log);
  const { model, model_generate_config: own, model_base_url: address } = asObject(its);
  const id = typeof model === "string" ? model : "unknown";
  const settings = {
    temperature: null,
    ...set(asObject(plan)["config"]),
    ...set(own),
    ...set({ base_url: address ?? null }),
  };
  for await (const { sample } of inspectSamples(log)) {
    const system = messagesOf(sample).filter(({ role }) => role === "system");
    const messages = [...system, { role: "user", content: "{text}" }];
    return { models: [{ name: id, id, separator: "/", settings }], messages };
  }
  throw new BadInput(`${log.path}: the log has no samples`);
}

/** Settings that are not null. */
const set = (settings: Json | undefined): JsonObject =>
  Object.fromEntries(Object.entries(asObject(settings)).filter(([, value]) => value !== null));

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

/** Scorers of a log that are named in messages. */
const MOST_SCORERS = 100;

const graders = /^model_graded_(qa|fact)$/;
const matchers = /^(match|includes|exact|answer|pattern|f1|choice)$/;

/** `scorer`: the one whose grades count; null: those that compare with the target. */
function checkOf(type: string, score: Json, scorer: string | null): Check {
  const isOfTarget = scorer === null ? graders.test(type) || matchers.test(type) : type === scorer;
  const grade = isOfTarget ? gradeOf(asObject(score)["value"]) : null;
  return { type, question: null, isOfTarget, weight: 1, grade, outcome: outcomeOf(type, scorer) };
}

function outcomeOf(type: string, scorer: string | null): string {
  if (type === scorer) {
    return "its grades are taken over: C, P, I, N, true and false, and numbers from 0 to 1";
  }
  if (scorer !== null) return "another scorer is chosen";
  return graders.test(type)
    ? "the target is the expected answer; a template or instructions of your own are not mapped: add them to the rubric"
    : matchers.test(type)
      ? "the target is the expected answer"
      : "not mapped: describe what it checks as a criterion; the target is the expected answer";
}

/** Correct, partly, incorrect, no answer. */
const grades: Readonly<Record<string, number>> = { C: 1, P: 0.5, I: 0, N: 0 };

function gradeOf(value: Json | undefined): number | null {
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "string") return Object.hasOwn(grades, value) ? grades[value]! : null;
  return typeof value === "number" && value >= 0 && value <= 1 ? value : null;
}
