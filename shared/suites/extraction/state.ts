import type { StructuredMode } from "../../contracts/answer.ts";
import type { ScoredSample } from "../../contracts/suite.ts";
import type { CallFacts } from "../../measures/performance.ts";
import type { OutputStatus, ParseOutcome } from "./read-output.ts";
import type { ExtractionDetail } from "./score.ts";
import type { Tally } from "./tally.ts";

/** What is kept of one scored answer: counts, from which every rate is worked out at the end. */
export interface ScoreRow extends Tally {
  id: string;
  cluster: string | null;
  eqs: number;
  valid: boolean;
  exactMatch: boolean;
  covered: boolean;
  status: OutputStatus;
  parse: ParseOutcome;
  truncated: boolean;
  structuredMode: StructuredMode | null;
  call: CallFacts;
}

/** Rows by seq; numeric keys come out in ascending order, so equal sets are equal bytes. */
export interface ExtractionState {
  rows: Record<number, ScoreRow>;
}

/**
 * What the aggregate keeps of a scored sample.
 * @example scoreRow(scored).eqs // scored.score.score
 */
export function scoreRow(scored: ScoredSample<ExtractionDetail>): ScoreRow {
  const { detail, covered } = scored.score;
  const { latencyMs, firstByteMs, inputTokens, outputTokens, attempts, error } = scored.call;
  const { exact, partial, incorrect, missed, spurious, identical, lenient, typeCorrect } = detail;
  const { eqs, valid, exactMatch, status, parse, truncated } = detail;
  return {
    ...{ id: scored.id, cluster: scored.tags["cluster"] ?? null },
    ...{ eqs, valid, exactMatch, covered, status, parse, truncated },
    ...{ exact, partial, incorrect, missed, spurious, identical, lenient, typeCorrect },
    structuredMode: scored.call.structuredMode,
    call: {
      ...{ latencyMs, firstByteMs, inputTokens, outputTokens, attempts },
      errorClass: error?.class ?? null,
    },
  };
}

/**
 * The rows of a state in the order of the run.
 * @example rowsOf({ rows: {} }) // []
 */
export function rowsOf(state: ExtractionState): ScoreRow[] {
  return Object.values(state.rows);
}
