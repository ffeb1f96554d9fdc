import type { ErrorsBreakdown } from "../../sum/breakdown/breakdown-parts.ts";

/**
 * Where an error was met first, as the end of a bracket; empty where samples are hidden.
 * @example firstSample({ seq: 3, id: "fee" }) // ", first in sample fee"
 */
export const firstSample = (example: ErrorsBreakdown["common"][number]["example"]): string =>
  example === null ? "" : `, first in sample ${example.id}`;
