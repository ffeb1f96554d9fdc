import { cutText } from "#shared/contracts/bounds.ts";
import { asObject, isJsonObject, type Json, type JsonObject } from "#shared/contracts/json.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { suggestion } from "#shared/contracts/text/suggestion.ts";
import { BadInput } from "../errors.ts";
import type { ImportedModel } from "./imported-config.ts";
import type { Check, ImportedMessage, ImportedTest } from "./imported-test.ts";
import { tagsOf } from "./imported-tests.ts";
import {
  type InspectLog,
  inspectAnswer,
  inspectHeader,
  inspectSamples,
  inspectText,
} from "./inspect-answers.ts";

/**
 * The samples of an Inspect log in the order of epochs, with targets and the grades of its scorers, or of `scorer`. Any
 * target of a list is accepted; choices are appended to the question. Throws BadInput.
 * Source: UKGovernmentBEIS/inspect_ai, dataset/_dataset.py, scorer and solver/_multiple_choice.py at 499e615.
 */
export async function* inspectTests(
  log: InspectLog,
  scorer: string | null,
): AsyncGenerator<ImportedTest> {
  const known = new Set<string>();
  for await (const { place, id, sample } of inspectSamples(log)) {
    const scores = Object.entries(asObject(sample["scores"]));
    for (const [name] of scores) if (known.size < MOST_SCORERS) known.add(name);
    refuseOtherScale(place, scores, scorer);
    yield testOf(sample, { place, id, scores, scorer });
  }
  if (scorer === null || known.has(scorer)) return;
  const hint = suggestion(scorer, [...known]) || `; choose ${[...known].join(", ")}`;
  throw new BadInput(`${log.path}: there is no scorer "${scorer}"${hint}`);
}

type Scores = readonly [name: string, score: Json][];

/** Throws BadInput for grades outside 0 to 1: on a scale from 1 to 5, single grades would look valid. */
function refuseOtherScale(place: string, scores: Scores, scorer: string | null): void {
  const { value } = asObject(scores.find(([name]) => name === scorer)?.[1]);
  if (typeof value !== "number" || (value >= 0 && value <= 1)) return;
  throw new BadInput(
    `${place}: scorer "${scorer}" gives ${value}: its grades are not numbers from 0 to 1, so they can't be imported`,
  );
}

function testOf(
  sample: JsonObject,
  {
    place,
    id,
    scores,
    scorer,
  }: { place: string; id: string; scores: Scores; scorer: string | null },
): ImportedTest {
  const { target, metadata } = sample;
  const input = inputOf(sample);
  const turns = input.filter(({ role }) => role !== "system");
  const sent = sentOf(sample, input);
  const targets = (Array.isArray(target) ? target : [target]).filter(
    (one): one is string => typeof one === "string" && one !== "",
  );
  return {
    place,
    id,
    model: "",
    sent,
    input: turns.length === 1 ? turns[0]!.content : null,
    target: targets.length === 0 ? null : targets.join("\nor: "),
    schema: null,
    tags: tagsOf(asObject(metadata)),
    checks: withoutOthers(
      scores
        .toSorted(([a], [b]) => Number(graders.test(b)) - Number(graders.test(a)))
        .map(([name, score]) => checkOf(name, score, scorer)),
    ),
    flaw: hasMedia(sample["input"]) ? "its input has images or other media" : null,
    answer: inspectAnswer(id, sample),
  };
}

/** The checks with only the first grade that compares with the target, because an answer has only one. */
function withoutOthers(checks: readonly Check[]): Check[] {
  const taken = checks.find(({ isOfTarget, grade }) => isOfTarget && grade !== null);
  return checks.map((check) => {
    if (taken === undefined || check === taken || !check.isOfTarget) return check;
    const outcome = `not mapped: the grades come from ${taken.type}; use --scorer ${check.type} to import these`;
    return { ...check, isMapped: false, outcome };
  });
}

/** The model of a log with the settings that the log states, and notes on what is not mapped. Throws BadInput. */
export async function inspectModel(
  log: InspectLog,
): Promise<{ model: ImportedModel; notes: string[] }> {
  const header = await inspectHeader(log);
  const { eval: task, plan } = header;
  const { model, model_generate_config: own, model_base_url: address, config } = asObject(task);
  const { steps, config: planned } = asObject(plan);
  const id = typeof model === "string" ? model : "unknown";
  const solvers = (Array.isArray(steps) ? steps : []).flatMap((step) => {
    const { solver } = asObject(step);
    return typeof solver === "string" && !promptSolvers.test(solver) ? [solver] : [];
  });
  const { epochs_reducer: reducer = null } = asObject(config);
  const reducers = (Array.isArray(reducer) ? reducer : [reducer]).filter((one) => one !== null);
  const settings = {
    temperature: null,
    ...set(planned),
    ...set(own),
    ...set({ base_url: address ?? null }),
  };
  return {
    model: { name: cutText(id, 120), id, separator: "/", settings },
    notes: [
      ...solvers.map(
        (name) =>
          `solver ${cutText(name, 80)}: not mapped: a config asks the bare model; an agent is evaluated as a program: docs/programs.md`,
      ),
      ...(reducers.every((one) => one === "mean")
        ? []
        : [`epochs_reducer ${cutText(reducers.join(", "), 80)}: not mapped: repeats are averaged`]),
      ...resultsOf(header),
    ],
  };
}

