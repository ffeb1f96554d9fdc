import { cutText } from "#shared/contracts/bounds.ts";
import { fieldErrors } from "#shared/contracts/field-errors.ts";
import { type Json, type JsonObject, textOrJson } from "#shared/contracts/json.ts";
import { mostCriteria, type Rubric, rubricSchema } from "#shared/suites/rubric/rubric.ts";
import { BadInput } from "../errors.ts";
import type { Check, ImportedTest } from "./imported-test.ts";

/** Checks of tests, converted to criteria of a rubric. */
export interface ImportedRubric {
  /** Null if no test has an expected answer or a check by a model. */
  rubric: Rubric | null;
  /** Notes on criteria that only some tests have. */
  notes: string[];
  /** Criteria for which a test with these answers has no basis. */
  skippedBy(answered: readonly ImportedTest[]): string[];
  /** The reference for the judge: expected answer and requirements of the test; empty without either. */
  referenceOf(test: ImportedTest): string;
  /** The other tool's verdicts on a test as judgments by criterion. */
  judgmentsOf(test: ImportedTest): JsonObject;
}

/** Maximum length of a criterion's label. */
const LONGEST_LABEL = 80;

/** Name of the judge in imported judgments. */
const JUDGE = "imported";

const passOrFail = [
  { score: 1, means: "It is true of the answer." },
  { score: 0, means: "It is not true, or only in part." },
];

const requirements = {
  id: "requirements",
  question: "Are the requirements in the reference true of the answer?",
  levels: [
    { score: 2, means: "All of them." },
    { score: 1, means: "Some of them." },
    { score: 0, means: "None of them." },
  ],
};

const agrees = {
  id: "agrees",
  label: "Agrees with the expected answer",
  question:
    "Does the answer agree with the expected answer in the reference? Other words, and further true facts, are no fault.",
  levels: [
    { score: 2, means: "It agrees." },
    { score: 1, means: "It agrees in part, and contradicts nothing." },
    { score: 0, means: "It contradicts the expected answer, or does not answer." },
  ],
};

/**
 * Converts checks of tests with unique ids to criteria: a question in every test is a criterion; other questions become
 * requirements in the references, and expected answers become one criterion. Throws BadInput for texts that are too
 * long.
 */
export function importedRubric(tests: readonly ImportedTest[]): ImportedRubric {
  const common = commonQuestions(tests);
  const names = new Map([...common.keys()].map((text, i) => [text, `criterion_${i + 1}`]));
  const own = ({ checks }: ImportedTest): Check[] =>
    checks.filter(({ question }) => question !== null && !common.has(question));
  const rubric = rubricOf(tests, common, own);
  const isAsked = {
    [requirements.id]: (test: ImportedTest) => own(test).length > 0,
    [agrees.id]: isCompared,
  };
  const partly = Object.entries(isAsked).filter(([id]) =>
    rubric?.criteria.some((criterion) => criterion.id === id),
  );
  return {
    rubric,
    notes: partly.flatMap(([id, has]) => partlyNote(id, tests.filter(has).length, tests.length)),
    skippedBy: (answered) => partly.flatMap(([id, has]) => (answered.some(has) ? [] : [id])),
    referenceOf(test) {
      const texts = own(test).map(({ question }) => `- ${question}`);
      const parts = [
        ...(test.target === null ? [] : [`Expected answer:\n${textOrJson(test.target)}`]),
        ...(texts.length === 0 ? [] : [`Requirements:\n${texts.join("\n")}`]),
      ];
      return parts.join("\n\n");
    },
    judgmentsOf(test) {
      const { checks } = test;
      const shared = checks.flatMap(({ question, grade }): [string, Json][] => {
        const name = question === null ? undefined : names.get(question);
        return name === undefined || grade === null ? [] : [[name, judged(Number(grade >= 1))]];
      });
      const met = own(test).map(({ grade }) => grade);
      const compared = checks.find(({ isOfTarget, grade }) => isOfTarget && grade !== null)?.grade;
      return {
        ...Object.fromEntries(shared),
        ...(met.length > 0 &&
          met.every((grade) => grade !== null) && { [requirements.id]: judged(levelOf(met)) }),
        ...(typeof compared === "number" && { [agrees.id]: judged(Math.round(2 * compared)) }),
      };
    },
  };
}

/** Whether a test has an expected answer, or its answer was compared with one. */
const isCompared = ({ target, checks }: ImportedTest): boolean =>
  target !== null || checks.some(({ isOfTarget, grade }) => isOfTarget && grade !== null);

function partlyNote(id: string, asked: number, all: number): string[] {
  return asked === all ? [] : [`criterion ${id}: for ${asked} of ${all} tests; the others skip it`];
}

const judged = (score: number): JsonObject => ({ judge: JUDGE, judgment: { score } });

function levelOf(grades: readonly number[]): number {
  if (grades.every((grade) => grade >= 1)) return 2;
  return grades.some((grade) => grade > 0) ? 1 : 0;
}

/** Questions in every test, with their weights. */
function commonQuestions(tests: readonly ImportedTest[]): Map<string, number> {
  const asked = new Map<string, { tests: number; weight: number }>();
  for (const { checks } of tests) {
    const weights = new Map(
      checks.flatMap(({ question, weight }) => (question ? [[question, weight]] : [])),
    );
    for (const [question, weight] of weights) {
      const { tests: count } = asked.get(question) ?? { tests: 0 };
      asked.set(question, { tests: count + 1, weight });
    }
  }
  const everywhere = [...asked].filter(([, question]) => question.tests === tests.length);
  return new Map(everywhere.slice(0, mostCriteria - 2).map(([text, { weight }]) => [text, weight]));
}

function rubricOf(
  tests: readonly ImportedTest[],
  common: ReadonlyMap<string, number>,
  own: (test: ImportedTest) => Check[],
): Rubric | null {
  const criteria: object[] = [...common].map(([text, weight], i) => ({
    id: `criterion_${i + 1}`,
    label: cutText(text.replace(/\s+/g, " "), LONGEST_LABEL),
    question: `Is this true of the answer? ${text}`,
    weight,
    about: ["query"],
    levels: passOrFail,
  }));
  if (tests.some((test) => own(test).length > 0)) criteria.push(requirements);
  if (tests.some(isCompared)) criteria.push(agrees);
  if (criteria.length === 0) return null;
  const given = { name: "Imported tests", criteria };
  const checked = rubricSchema.safeParse(given);
  if (checked.success) return checked.data;
  const [first] = fieldErrors(checked.error.issues, given);
  throw new BadInput(`the checks make no rubric: ${first?.pointer}: ${first?.detail}`);
}
