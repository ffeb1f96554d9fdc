/** Limits of the grades from A+ down to D, upper ones where lower is better; F is worse than all. */
export interface GradeScale {
  better: "higher" | "lower";
  limits: readonly [number, number, number, number, number, number];
}

/** Grades, best first; below the last limit the grade is F. */
const letters = ["A+", "A", "B+", "B", "C", "D"] as const;

/**
 * The letter grade of a value, A+ to F.
 * Source: docs/spec/extraction.md, section 6.
 * @example letterGrade({ better: "higher", limits: [0.9, 0.8, 0.75, 0.7, 0.6, 0.5] }, 0.76) // "B+"
 */
export function letterGrade({ better, limits }: GradeScale, value: number): string {
  const at = limits.findIndex((limit) => (better === "higher" ? value >= limit : value <= limit));
  return letters[at] ?? "F";
}
