import type { SampleScore } from "../../contracts/suite.ts";
import { type ExtractionDetail, isScored, type UnscoredDetail } from "./score.ts";

/**
 * What charts of single answers show: fields and depth of the schema, its bin of complexity, and the partial F1
 * that the answer earned. Nothing of an answer without a score.
 * Source: docs/spec/extraction.md, section 7.
 * @example extractionFeatures(score) // { totalFields: 4, bin: "simple", maxDepth: 0, partialF1: 1 }
 */
export function extractionFeatures(
  score: SampleScore<ExtractionDetail | UnscoredDetail>,
): Record<string, number | string> {
  if (!isScored(score)) return {};
  const { complexity, partialF1 } = score.detail;
  const { totalFields, bin, maxDepth } = complexity;
  return { totalFields, bin, maxDepth, partialF1 };
}
