import { isJsonObject, type Json, type JsonObject, parsedJson } from "#shared/contracts/json.ts";
import { err } from "#shared/contracts/result.ts";
import type { Rubric } from "#shared/suites/rubric/rubric.ts";
import { suiteNamed } from "../command-line/suite-choice.ts";
import { BadInput } from "../errors.ts";
import { counted } from "../terminal/format-value.ts";
import { checkedAnswer, type PlacedAnswer } from "./imported-answers.ts";
import { type ImportedRubric, importedRubric } from "./imported-rubric.ts";
import type { ImportedMessage, ImportedTest } from "./imported-test.ts";

/** Suites whose samples an imported test can become. */
export const testSuites = ["rubric", "extraction"] as const;
type TestSuite = (typeof testSuites)[number];

/** Tests as samples of a suite. */
export interface ImportedSamples {
  rows: JsonObject[];
  /** The checks as criteria; null: there are none, or the suite has no rubric. */
  rubric: Rubric | null;
  /** Answers to the rows, with the tool's verdicts as judgments by this rubric. */
  answers: PlacedAnswer[];
  /** The most answers to one row. */
  repeats: number;
  /** What every model was sent, with `{text}` for the input; null: the samples differ in more than their input. */
  template: readonly ImportedMessage[] | null;
  /** What each kind of check becomes, and which tests are left out. */
  notes: string[];
}

/** More tests, or longer ones, are not held in memory. */
const MOST_TESTS = 100_000;
const MOST_CHARS = 200e6;
/** Left-out tests that are named; the others are counted. */
const MOST_NAMED = 5;
/** Longer values of metadata are no tags. */
const LONGEST_TAG = 60;

/**
 * Tests as samples of the suite, one for each id. `schema` is used where a test has none. Throws BadInput if none can be
 * used.
 */
export async function importedSamples(
  tests: Iterable<ImportedTest> | AsyncIterable<ImportedTest>,
  suite: TestSuite,
  schema: Json,
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
  const byId = Map.groupBy(all, ({ id }) => id);
  const known = [...byId.values()].map(([first]) => first!);
  const by = suite === "rubric" ? importedRubric(known) : null;
  const { rows, leftOut } = usableRows(known, suite, (test) =>
    by === null ? extractionRow(test, schema) : rubricRow(test, by),
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
  const template = commonTemplate(known);
  return {
    rows,
    rubric: by?.rubric ?? null,
    answers: all.filter((test) => answered.has(test)).map((test) => answerTo(test, by)),
    repeats: own.reduce((most, { length }) => Math.max(most, length), 1),
    template,
    notes,
  };
}

/** The answer of a test with the verdicts on it. Throws BadInput for one that no suite takes. */
function answerTo(test: ImportedTest, by: ImportedRubric | null): PlacedAnswer {
  const place = `${test.place} (sample ${JSON.stringify(test.id)})`;
  const judgments = test.answer.error === undefined ? (by?.judgmentsOf(test) ?? {}) : {};
  const isJudged = Object.keys(judgments).length > 0;
  return {
    place,
    answer: checkedAnswer({ place, answer: { ...test.answer, ...(isJudged && { judgments }) } }),
  };
}

/** The messages that were sent, the same for all tests but for the input in them; null if they differ. */
function commonTemplate(tests: readonly ImportedTest[]): ImportedMessage[] | null {
  const templates = tests.map(({ sent, input }) =>
    sent.map(({ role, content }) => ({
      role,
      content: input ? content.replaceAll(input, "{text}") : content,
    })),
  );
  const [first] = templates;
  const text = JSON.stringify(first);
  return first !== undefined && templates.every((one) => JSON.stringify(one) === text)
    ? first
    : null;
}

/** Rows that the suite takes, and why others are left out. Throws BadInput if it takes none. */
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

function rubricRow(test: ImportedTest, rubric: ImportedRubric): JsonObject | string {
  const { id, messages, tags } = test;
  const system = messages.filter(isSystem).map(({ content }) => content);
  const turns = messages.filter((one) => !isSystem(one));
  const last = turns.at(-1);
  if (last?.role !== "user") return "its last message is not the user's";
  const reference = rubric.referenceOf(test);
  const history = turns.slice(0, -1).map(({ role, content }) => ({ role, content }));
  return {
    id,
    query: last.content,
    ...(system.length > 0 && { system: system.join("\n\n") }),
    ...(history.length > 0 && { history }),
    ...(reference !== "" && { reference }),
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
  const kinds = new Map<string, number>();
  for (const { type, question, isMapped, outcome } of tests.flatMap(({ checks }) => checks)) {
    const its =
      suite === "rubric" || (question === null && isMapped)
        ? outcome
        : question === null
          ? "not mapped: extraction compares JSON field by field"
          : "not mapped: it asks a model, as --suite rubric does";
    const line = `${type}: ${its}`;
    kinds.set(line, (kinds.get(line) ?? 0) + 1);
  }
  return [...kinds].map(([line, count]) => `${line} (${counted(count, "check")})`);
}
