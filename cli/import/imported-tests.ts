import { isJsonObject, type Json, type JsonObject } from "#shared/contracts/json.ts";
import { err } from "#shared/contracts/result.ts";
import { mostCriteria, type Rubric, rubricSchema } from "#shared/suites/rubric/rubric.ts";
import { suiteNamed } from "../command-line/suite-choice.ts";
import { BadInput } from "../errors.ts";
import { counted } from "../terminal/format-value.ts";

/** Suites whose samples an imported test can become. */
export const testSuites = ["rubric", "extraction"] as const;

/** A check of another tool on an answer. */
export interface Check {
  /** Its kind, in the words of the tool. */
  type: string;
  /** What a judge is asked instead; null: it asks no model. */
  question: string | null;
  weight: number;
  /** What it becomes, or why it is not mapped. */
  outcome: string;
}

/** A test of another tool, as far as suites can use it. */
export interface ImportedTest {
  place: string;
  id: string;
  /** What the model was sent; the last one is the user's. */
  messages: readonly { role: string; content: string }[];
  /** The expected answer; null: none. */
  target: Json;
  /** JSON Schema of the answer; null: none. */
  schema: Json;
  checks: readonly Check[];
}

/** Tests as samples of a suite. */
interface ImportedSamples {
  rows: JsonObject[];
  /** The checks as criteria; null: there are none, or the suite has no rubric. */
  rubric: Rubric | null;
  /** What each kind of check becomes, and which tests are left out. */
  notes: string[];
}

/** More tests than this are not held in memory. */
const MOST_TESTS = 100_000;
/** Left-out tests that are named; the others are counted. */
const MOST_NAMED = 5;

/**
 * Tests as samples of the suite, the first of each id. `schema` is used where a test has none. Throws BadInput if none
 * can be used.
 */
export async function importedSamples(
  tests: Iterable<ImportedTest> | AsyncIterable<ImportedTest>,
  suite: (typeof testSuites)[number],
  schema: Json,
): Promise<ImportedSamples> {
  const known = await distinct(tests);
  const isRubric = suite === "rubric";
  const common = isRubric ? commonQuestions(known) : new Map<string, number>();
  const rowOf = (test: ImportedTest) =>
    isRubric ? rubricRow(test, common) : extractionRow(test, schema);
  const { rows, leftOut } = usableRows(known, suite, rowOf);
  const named = leftOut.slice(0, MOST_NAMED);
  const more = leftOut.length - named.length;
  const notes = [
    ...checkNotes(known, suite),
    ...named.map(({ place, reason }) => `${place}: left out: ${reason}`),
    ...(more > 0 ? [`${counted(more, "more test")} left out`] : []),
  ];
  return { rows, rubric: isRubric ? rubricOf(known, common) : null, notes };
}

async function distinct(
  tests: Iterable<ImportedTest> | AsyncIterable<ImportedTest>,
): Promise<ImportedTest[]> {
  const all = new Map<string, ImportedTest>();
  for await (const test of tests) {
    if (!all.has(test.id)) all.set(test.id, test);
    if (all.size > MOST_TESTS) throw new BadInput(`more than ${MOST_TESTS} tests`);
  }
  return [...all.values()];
}

