import type { Answer } from "../../../shared/contracts/answer.ts";
import type { SamplePage, SampleResult } from "../../../shared/contracts/run.ts";
import type { RunPoints } from "../../../shared/contracts/run-points.ts";
import type { Highlights } from "../../../shared/contracts/run-report.ts";
import type { SampleScore, ScoredSample, Suite } from "../../../shared/contracts/suite.ts";
/** An answer as the service stores it, with the dataset's row. */
export interface StoredAnswer extends Omit<ScoredSample, "call"> {
  row: unknown;
  answer: Answer;
  score: SampleScore;
}
/** What a run's charts show of single answers, gathered as the service does it. */
export declare function pointsOfAnswers(suite: Suite, answers: readonly StoredAnswer[]): RunPoints;
/** The answers that were picked, whole. */
export declare function highlightsOfAnswers(
  suite: Suite,
  answers: readonly StoredAnswer[],
): Highlights;
/** The answers as the API gives them one by one. */
export declare const resultsOfAnswers: (answers: readonly StoredAnswer[]) => SampleResult[];
/** The samples of a run as the API lists them, each with its judged parts. */
export declare const lookedAt: (
  suite: Suite,
  answers: readonly StoredAnswer[],
) => {
  row: {
    seq: number;
    id: string;
    status: "answered" | "not_applicable" | "scored" | "unscored";
    covered: boolean;
    score: number | null;
    latencyMs: number | null;
    inputTokens: number | null;
    outputTokens: number | null;
    requests: number;
    attempts: number;
    queueWaitMs: number | null;
    retryWaitMs: number | null;
    errorClass: string | null;
    said?:
      | {
          answer: string | null;
          thoughts: string;
        }
      | undefined;
    look: {
      values: Record<string, number | null>;
      parts: number;
      wrong: number | null;
      fault: string | null;
      firstError: string | null;
    };
  };
  parts: import("../../../shared/contracts/suite.ts").JudgedPart[];
  tags: Readonly<Record<string, string>>;
}[];
/** The first page of a list of samples, lowest scores first. */
export declare function firstPage(suite: Suite, answers: readonly StoredAnswer[]): SamplePage;
