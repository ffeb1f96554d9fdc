import { contentHash } from "./content-hash.ts";
import type { Suite } from "./suite.ts";

/** Hex digits of an id made from a hash: enough that two versions never meet. */
const ID_LENGTH = 16;

/**
 * What a score depends on beside model, data and prompt, as 16 hex digits: scores of different versions
 * can't be compared.
 * @example scoringVersionOf(extraction, extraction.optionsSchema.parse({})).length // 16
 */
export function scoringVersionOf(
  suite: Pick<Suite, "id" | "version" | "scoringOptions">,
  options: unknown,
): string {
  const { id, version } = suite;
  const scoring = suite.scoringOptions(options);
  return contentHash({ suite: id, version, scoring }).slice(0, ID_LENGTH);
}
