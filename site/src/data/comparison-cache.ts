import { type Comparison, comparisonSchema } from "#shared/contracts/comparison.ts";
import { contentHash } from "#shared/contracts/content-hash.ts";
import type { ComparisonRequest } from "./comparison-request.ts";
import { keepJson, keptJson } from "./json-cache.ts";

/** Of many runs at once, whose ids would be too long for a file's name. */
const nameOf = ({ runs }: ComparisonRequest): string =>
  `comparison-${contentHash(runs).slice(0, 32)}`;

export const keptComparison = (
  dir: string,
  request: ComparisonRequest,
): Promise<Comparison | null> => keptJson(dir, nameOf(request), comparisonSchema);

export const keepComparison = (
  dir: string,
  request: ComparisonRequest,
  comparison: Comparison,
): Promise<void> => keepJson(dir, nameOf(request), comparison);