/** Rows that the suite takes, and why others are left out. Throws BadInput if it takes none. */
function usableRows(
  tests: readonly ImportedTest[],
  suite: string,
  rowOf: (test: ImportedTest) => JsonObject | string,
) {
  const rows: JsonObject[] = [];
  const leftOut: { place: string; reason: string }[] = [];
  for (const test of tests) {
    const row = rowOf(test);
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

/** Questions that every test asks, with their weights; those of single tests are part of their references. */
function commonQuestions(tests: readonly ImportedTest[]): Map<string, number> {
  const asked = new Map<string, { tests: number; weight: number }>();
  for (const { checks } of tests) {
    const own = new Map(
      checks.flatMap(({ question, weight }) => (question ? [[question, weight]] : [])),
    );
    for (const [question, weight] of own) {
      const { tests: count } = asked.get(question) ?? { tests: 0 };
      asked.set(question, { tests: count + 1, weight });
    }
  }
  const everywhere = [...asked].filter(([, its]) => its.tests === tests.length);
  return new Map(everywhere.slice(0, mostCriteria - 2).map(([text, { weight }]) => [text, weight]));
}

const ownQuestions = ({ checks }: ImportedTest, common: ReadonlyMap<string, number>): string[] =>
  checks.flatMap(({ question }) => (question !== null && !common.has(question) ? [question] : []));

const textOf = (target: Json): string =>
  typeof target === "string" ? target : JSON.stringify(target);

function rubricRow(test: ImportedTest, common: ReadonlyMap<string, number>): JsonObject | string {
  const { id, messages, target } = test;
  const isSystem = ({ role }: { role: string }) => role === "system" || role === "developer";
  const system = messages.filter(isSystem).map(({ content }) => content);
  const turns = messages.filter((one) => !isSystem(one));
  const last = turns.at(-1);
  if (last?.role !== "user") return "its last message is not the user's";
  const requirements = ownQuestions(test, common).map((text) => `- ${text}`);
  const parts = [
    ...(target === null ? [] : [`Expected answer:\n${textOf(target)}`]),
    ...(requirements.length === 0 ? [] : [`Requirements:\n${requirements.join("\n")}`]),
  ];
  const history = turns.slice(0, -1).map(({ role, content }) => ({ role, content }));
  return {
    id,
    query: last.content,
    ...(system.length > 0 && { system: system.join("\n\n") }),
    ...(history.length > 0 && { history }),
    ...(parts.length > 0 && { reference: parts.join("\n\n") }),
  };
}

function extractionRow({ id, messages, target, ...test }: ImportedTest, given: Json) {
  const schema = test.schema ?? given;
  if (!isJsonObject(schema)) return "it has no JSON Schema: give one with --schema FILE";
  const expected = typeof target === "string" ? parsed(target) : target;
  if (expected === null || expected === undefined) return "it has no JSON as expected answer";
  return { id, text: messages.at(-1)?.content ?? "", schema, expected_output: expected };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const passOrFail = [
  { score: 1, means: "It is true of the answer." },
  { score: 0, means: "It is not true, or only in part." },
];

function rubricOf(
  tests: readonly ImportedTest[],
  common: ReadonlyMap<string, number>,
): Rubric | null {
  const criteria: object[] = [...common].map(([text, weight], i) => ({
    id: `criterion_${i + 1}`,
    label: text.length > 80 ? `${text.slice(0, 79)}…` : text,
    question: `Is this true of the answer? ${text}`,
    weight,
    levels: passOrFail,
  }));
  if (tests.some((test) => ownQuestions(test, common).length > 0)) {
    criteria.push({
      id: "requirements",
      question: "Are the requirements in the reference true of the answer? Without any, they are.",
      levels: [
        { score: 2, means: "All of them." },
        { score: 1, means: "Some of them." },
        { score: 0, means: "None of them." },
      ],
    });
  }
  if (tests.some(({ target }) => target !== null)) {
    criteria.push({
      id: "agrees",
      label: "Agrees with the expected answer",
      question:
        "Does the answer agree with the expected answer in the reference? Other words, and further true facts, are no fault. Without an expected answer, it does.",
      levels: [
        { score: 2, means: "It agrees." },
        { score: 1, means: "It agrees in part, and contradicts nothing." },
        { score: 0, means: "It contradicts the expected answer, or does not answer." },
      ],
    });
  }
  if (criteria.length === 0) return null;
  const checked = rubricSchema.safeParse({ name: "Imported tests", criteria });
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new BadInput(`the checks make no rubric: ${issue?.path.join("/")}: ${issue?.message}`);
}

/** A line for each kind of check. */
function checkNotes(tests: readonly ImportedTest[], suite: string): string[] {
  const kinds = new Map<string, number>();
  for (const { type, question, outcome } of tests.flatMap(({ checks }) => checks)) {
    const its =
      suite === "rubric" || question === null
        ? outcome
        : "not mapped: it asks a model, as --suite rubric does";
    const line = `${type}: ${its}`;
    kinds.set(line, (kinds.get(line) ?? 0) + 1);
  }
  return [...kinds].map(([line, count]) => `${line} (${counted(count, "check")})`);
}
