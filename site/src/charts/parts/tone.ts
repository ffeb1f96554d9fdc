import type { Tone } from "#shared/contracts/report.ts";

/** The fill of a tone, defined for both colour schemes in tokens.css. */
export const toneFill = (tone: Tone): string => `var(--tone-${tone})`;
