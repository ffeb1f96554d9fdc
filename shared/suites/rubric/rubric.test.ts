import { expect, test } from "vitest";
import { criteria, optionsWith } from "./__fixtures__/build.ts";
import { rubricOptionsSchema } from "./options.ts";
import { defaultRubric, gradesOf, labelOf, rubricSchema } from "./rubric.ts";

const [accurate, kind] = criteria;

/** The place and the text of the first error in a rubric. */
function flawOf(given: unknown): string {
  const [issue] = rubricSchema.safeParse(given).error?.issues ?? [];
  return issue === undefined ? "" : `${issue.path.join(".")}: ${issue.message}`;
}

const withCriterion = (more: Record<string, unknown>) => ({
  name: "Support",
  criteria: [{ ...kind, ...more }],
});

test.each<[string, unknown, RegExp]>([
  ["no criteria", { name: "x", criteria: [] }, /^criteria: /],
  ["too many criteria", { name: "x", criteria: Array(21).fill(kind) }, /^criteria: /],
  ["no name", { criteria }, /^name: /],
  ["an unknown field", { name: "x", criteria, weights: 1 }, /weights/],
  ["an id with blanks", withCriterion({ id: "Very kind" }), /^criteria\.0\.id: must be 1 to 40/],
  ["the id of a metric", withCriterion({ id: "pass2" }), /^criteria\.0\.id: is reserved/],
  ["the id of a property", withCriterion({ id: "constructor" }), /^criteria\.0\.id: is reserved/],
  ["a duplicate id", { name: "x", criteria: [kind, kind] }, /^criteria\.1\.id: duplicate "kind"/],
  ["no question", withCriterion({ question: " " }), /^criteria\.0\.question: /],
  ["a negative weight", withCriterion({ weight: -1 }), /^criteria\.0\.weight: /],
  ["only weights of 0", withCriterion({ weight: 0 }), /^criteria: at least one weight/],
  [
    "a single level",
    withCriterion({ levels: [{ score: 1, means: "x" }] }),
    /^criteria\.0\.levels: /,
  ],
  [
    "a duplicate score",
    withCriterion({
      scale: undefined,
      levels: [
        { score: 1, means: "x" },
        { score: 1, means: "y" },
      ],
    }),
    /^criteria\.0\.levels: must not have the same score twice/,
  ],
  [
    "both a scale and levels",
    { name: "x", criteria: [{ ...accurate, scale: { min: 0, max: 1 } }] },
    /^criteria\.0\.levels: give scale or levels/,
  ],
  [
    "a scale without steps",
    withCriterion({ scale: { min: 2, max: 2 } }),
    /^criteria\.0\.scale\.max: /,
  ],
  ["a long scale", withCriterion({ scale: { min: 0, max: 100 } }), /^criteria\.0\.scale\.max: /],
  // Listing its grades would run out of memory.
  [
    "an endless scale",
    withCriterion({ scale: { min: 0, max: 1e15 } }),
    /^criteria\.0\.scale\.max: /,
  ],
  [
    "an example between the grades",
    withCriterion({ examples: [{ answer: "Hi.", score: 2.5 }] }),
    /^criteria\.0\.examples\.0\.score: must be a grade of the criterion: 1, 2, 3, 4, 5/,
  ],
  ["an unknown sample part", withCriterion({ about: ["weather"] }), /^criteria\.0\.about\.0: /],
])("rubricSchema refuses a rubric with %s and states the path", (_, given, flaw) => {
  expect(flawOf(given)).toMatch(flaw);
});

test("gradesOf() and labelOf() have defaults for missing scales and labels", () => {
  expect(gradesOf({})).toEqual([1, 2, 3, 4, 5]);
  expect(gradesOf({ scale: { min: -1, max: 1 } })).toEqual([-1, 0, 1]);
  const levels = [4, 0, 1].map((score) => ({ score, means: "x" }));
  expect(gradesOf({ levels })).toEqual([0, 1, 4]);
  expect(labelOf({ id: "tone_of_voice" })).toBe("Tone of voice");
  expect(labelOf({ id: "tone", label: "Tone!" })).toBe("Tone!");
});

test("rubricOptionsSchema fills in the default rubric, and accepts judge overrides of its criteria only", () => {
  expect(rubricOptionsSchema.parse({}).rubric).toEqual(defaultRubric);
  expect(optionsWith({ judgeOverrides: { kind: "gpt-6-luna" } }).judgeOverrides).toEqual({
    kind: "gpt-6-luna",
  });
  const { error } = rubricOptionsSchema.safeParse({ judgeOverrides: { empathy: "gpt-6-luna" } });
  expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([
    [["judgeOverrides", "empathy"], expect.stringContaining("only correct, complete")],
  ]);
});
