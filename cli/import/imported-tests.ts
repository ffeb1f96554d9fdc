import { isJsonObject, type Json, type JsonObject, parsedJson } from "#shared/contracts/json.ts";
import { err } from "#shared/contracts/result.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import type { Rubric } from "#shared/suites/rubric/rubric.ts";
import { suiteNamed } from "../command-line/suite-choice.ts";
import { BadInput } from "../errors.ts";
import { checkedAnswer, type PlacedAnswer } from "./imported-answers.ts";
import { type ImportedRubric, importedRubric } from "./imported-rubric.ts";
import type { Check, ImportedTest } from "./imported-test.ts";

/** Suites for which tests can be converted to samples. */
export const testSuites = ["rubric", "extraction"] as const;
type TestSuite = (typeof testSuites)[number];

/** Tests converted to samples of a suite. */
export interface ImportedSamples {
  rows: JsonObject[];
  /** The checks as criteria; null without checks, or if the suite has no rubric. */
  rubric: Rubric | null;
  /** Answers by model, with the tool's verdicts as judgments by this rubric. */
  answers: Map<string, PlacedAnswer[]>;
  /** Largest number of answers of a model to one row. */
  repeats: number;
  /** The common prompts with a placeholder for the input; null if samples differ in more than their input. */
  prompts: ImportedPrompts | null;
  /** The outcome of each kind of check, and left-out tests. */
  notes: string[];
}

/** The system message, which may be empty, and the template of the user message. */
export interface ImportedPrompts {
  system: string;
  user: string;
}

/** Placeholders in a suite's prompts, the input first. */
const placeholders = { rubric: ["{query}"], extraction: ["{text}", "{schema}"] } as const;

/** Limits on number and total length of tests, which are in memory. */
const MOST_TESTS = 100_000;
const MOST_CHARS = 200e6;
/** Maximum left-out tests that are named; others are counted. */
const MOST_NAMED = 5;
/** Maximum length of a metadata value that becomes a tag. */
const LONGEST_TAG = 60;

/**
 * Converts tests to samples of the suite, one for each id. `schema` is used for tests without a schema. `hasConfig`: a
 * config is written that can contain the prompts. Throws BadInput if no test can be used.
 */
export async function importedSamples(
  tests: Iterable<ImportedTest> | AsyncIterable<ImportedTest>,
  { suite, schema, hasConfig }: { suite: TestSuite; schema: Json; hasConfig: boolean },
): Promise<ImportedSamples> {
  const all: ImportedTest[] = [];
  let size = 0;
  for await (const test of tests) {
    size += test.sent.reduce((sum, { content }) => sum + content.length, test.input?.length ?? 0);
    size += JSON.stringify(test.answer).length;
    if (all.push(test) > MOST_TESTS || size > MOST_CHARS) {
      throw new BadInput(
        `${test.place}: more than ${MOST_TESTS} answers of tests, or ${MOST_CHARS / 1e6} million characters: import parts of it`,
      );
    }
  }
  // Tools write results in order of arrival; without sorting, the dataset would get another version.
  all.sort((a, b) => byNumber(a.id, b.id));
  const byId = Map.groupBy(all, ({ id }) => id);
  for (const [, same] of byId) refuseMerged(same);
  const known = [...byId.values()].map(([first]) => first!);
  const by = suite === "rubric" ? importedRubric(known) : null;
  // Without a rubric, no config is written.
  const prompts =
    hasConfig && by?.rubric !== null ? commonPrompts(known, placeholders[suite]) : null;
  const { rows, leftOut } = usableRows(known, suite, (test) =>
    by === null
      ? extractionRow(test, schema)
      : rubricRow(test, prompts !== null, by, by.skippedBy(byId.get(test.id) ?? [])),
  );
  const named = leftOut.slice(0, MOST_NAMED);
  const more = leftOut.length - named.length;
  const own = rows.map((row) => byId.get(row["id"] as string) ?? []);
  const answered = new Set(own.flat());
  const notes = [
    ...checkNotes(known, suite),
    ...(by?.notes ?? []),
    ...named.map(({ place, reason }) => `${place}: left out: ${reason}`),
    ...(more > 0 ? [`${counted(more, "more test")} left out`] : []),
  ];
  const given = Map.groupBy(
    all.filter((test) => answered.has(test)),
    ({ model }) => model,
  );
  return {
    rows,
    rubric: by?.rubric ?? null,
    answers: new Map(
      [...given].map(([model, own]) => [model, own.map((test) => answerTo(test, by))]),
    ),
    repeats: own
      .flatMap((same) => [...Map.groupBy(same, ({ model }) => model).values()])
      .reduce((most, { length }) => Math.max(most, length), 1),
    prompts,
    notes,
  };
}

const { compare } = new Intl.Collator("en", { numeric: true });

/** @example ["test_10", "test_9"].sort(byNumber) // ["test_9", "test_10"] */
const byNumber = (a: string, b: string): number => compare(a, b) || Number(a > b) - Number(a < b);

/** Refuses tests with the same id but different inputs or messages. Throws BadInput. */
function refuseMerged([first, ...others]: readonly ImportedTest[]): void {
  if (first === undefined) return;
  const asked = JSON.stringify(first.sent);
  for (const { place, input, model, sent } of others) {
    const problem = `${place}: its id ${JSON.stringify(first.id)} is also the id of ${first.place}`;
    if (model !== first.model && JSON.stringify(sent) !== asked) {
      throw new BadInput(`${problem}, which has another prompt: choose one with --provider`);
    }
    if (input === first.input) continue;
    throw new BadInput(
      `${problem}, which has another input: --id-field must name a field that differs between tests`,
    );
  }
}

