/**
 * Runs below this coverage are shown but not ranked. In a separate file because pages need it in the browser, and a
 * file with schemas would add zod to the bundle.
 */
export const coverageFloor = 0.95;

/** Why low coverage excludes a run from comparisons. Coverage is rounded as on pages, but never up to the minimum. */
export function coverageReason(coverage: number, floor = coverageFloor): string {
  const [rounded, least] = [coverage, floor].map((share) => Math.round(share * 1000) / 10);
  const percent = rounded! < least! ? rounded : Math.floor(coverage * 1000) / 10;
  return `coverage ${percent}% is below ${least}%`;
}
