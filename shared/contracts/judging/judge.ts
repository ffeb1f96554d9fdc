import type { ZodType } from "zod";
import type { Metric } from "../metric.ts";

/** Address of a judge: a provider of the deployment and the dated name of its model. */
export interface Route {
  provider: string;
  model: string;
}

/** A piece of material shown to a judge. */
export interface Section {
  name: string;
  text: string;
}

/** A named piece of material and the function that returns its text. */
export interface SectionSource<Material> {
  name: string;
  textOf(material: Material): string;
}

/** The result of a judgment for one answer. */
export interface Reading {
  /** The sample's value of the metric, on the metric's scale. */
  value: number;
  /** Other numbers to sum over answers, by names that the judge defines; each is 0 or more. */
  numbers: Readonly<Record<string, number>>;
  /** Categories to count over answers: for each of the judge's `labels`, the category of this answer. */
  labels: Readonly<Record<string, string>>;
  /** Quotations in the judgment that are not in the answer: discarded and counted. */
  unsupportedEvidence: number;
}

/** A weighted sum of a judge's numbers; `value` and `judged` (1 an answer) are always available. */
export type Terms = Readonly<Record<string, number>>;

/**
 * A figure over answers: Σ of / Σ over, or Σ of if `over` is null. `empty` is its value if answers were judged but
 * the denominator is zero.
 */
export interface JudgeFigure {
  metric: Metric;
  of: Terms;
  over: Terms | null;
  empty: number | null;
}

/** Ends of the scales: five levels, or a share. */
export const scales = { level: [1, 5], ratio: [0, 1] } as const;
export type Scale = keyof typeof scales;

// biome-ignore-start lint/suspicious/noExplicitAny: a list holds judges of every judgment, and only a
// judge's own functions look inside its values.
/** What all judged metrics have in common; `Material` is the input of a judgment. */
interface JudgedMetric<Judgment = any, Material = any> {
  // biome-ignore-end lint/suspicious/noExplicitAny: as above
  /** Name of the metric in judgments, in the catalogue and in options. */
  id: string;
  label: string;
  /** Increased by every change that changes a value; a changed prompt alone is detected by its hash. */
  version: string;
  scale: Scale;
  /** Worst and best grade of judges and people, if they grade on another scale; `read` converts grades to values. */
  grades?: readonly [worst: number, best: number];
  /** The judge's model if neither deployment nor run names another. */
  route: Route;
  /** The judge's name among a deployment's routes; missing: its id. */
  routeName?: string;
  /** Shape of a judgment; lists, notes and the reasoning are optional. */
  judgment: ZodType<Judgment>;
  /** The value of a judgment. Counts are computed from its lists, never copied from the judge. */
  read(judgment: Judgment, material: Material): Reading;
  /** The value of a blank answer, for which no judge is called. */
  empty(material: Material): Reading;
  /**
   * Combines the judgments of a panel into one, for metrics where the median of values and the majority of counts
   * could contradict each other.
   */
  combine?(judgments: readonly Judgment[], material: Material): Judgment;
  /** Names in `numbers` of a reading, with whether each is a whole number. */
  numbers: { whole: readonly string[]; fractions: readonly string[] };
  /** Names in `labels` of a reading with their possible values, in the order of reports, worst last. */
  labels: Readonly<Record<string, readonly string[]>>;
  /** Entries of the catalogue, the metric itself first. */
  figures: readonly [JudgeFigure, ...JudgeFigure[]];
}

// biome-ignore-start lint/suspicious/noExplicitAny: as above
/** A metric for which a model is asked, with a rubric. */
export interface AskedJudge<Judgment = any, Material = any>
  extends JudgedMetric<Judgment, Material> {
  // biome-ignore-end lint/suspicious/noExplicitAny: as above
  kind: "asked";
  rubric: Rubric;
  /** Seed sent with the judge's requests; missing: none is sent. */
  seed?: number;
  /** The material shown to the judge, in this order. */
  sections: readonly SectionSource<Material>[];
}

/** A metric computed from the embeddings of two texts. */
// biome-ignore-start lint/suspicious/noExplicitAny: as above
export interface EmbeddingJudge<Material = any>
  extends JudgedMetric<Readonly<Record<string, number>>, Material> {
  // biome-ignore-end lint/suspicious/noExplicitAny: as above
  kind: "embeddings";
  texts(material: Material): readonly [string, string];
  /** The judgment computed from two vectors. */
  compare(a: readonly number[], b: readonly number[]): Readonly<Record<string, number>>;
}

export type Judge = AskedJudge | EmbeddingJudge;

/** A judge's instructions. */
export interface Rubric {
  /** What the judge has to determine, in one or two sentences. */
  task: string;
  /** Grades, best first, each with its condition; empty if the judge returns lists instead of a grade. */
  levels: readonly (readonly [grade: number, earns: string])[];
  /** The procedure. */
  rules: readonly string[];
  /** What must not affect the judgment, because another metric measures it. */
  notAbout: readonly string[];
}

/**
 * Converts a value from its judge's scale to a share, 0–1: levels by (x − 1) / 4.
 * Source: docs/spec/memory.md, memory citation score.
 * @example unitValue(4, "level") // 0.75
 */
export function unitValue(value: number, scale: Scale): number {
  const [low, high] = scales[scale];
  return (value - low) / (high - low);
}

/** How a metric is graded. */
type Graded = Pick<JudgedMetric, "scale" | "grades">;

/**
 * The lowest and the highest grade that judges and people can give.
 * @example gradeEnds({ scale: "ratio", grades: [3, 0] }) // [0, 3]
 */
export function gradeEnds({ scale, grades = scales[scale] }: Graded): [low: number, high: number] {
  return [Math.min(...grades), Math.max(...grades)];
}

/**
 * A grade between these ends as a value on the metric's scale.
 * @example gradeValue({ scale: "ratio", grades: [1, 5] }, 4) // 0.75
 */
export function gradeValue({ grades }: Graded, grade: number): number {
  if (grades === undefined) return grade;
  const [worst, best] = grades;
  return Math.abs(grade - worst) / Math.abs(best - worst);
}
