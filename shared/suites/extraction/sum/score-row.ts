import type { ScoredSample } from "../../../contracts/suite.ts";
import { timesOf } from "../../../measures/call-totals.ts";
import type { CallTimes } from "../../../measures/durations.ts";
import type { SchemaComplexity } from "../score/fields/diagnosed-field.ts";
import { lostOutput } from "../score/lost-output.ts";
import type { ExtractionDetail } from "../score/score.ts";
import type { Tally } from "./tally.ts";

/** What is kept of one scored answer for intervals, correlations and paired comparisons. */
export interface ScoreRow extends Tally, CallTimes {
  id: string;
  cluster: string | null;
  /** What it belongs to as a whole: values of tags, and the complexity of its schema. */
  tags: Readonly<Record<string, string>>;
  bin: SchemaComplexity["bin"];
  eqs: number;
  valid: boolean;
  /** Valid with the nulls at properties that the schema does not require left in. */
  validAsIs: boolean;
  exactMatch: boolean;
  covered: boolean;
  /** An answer with a text that is no JSON. */
  unparsed: boolean;
  /** Parsed, and not valid against the schema. */
  unfit: boolean;
  /** Predicted values that are fabricated, or wrong and not in the text; none of an output that is not used. */
  critical: number;
  inputChars: number;
  outputChars: number | null;
  totalFields: number;
  maxDepth: number;
  requiredFields: number;
}

/**
 * What the aggregate keeps of a scored sample: some two dozen numbers, and no text but its id and tags.
 * @example scoreRow(scored).eqs // scored.score.score
 */
export function scoreRow({ id, tags, score, call }: ScoredSample<ExtractionDetail>): ScoreRow {
  const { detail, covered } = score;
  const { exact, partial, incorrect, missed, spurious, identical, lenient, typeCorrect } = detail;
  const { eqs, valid, validAsIs, exactMatch, status, parse, complexity, inputChars, outputChars } =
    detail;
  const { latencyMs, firstByteMs } = timesOf(call);
  return {
    id,
    cluster: tags["cluster"] ?? null,
    tags,
    bin: complexity.bin,
    eqs,
    valid,
    validAsIs,
    exactMatch,
    covered,
    unparsed: status === "answered" && parse === "failed",
    unfit: !valid && parse !== "failed",
    critical: lostOutput(score) === null ? detail.fields.filter(isCritical).length : 0,
    exact,
    partial,
    incorrect,
    missed,
    spurious,
    identical,
    lenient,
    typeCorrect,
    latencyMs,
    firstByteMs,
    inputChars,
    outputChars,
    totalFields: complexity.totalFields,
    maxDepth: complexity.maxDepth,
    requiredFields: complexity.requiredFields,
  };
}

const isCritical = ({ hallucination }: ExtractionDetail["fields"][number]): boolean =>
  hallucination === "fabricated" || hallucination === "wrongValue";
