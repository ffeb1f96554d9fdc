import { isJsonObject, type Json, type JsonObject } from "#shared/contracts/json.ts";
import { type Rubric, rubricSchema } from "#shared/suites/rubric/rubric.ts";
import { BadInput } from "../errors.ts";
import { readDocument } from "./read-document.ts";

/** The outcome of a grader: a criterion of a rubric, or why it is not mapped. */
interface GraderOutcome {
  name: string;
  type: string;
  /** Id of the criterion; null if not mapped. */
  criterion: string | null;
  /** Advice, or a difference to the grader. */
  note: string;
}

/** The graders of an eval, and a rubric for graders that a judge can replace; null without such graders. */
export interface MappedGraders {
  outcomes: GraderOutcome[];
  rubric: Rubric | null;
}

type Draft = { question: string; note: string } & Partial<
  Pick<Rubric["criteria"][number], "scale" | "levels">
>;

/**
 * Maps model graders of an OpenAI eval (`GET /evals/{eval}`) to criteria of a rubric. Throws
 * BadInput.
 * Source: OpenAI API reference, graders, as typed by the package openai 7.55.
 */
export function mappedGraders(path: string): MappedGraders {
  const { testing_criteria: graders, name } = readDocument(path);
  if (!Array.isArray(graders)) {
    throw new BadInput(`${path}: not an eval of OpenAI: there is no "testing_criteria"`);
  }
  const criteria: object[] = [];
  const outcomes = graders.filter(isJsonObject).map((grader): GraderOutcome => {
    const about = {
      name: `${grader["name"] ?? "unnamed"}`,
      type: `${grader["type"] ?? "unknown"}`,
    };
    const draft = draftOf(grader);
    if (typeof draft === "string") return { ...about, criterion: null, note: draft };
    const { note, ...parts } = draft;
    const id = idOf(about.name, criteria.length + 1);
    const one = { id, label: about.name.slice(0, 80), ...parts };
    const checked = rubricSchema.safeParse({ name: "x", criteria: [...criteria, one] });
    const [issue] = checked.success ? [] : checked.error.issues;
    if (issue !== undefined) {
      const [field = "rubric"] = issue.path.slice(2);
      return { ...about, criterion: null, note: `${String(field)}: ${issue.message}` };
    }
    criteria.push(one);
    return { ...about, criterion: id, note };
  });
  const title = (typeof name === "string" && name.trim().slice(0, 120)) || "Imported eval";
  const rubric = criteria.length === 0 ? null : rubricSchema.parse({ name: title, criteria });
  return { outcomes, rubric };
}

/** A unique id in the schema's format. */
function idOf(name: string, number: number): string {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+|_+$/g, "");
  return `${words.slice(0, 34) || "criterion"}_${number}`;
}

function draftOf(grader: JsonObject): Draft | string {
  switch (grader["type"]) {
    case "label_model":
      return labelDraft(grader);
    case "score_model":
      return scoreDraft(grader);
    case "string_check":
    case "text_similarity":
      return "compares texts without a model: use the suite extraction, slots or tools, which score fields, or give samples of the suite rubric a reference";
    case "python":
      return "is code, which is not run: describe what it checks as a criterion";
    case "multi":
      return "is a formula over other graders: give criteria weights instead";
    default:
      return "is of a type that is not known";
  }
}

function labelDraft({ input, labels, passing_labels: passing }: JsonObject): Draft | string {
  const good = textsIn(passing);
  const poor = textsIn(labels).filter((label) => !good.includes(label));
  if (good.length === 0 || poor.length === 0) return "has no labels that pass, or none that fail";
  return {
    ...questionOf(input),
    levels: [
      { score: 1, means: `The label is ${good.join(" or ")}.` },
      { score: 0, means: `The label is ${poor.join(" or ")}.` },
    ],
  };
}

function scoreDraft({ input, range }: JsonObject): Draft | string {
  const [min, max] = Array.isArray(range) && range.length === 2 ? range : [0, 1];
  if (!Number.isInteger(min) || !Number.isInteger(max)) return "has a range of fractions";
  const { question, note } = questionOf(input);
  const whole = `grades are whole numbers from ${min} to ${max}`;
  return { question, note: `${note}; ${whole}`, scale: { min: min as number, max: max as number } };
}

const textsIn = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

/** The grader's messages as a question; judges see the answer and the sample, so the template needs no values. */
function questionOf(input: Json | undefined): { question: string; note: string } {
  const messages = Array.isArray(input) ? input.filter(isJsonObject) : [];
  const text = messages.map(({ content }) => contentOf(content)).join("\n\n");
  const question = text
    .replace(/\{\{\s*sample\.output_(?:text|json)\s*\}\}/g, "[the answer]")
    .replace(/\{\{\s*item\.([\w.]+)\s*\}\}/g, "[$1 of the sample]")
    .trim();
  return {
    question,
    note: "read its question: it is the grader's prompt with its fields in brackets",
  };
}

function contentOf(content: Json | undefined): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(contentOf).join("\n");
  return isJsonObject(content) && typeof content["text"] === "string" ? content["text"] : "";
}
