import { z } from "zod";
import { fixedMetrics } from "./metrics.ts";

/** Largest rubric: bounds the judge calls of an answer. */
export const mostCriteria = 20;
/** Maximum grades of a criterion: judges do not distinguish more reliably. */
const mostLevels = 10;
const mostSteps = 10;
const mostExamples = 10;

/** Longest texts, in UTF-16 units: each is part of every request to a judge. */
const longest = { name: 120, label: 80, question: 2_000, level: 1_000, example: 4_000 } as const;

const text = (most: number) => z.string().trim().min(1).max(most);
const grade = z.number().min(-1_000).max(1_000);

/** Parts of a sample that a judge can be shown in addition to the answer, in this order. */
export const shownParts = ["system", "history", "context", "query", "reference"] as const;

const scaleSchema = z
  .strictObject({ min: z.int().min(-100).max(100), max: z.int().min(-100).max(100) })
  .refine(({ min, max }) => max > min && max - min <= mostSteps, {
    path: ["max"],
    abort: true,
    error: `must be 1 to ${mostSteps} above min; describe the grades of a longer scale as levels`,
  })
  .meta({ description: "whole grades; without scale and levels, 1 to 5" });

const levelsSchema = z
  .array(z.strictObject({ score: grade, means: text(longest.level) }))
  .min(2)
  .max(mostLevels)
  .refine((levels) => new Set(levels.map(({ score }) => score)).size === levels.length, {
    error: "must not have the same score twice",
  })
  .meta({ description: "the grades and their meanings; instead of scale" });

const exampleSchema = z.strictObject({
  answer: text(longest.example),
  score: grade,
  why: text(longest.level).optional(),
});

const reserved = new Set(fixedMetrics.map(({ id }) => id));

const idSchema = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, {
    error: "must be 1 to 40 lower-case letters, digits and underscores, the first a letter",
  })
  .refine((id) => !reserved.has(id) && !(id in {}), { error: "is reserved; choose another id" });

const criterionSchema = z
  .strictObject({
    id: idSchema.meta({ description: "names the criterion in results and options" }),
    label: text(longest.label).optional().meta({ description: "its name for readers" }),
    question: text(longest.question).meta({ description: "question about the answer" }),
    weight: z.number().min(0).max(1_000).default(1).meta({
      description: "share in the rubric score; 0: judged and shown, but no part of the score",
    }),
    scale: scaleSchema.optional(),
    levels: levelsSchema.optional(),
    better: z.enum(["higher", "lower"]).default("higher"),
    about: z
      .array(z.enum(shownParts))
      .max(shownParts.length)
      .default(["context", "query", "reference"])
      .meta({ description: "parts of the sample shown to the judge in addition to the answer" }),
    examples: z
      .array(exampleSchema)
      .max(mostExamples)
      .default([])
      .meta({ description: "answers with their grades, as part of the judge's instructions" }),
  })
  .superRefine((criterion, context) => {
    const fail = (path: PropertyKey[], message: string) =>
      context.addIssue({ code: "custom", path, message });
    if (criterion.scale && criterion.levels) fail(["levels"], "give scale or levels, not both");
    const grades = gradesOf(criterion);
    for (const [i, { score }] of criterion.examples.entries()) {
      if (!grades.includes(score)) {
        fail(["examples", i, "score"], `must be a grade of the criterion: ${grades.join(", ")}`);
      }
    }
  });
export type Criterion = z.infer<typeof criterionSchema>;

/** A rubric: the criteria by which judges grade an answer, and their weights. */
export const rubricSchema = z
  .strictObject({
    name: text(longest.name),
    criteria: z.array(criterionSchema).min(1).max(mostCriteria),
  })
  .superRefine(({ criteria }, context) => {
    for (const [i, { id }] of criteria.entries()) {
      if (criteria.findIndex((other) => other.id === id) === i) continue;
      const message = `duplicate "${id}"`;
      context.addIssue({ code: "custom", path: ["criteria", i, "id"], message });
    }
    if (criteria.some(({ weight }) => weight > 0)) return;
    const message = "at least one weight must be above 0";
    context.addIssue({ code: "custom", path: ["criteria"], message });
  });
export type Rubric = z.infer<typeof rubricSchema>;

/** The default scale of a criterion. */
const usualScale = { min: 1, max: 5 };

/**
 * The grades of a criterion, lowest first.
 * @example gradesOf({ scale: { min: 0, max: 2 } }) // [0, 1, 2]
 */
export function gradesOf({
  scale = usualScale,
  levels,
}: Pick<Criterion, "scale" | "levels">): number[] {
  if (levels !== undefined) return levels.map(({ score }) => score).sort((a, b) => a - b);
  return Array.from({ length: scale.max - scale.min + 1 }, (_, i) => scale.min + i);
}

/**
 * A criterion's name for readers; without a label its id in words.
 * @example labelOf({ id: "tone_of_voice" }) // "Tone of voice"
 */
export function labelOf({ id, label }: Pick<Criterion, "id" | "label">): string {
  return label ?? `${id.charAt(0).toUpperCase()}${id.slice(1).replaceAll("_", " ")}`;
}

/** The default rubric: general help, our own wording. */
export const defaultRubric: Rubric = rubricSchema.parse({
  name: "General help",
  criteria: [
    {
      id: "correct",
      question:
        "Is what the answer says right? If there is a reference, compare with it; it is one good answer, and other words or further true facts are no fault.",
      weight: 3,
      levels: [
        { score: 4, means: "All that it says on the question is right." },
        { score: 3, means: "The main point is right; a detail is wrong or misleading." },
        { score: 2, means: "Right and wrong are mixed, so that a reader could be misled." },
        { score: 1, means: "The main point is wrong, or it says nothing on the question." },
      ],
    },
    {
      id: "complete",
      question: "Does the answer cover everything that was asked?",
      weight: 2,
      levels: [
        { score: 4, means: "Every part of the question is answered." },
        { score: 3, means: "A minor part is missing." },
        { score: 2, means: "A major part is missing." },
        { score: 1, means: "The question is not answered." },
      ],
    },
    {
      id: "usable",
      question: "Can the person act on the answer, or use it, as it is?",
      levels: [
        { score: 3, means: "As it is, without more questions." },
        { score: 2, means: "In part: something has to be looked up or worked out first." },
        { score: 1, means: "No." },
      ],
    },
    {
      id: "padding",
      question: "How much of the answer could be left out without a loss?",
      about: ["query"],
      better: "lower",
      levels: [
        { score: 0, means: "Nothing, or a few words." },
        { score: 1, means: "A sentence or two." },
        { score: 2, means: "About half of it, or more." },
      ],
    },
  ],
});