/** The answer of a test with its judgments. Throws BadInput for an answer that no suite accepts. */
function answerTo(test: ImportedTest, by: ImportedRubric | null): PlacedAnswer {
  const place = `${test.place} (sample ${JSON.stringify(test.id)})`;
  const judgments = test.answer.error === undefined ? (by?.judgmentsOf(test) ?? {}) : {};
  const isJudged = Object.keys(judgments).length > 0;
  return {
    place,
    answer: checkedAnswer({ place, answer: { ...test.answer, ...(isJudged && { judgments }) } }),
  };
}

/** The common prompts of all tests without the input; null if they differ, or there are more than two messages. */
function commonPrompts(
  tests: readonly ImportedTest[],
  [query, ...others]: readonly [string, ...string[]],
): ImportedPrompts | null {
  const [first, ...more] = tests
    .filter(({ flaw }) => flaw === null)
    .map(({ sent, input }) =>
      sent.map(({ role, content }) => ({ role, parts: input ? content.split(input) : [content] })),
    );
  const text = JSON.stringify(first);
  if (first === undefined || more.some((one) => JSON.stringify(one) !== text)) return null;
  const system = first.filter(isSystem);
  const [user, ...turns] = first.filter((one) => !isSystem(one));
  const reserved = [query, ...others];
  const isPlain = first.every(({ parts }) =>
    parts.every((part) => reserved.every((name) => !part.includes(name))),
  );
  // Only extraction fills in system messages.
  const isFixed = others.length > 0 || system.every(({ parts }) => parts.length === 1);
  if (user?.role !== "user" || user.parts.length < 2 || turns.length > 0) return null;
  if (!isPlain || !isFixed) return null;
  const instructions = system.map(({ parts }) => parts.join(query)).join("\n\n");
  return { system: instructions, user: user.parts.join(query) };
}

/** Valid rows, and why other rows are left out. Throws BadInput without a valid row. */
function usableRows(
  tests: readonly ImportedTest[],
  suite: TestSuite,
  rowOf: (test: ImportedTest) => JsonObject | string,
) {
  const rows: JsonObject[] = [];
  const leftOut: { place: string; reason: string }[] = [];
  for (const test of tests) {
    const row = test.flaw ?? rowOf(test);
    const checked = typeof row === "string" ? err(row) : suiteNamed(suite).checkSample(row);
    if (checked.ok) rows.push(row as JsonObject);
    else leftOut.push({ place: test.place, reason: checked.error });
  }
  const [first] = leftOut;
  if (rows.length > 0) return { rows, leftOut };
  throw new BadInput(
    first === undefined ? "no tests found" : `${first.place}: no test can be used: ${first.reason}`,
  );
}

/** Values of metadata that are short enough for tags. */
export function tagsOf(metadata: JsonObject): Record<string, string> {
  const entries = Object.entries(metadata).flatMap(([name, value]): [string, string][] => {
    if (typeof value === "object" || name === "") return [];
    const text = `${value}`;
    return text === "" || text.length > LONGEST_TAG ? [] : [[name, text]];
  });
  return Object.fromEntries(entries);
}

const tagged = (tags: ImportedTest["tags"]) => Object.keys(tags).length > 0 && { tags };

const isSystem = ({ role }: { role: string }) => role === "system" || role === "developer";

/** `isShort`: the config contains the prompts, so the query is only the input. */
function rubricRow(
  test: ImportedTest,
  isShort: boolean,
  rubric: ImportedRubric,
  skip: readonly string[],
): JsonObject | string {
  const { id, sent, input, tags } = test;
  const system = isShort ? [] : sent.filter(isSystem).map(({ content }) => content);
  const turns = sent.filter((one) => !isSystem(one));
  const last = turns.at(-1);
  if (last?.role !== "user") return "its last message is not the user's";
  const reference = rubric.referenceOf(test);
  const history = turns.slice(0, -1).map(({ role, content }) => ({ role, content }));
  return {
    id,
    query: isShort && input !== null ? input : last.content,
    ...(system.length > 0 && { system: system.join("\n\n") }),
    ...(history.length > 0 && { history }),
    ...(reference !== "" && { reference }),
    ...(skip.length > 0 && { skip: [...skip] }),
    ...tagged(tags),
  };
}

function extractionRow({ id, input, target, tags, ...test }: ImportedTest, given: Json) {
  const schema = test.schema ?? given;
  if (!isJsonObject(schema)) return "it has no JSON Schema: give one with --schema FILE";
  const expected = typeof target === "string" ? (parsedJson(target) as Json | undefined) : target;
  if (expected === null || expected === undefined) return "it has no JSON as expected answer";
  if (input === null) return "its input has several turns: there is no single text";
  return { id, text: input, schema, expected_output: expected, ...tagged(tags) };
}

/** A line for each kind of check. */
function checkNotes(tests: readonly ImportedTest[], suite: TestSuite): string[] {
  const lines = tests.flatMap(({ checks }) =>
    checks.map((check) => `${check.type}: ${outcomeIn(suite, check)}`),
  );
  const kinds = Map.groupBy(lines, (line) => line);
  return [...kinds].map(([line, { length }]) => `${line} (${counted(length, "check")})`);
}

function outcomeIn(suite: TestSuite, { question, isMapped, isOfTarget, outcome }: Check): string {
  if (suite === "rubric") return outcome;
  if (question !== null) return "not mapped: it asks a model, as --suite rubric does";
  if (!isMapped) return "not mapped: extraction compares JSON field by field";
  return isOfTarget ? outcome : "the schema of the answer";
}
