import type { ZodType } from "zod";
import type { Metric } from "../metric.ts";

/** Where a judge is asked: a provider of the deployment and the dated name of its model. */
export interface Route {
  provider: string;
  model: string;
}

/** A piece of material shown to a judge. */
export interface Section {
  name: string;
  text: string;
}

/** A named piece of material and how to get its text. */
export interface SectionSource<Material> {
  name: string;
  textOf(material: Material): string;
}

/** What a judgment says of one answer. */
export interface Reading {
  /** The sample's value of the metric, on its scale. */
  value: number;
  /** What else is summed over answers, by the judge's own names; each is 0 or more. */
  numbers: Readonly<Record<string, number>>;
  /** What else is counted over answers: of each of the judge's `labels` the one that holds. */
  labels: Readonly<Record<string, string>>;
  /** Quotations of the judge that the answer does not have: they are thrown away, and counted. */
  unsupportedEvidence: number;
}

/** A weighted sum of a judge's numbers; `value` and `judged` (1 an answer) are always among them. */
export type Terms = Readonly<Record<string, number>>;

/**
 * A figure over answers: Σ of / Σ over, or Σ of where `over` is null. `empty` is its value if answers
 * were judged but the denominator is zero.
 */
export interface JudgeFigure {
  metric: Metric;
  of: Terms;
  over: Terms | null;
  empty: number | null;
}

/** Ends of a scale: five levels, or a share. */
export const scales = { level: [1, 5], ratio: [0, 1] } as const;
export type Scale = keyof typeof scales;

// biome-ignore-start lint/suspicious/noExplicitAny: a list holds judges of every judgment, and only a
// judge's own functions look inside its values.
/** What every metric that is judged has in common; `Material` is what there is to judge. */
interface JudgedMetric<Judgment = any, Material = any> {
  // biome-ignore-end lint/suspicious/noExplicitAny: as above
  /** Name of the metric among judgments, in the catalogue and in options. */
  id: string;
  label: string;
  /** Raised by every change that moves a value; a change of the prompt alone is seen by its hash. */
  version: string;
  scale: Scale;
  /** The judge where deployment and run name no other. */
  route: Route;
  /** Shape of a judgment; lists, notes and the reasoning may be left out. */
  judgment: ZodType<Judgment>;
  /** What a judgment is worth; counts are worked out from it and never taken from the judge. */
  read(judgment: Judgment, material: Material): Reading;
  /** The value of an answer of blanks, for which nobody is asked. */
  empty(material: Material): Reading;
  /**
   * One judgment of several judges', where taking the median of values and the majority of counts would
   * not fit together.
   */
  combine?(judgments: readonly Judgment[], material: Material): Judgment;
  /** What `numbers` of a reading holds, apart by whether it is whole. */
  numbers: { whole: readonly string[]; fractions: readonly string[] };
  /** What `labels` of a reading holds, with the possible ones in the order of reports, worst last. */
  labels: Readonly<Record<string, readonly string[]>>;
  /** Entries of the catalogue, the metric's own first. */
  figures: readonly [JudgeFigure, ...JudgeFigure[]];
}

// biome-ignore-start lint/suspicious/noExplicitAny: as above
/** A metric for which a model is asked with a rubric. */
export interface AskedJudge<Judgment = any, Material = any>
  extends JudgedMetric<Judgment, Material> {
  // biome-ignore-end lint/suspicious/noExplicitAny: as above
  kind: "asked";
  rubric: Rubric;
  /** What the judge is shown, in this order. */
  sections: readonly SectionSource<Material>[];
}

/** A metric that follows from the embeddings of two texts. */
// biome-ignore-start lint/suspicious/noExplicitAny: as above
export interface EmbeddingJudge<Material = any>
  extends JudgedMetric<Readonly<Record<string, number>>, Material> {
  // biome-ignore-end lint/suspicious/noExplicitAny: as above
  kind: "embeddings";
  texts(material: Material): readonly [string, string];
  /** The judgment that two vectors give. */
  compare(a: readonly number[], b: readonly number[]): Readonly<Record<string, number>>;
}

export type Judge = AskedJudge | EmbeddingJudge;

/** A judge's instructions, in our own words. */
export interface Rubric {
  /** What the judge has to find out, in a sentence or two. */
  task: string;
  /** Grades, best first, each with its condition; empty if the judge lists instead of grading. */
  levels: readonly (readonly [grade: number, earns: string])[];
  /** How to go about it. */
  rules: readonly string[];
  /** What must not affect the judgment, since another metric measures it. */
  notAbout: readonly string[];
}

/**
 * A value on its judge's scale as a share, 0–1: levels by (x − 1) / 4.
 * Source: docs/spec/memory.md, memory citation score.
 * @example unitValue(4, "level") // 0.75
 */
export function unitValue(value: number, scale: Scale): number {
  const [low, high] = scales[scale];
  return (value - low) / (high - low);
}