/** The log's results for comparison: whether it is complete, and its metrics. */
function resultsOf({ status, eval: evaluation, results }: JsonObject): string[] {
  const { samples } = asObject(asObject(evaluation)["dataset"]);
  const { scores, total_samples: total, completed_samples: completed } = asObject(results);
  const of = typeof samples === "number" ? ` of the ${counted(samples, "sample")}` : " samples";
  const failed = typeof total === "number" && typeof completed === "number" ? total - completed : 0;
  const figures = (Array.isArray(scores) ? scores.filter(isJsonObject) : []).flatMap(
    ({ name, metrics }) =>
      Object.entries(asObject(metrics))
        .filter(([metric]) => !spreads.test(metric))
        .map(([metric, one]) => ({ metric: `${name}: ${metric}`, value: asObject(one)["value"] })),
  );
  return [
    ...(status === "success" || status === undefined
      ? []
      : [`status ${cutText(`${status}`, 20)}: the log may lack some${of} of its dataset`]),
    ...(failed > 0
      ? [`${counted(failed, "sample")} failed: they score 0, and Inspect leaves them out`]
      : []),
    ...figures
      .filter(({ value }) => typeof value === "number")
      .slice(0, MOST_FIGURES)
      .map(({ metric, value }) => `Inspect, ${cutText(metric, 80)} ${Number(value).toFixed(3)}`),
  ];
}

/** Metrics of the spread of scores. */
const spreads = /(^|_)(stderr|std|var|bootstrap_stderr|ci_(lower|upper))$/;
const MOST_FIGURES = 10;

/** Solvers that only create the prompt, which the log contains. */
const promptSolvers =
  /^(inspect_ai\/)?(generate|system_message|user_message|assistant_message|prompt_template|chain_of_thought|multiple_choice)$/;

/** Settings that are not null. */
const set = (settings: Json | undefined): JsonObject =>
  Object.fromEntries(Object.entries(asObject(settings)).filter(([, value]) => value !== null));

const partsOf = (input: Json | undefined): Json[] =>
  (Array.isArray(input) ? input : []).flatMap((one) =>
    isJsonObject(one) && Array.isArray(one["content"]) ? one["content"] : [],
  );

const hasMedia = (input: Json | undefined): boolean =>
  partsOf(input).some((part) => isJsonObject(part) && part["type"] !== "text");

/** The input without other messages. */
function inputOf({ input, attachments }: JsonObject): ImportedMessage[] {
  const given: Json[] = Array.isArray(input) ? input : [{ role: "user", content: input ?? "" }];
  return given.filter(isJsonObject).map((one) => messageOf(one, attachments));
}

const messageOf = (one: JsonObject, attachments: Json | undefined): ImportedMessage => ({
  role: `${one["role"]}`,
  content: inspectText(one["content"], attachments, "text"),
});

/** The messages before the model's first answer; the input with its choices if the log has no messages. */
function sentOf(sample: JsonObject, input: readonly ImportedMessage[]): ImportedMessage[] {
  const { choices, messages, attachments } = sample;
  const isAnswer = ({ role }: ImportedMessage) => role === "assistant";
  const all = (Array.isArray(messages) ? messages.filter(isJsonObject) : []).map((one) =>
    messageOf(one, attachments),
  );
  const answers = [...all.entries()].filter(([, one]) => isAnswer(one)).map(([at]) => at);
  const sent = all.slice(0, answers[input.filter(isAnswer).length] ?? all.length);
  if (sent.at(-1)?.role === "user") return sent;
  const letters = (Array.isArray(choices) ? choices : []).map(
    (choice, i) => `${String.fromCodePoint(65 + i)}) ${choice}`,
  );
  return input.map((one, i) =>
    i === input.length - 1 && letters.length > 0
      ? { ...one, content: `${one.content}\n\n${letters.join("\n")}` }
      : one,
  );
}

/** Maximum scorers of a log that are named in messages. */
const MOST_SCORERS = 100;

const graders = /^model_graded_(qa|fact)$/;
const matchers = /^(match|includes|exact|answer|pattern|f1|choice)$/;

/** `scorer`: the scorer whose grades count; null: all scorers that compare with the target. */
function checkOf(type: string, score: Json, scorer: string | null): Check {
  const isOfTarget = scorer === null ? graders.test(type) || matchers.test(type) : type === scorer;
  const grade = isOfTarget ? gradeOf(asObject(score)["value"]) : null;
  const isRounded = type !== scorer && grade !== null && !Number.isInteger(2 * grade);
  const rounded = isRounded ? "; numbers are rounded to 0, ½ or 1" : "";
  const outcome = `${outcomeOf(type, scorer, grade)}${rounded}`;
  return { type, question: null, isOfTarget, isMapped: isOfTarget, weight: 1, grade, outcome };
}

function outcomeOf(type: string, scorer: string | null, grade: number | null): string {
  if (type === scorer) {
    return grade === null
      ? "not mapped: its grade is not C, P, I or N, true or false, or a number from 0 to 1"
      : "its grades are imported; numbers are rounded to 0, ½ or 1";
  }
  if (scorer !== null) return "another scorer is chosen";
  return graders.test(type)
    ? "the target is the expected answer; a template or instructions of your own are not mapped: add them to the rubric"
    : matchers.test(type)
      ? "the target is the expected answer"
      : "not mapped: describe what it checks as a criterion, or take its grades with --scorer; the target is the expected answer";
}

/** Inspect's letters: correct, partial, incorrect, no answer. */
const grades: Readonly<Record<string, number>> = { C: 1, P: 0.5, I: 0, N: 0 };

function gradeOf(value: Json | undefined): number | null {
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "string") return Object.hasOwn(grades, value) ? grades[value]! : null;
  return typeof value === "number" && value >= 0 && value <= 1 ? value : null;
}
