import { type GradeScale, letterGrade } from "../../measures/report/letter-grade.ts";

/** Source: docs/spec/extraction.md, section 6. */
export const gradeScales: Readonly<Record<string, GradeScale>> = {
  validity: { better: "higher", limits: [0.98, 0.95, 0.9, 0.85, 0.75, 0.6] },
  partialF1: { better: "higher", limits: [0.9, 0.8, 0.75, 0.7, 0.6, 0.5] },
  exactMatch: { better: "higher", limits: [0.8, 0.7, 0.6, 0.5, 0.35, 0.2] },
  hallucinationRate: { better: "lower", limits: [0.05, 0.08, 0.1, 0.15, 0.2, 0.3] },
  latencyP95: { better: "lower", limits: [1000, 2000, 3000, 5000, 8000, 15_000] },
};

/**
 * The letter grade, A+ to F, of a metric's value; undefined for a metric without grades, and for null.
 * Source: docs/spec/extraction.md, section 6.
 * @example gradeOf("validity", 0.97) // "A"
 */
export function gradeOf(metric: string, value: number | null): string | undefined {
  const scale = gradeScales[metric];
  return scale === undefined || value === null ? undefined : letterGrade(scale, value);
}
