import type { ScoredSample } from "../../../contracts/suite.ts";
import { addTo, noSums, sumOf } from "../../../stats/sums/compensated-sum.ts";
import { type DiagnosedField, errorPatterns } from "../score/fields/diagnosed-field.ts";
import { countLost, lostOutput, noLostOutputs } from "../score/lost-output.ts";
import type { ExtractionDetail } from "../score/score.ts";
import { addTally, emptyTally, fieldCounts } from "../score/tally.ts";

/** Types that an expected field may have. */
export const fieldTypes = ["string", "number", "boolean", "array", "object"] as const;
/** Possible outputs in place of an expected field. */
export const predictedTypes = [...fieldTypes, "absent", "null"] as const;

/** Lower bounds of the bins for composites of matched fields, best first. */
export const compositeBins = [
  { id: "excellent", from: 0.95 },
  { id: "good", from: 0.8 },
  { id: "fair", from: 0.6 },
  { id: "poor", from: 0.4 },
  { id: "veryPoor", from: 0 },
] as const;

/** Numeric and boolean features of a schema. */
const featureNames = [
  "totalFields",
  "requiredFields",
  "optionalFields",
  "maxDepth",
  "hasArrays",
  "hasNestedObjects",
  "typeDiversity",
  "enumFields",
  "formatFields",
] as const;

const confidenceBins = 10;

/** Counts and sums over scored answers, without names from the data. */
export type Tallies = ReturnType<typeof noTallies>;

/**
 * Counts without answers.
 * @example noTallies().refused // 0
 */
export function noTallies() {
  return {
    /** Answers in which arrays of objects were too long to align exactly. */
    alignedApproximately: 0,
    fields: emptyTally(),
    fieldsLeftOut: 0,
    /** Answers whose fields are all missed, without a pattern. */
    lost: noLostOutputs(),
    parse: { clean: 0, recovered: 0, failed: 0 },
    refused: 0,
    empty: 0,
    truncated: 0,
    /** Only scored answers whose output tokens are known. */
    metered: { answers: 0, predictedFields: 0, outputTokens: 0 },
    /** By expected type, then by predicted type. */
    confusion: zeros(fieldTypes, () => zeros(predictedTypes, () => 0)),
    composites: zeros(
      compositeBins.map(({ id }) => id),
      () => 0,
    ),
    ...noErrors(),
    features: zeros(featureNames, () => 0),
    /** By tenth of the confidence. */
    confidence: Array.from({ length: confidenceBins }, () => ({
      n: 0,
      confidence: noSums(),
      accuracy: noSums(),
    })),
  };
}

/**
 * Counts without errors.
 * @example noErrors().hallucinations.surplus // 0
 */
export function noErrors() {
  return {
    hallucinations: { fabricated: 0, wrongValue: 0, misplaced: 0, surplus: 0 },
    patterns: zeros(errorPatterns, () => 0),
  };
}

function zeros<Name extends string, Value>(
  names: readonly Name[],
  make: () => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make()])) as Record<Name, Value>;
}

/**
 * Counts one scored answer and its fields.
 * Source: docs/spec/extraction.md, sections 7, 8, 10 and 11.
 * @example countAnswer(tallies, scored)
 */
export function countAnswer(tallies: Tallies, scored: ScoredSample<ExtractionDetail>): void {
  const { detail } = scored.score;
  addTally(tallies.fields, detail);
  tallies.fieldsLeftOut += detail.fieldsLeftOut;
  const { alignment } = detail.salvage ?? detail;
  if (alignment === "approximate") tallies.alignedApproximately++;
  countReading(tallies, detail);
  countMetered(tallies.metered, detail, scored.call);
  for (const name of featureNames) tallies.features[name] += Number(detail.complexity[name]);
  countConfidence(tallies, scored.call.confidence, detail);
  const lost = lostOutput(scored.score);
  if (lost !== null) countLost(tallies.lost, lost, detail);
  for (const field of detail.fields) countDiagnosis(tallies, field, lost === null);
}

/**
 * Counts the tokens used for an answer's fields; a failed request used none.
 * @example countMetered(tallies.metered, detail, call)
 */
export function countMetered(
  metered: Tallies["metered"],
  detail: ExtractionDetail,
  { outputTokens, error }: Pick<ScoredSample["call"], "outputTokens" | "error">,
): void {
  if (outputTokens === null || error !== null) return;
  metered.answers++;
  metered.predictedFields += fieldCounts(detail).predicted;
  metered.outputTokens += outputTokens;
}

function countReading(tallies: Tallies, { status, parse, truncated }: ExtractionDetail): void {
  if (status === "answered") tallies.parse[parse]++;
  if (status === "refused") tallies.refused++;
  if (status === "empty") tallies.empty++;
  if (truncated) tallies.truncated++;
}

/** Accuracy is the partial F1 of the answer, 0 for an invalid output. */
function countConfidence(
  tallies: Tallies,
  confidence: number | null,
  { valid, partialF1 }: ExtractionDetail,
): void {
  if (confidence === null) return;
  const within = Math.max(0, Math.min(1, confidence));
  const bin =
    tallies.confidence[Math.min(confidenceBins - 1, Math.floor(within * confidenceBins))]!;
  bin.n++;
  addTo(bin.confidence, within);
  addTo(bin.accuracy, valid ? partialF1 : 0);
}

/** A field that is missed only because its whole output is not used is not a separate error. */
function countDiagnosis(tallies: Tallies, field: DiagnosedField, isUsed: boolean): void {
  const { expectedType, predictedType, composite } = field;
  if (expectedType !== null) tallies.confusion[expectedType][predictedType]++;
  if (composite !== null) {
    tallies.composites[compositeBins.find(({ from }) => composite >= from)!.id]++;
  }
  if (isUsed) countErrors(tallies, field);
}

/**
 * Counts the error of a field.
 * Source: docs/spec/extraction.md, section 8.
 * @example countErrors(tallies, field)
 */
export function countErrors(
  { hallucinations, patterns }: Pick<Tallies, "hallucinations" | "patterns">,
  { hallucination, surplusElements, pattern }: DiagnosedField,
): void {
  hallucinations.surplus += surplusElements;
  const isCounted = hallucination === "surplus" && surplusElements > 0;
  if (hallucination !== null && !isCounted) hallucinations[hallucination]++;
  if (pattern !== null) patterns[pattern]++;
}

/**
 * The expected calibration error, 0–1, over ten equal bins of confidence, of the `n` answers with a confidence;
 * accuracy is the partial F1 of the answers. Null if no answer has a confidence.
 * Source: docs/spec/extraction.md, section 11; Naeini et al. 2015 (ECE).
 * @example calibrationOf(noTallies()) // null
 */
export function calibrationOf({ confidence: tallied }: Tallies) {
  const n = tallied.reduce((sum, bin) => sum + bin.n, 0);
  if (n === 0) return null;
  const bins = tallied.map((bin, k) => {
    const mean = (sum: number) => (bin.n === 0 ? null : sum / bin.n);
    return {
      from: k / tallied.length,
      to: (k + 1) / tallied.length,
      n: bin.n,
      confidence: mean(sumOf(bin.confidence)),
      accuracy: mean(sumOf(bin.accuracy)),
    };
  });
  const gap = ({ accuracy, confidence, n: inBin }: (typeof bins)[number]) =>
    (Math.abs((accuracy ?? 0) - (confidence ?? 0)) * inBin) / n;
  return { n, error: bins.reduce((sum, bin) => sum + gap(bin), 0), bins };
}
