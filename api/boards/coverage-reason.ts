import { coverageFloor } from "#shared/contracts/coverage-floor.ts";

/** Why a coverage below the floor keeps a run from a comparison: rounded as pages do, but never up to the floor. */
export function coverageReason(coverage: number): string {
  const rounded = Math.round(coverage * 1000) / 10;
  const percent = rounded < coverageFloor * 100 ? rounded : Math.floor(coverage * 1000) / 10;
  return `coverage ${percent}% is below ${coverageFloor * 100}%`;
}
