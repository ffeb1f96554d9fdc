import type { Answer } from "../../../shared/contracts/answer.ts";
import type { SamplePage, SampleResult } from "../../../shared/contracts/run.ts";
import type { Highlights } from "../../../shared/contracts/run-report.ts";
import type { RunPoints } from "../../../shared/contracts/runs/run-points.ts";
import type { SampleScore, ScoredSample, Suite } from "../../../shared/contracts/suite.ts";
import { addPoint, noPoints, pointsOf } from "../../../shared/measures/performance/run-points.ts";
import { sampleLook } from "../../../shared/measures/report/show/sample-look.ts";

/** An answer as the service stores it, with the dataset's row. */
export interface StoredAnswer extends Omit<ScoredSample, "call"> {
  row: unknown;
  answer: Answer;
  score: SampleScore;
}

/** The points of a run's charts, collected with the service's code. */
export function pointsOfAnswers(suite: Suite, answers: readonly StoredAnswer[]): RunPoints {
  const tally = noPoints();
  for (const kept of answers) {
    addPoint(tally, { ...kept, repeat: 0 }, () => suite.features?.(kept.score) ?? {});
  }
  return pointsOf(tally);
}

/** The complete results of the answers that were picked as highlights. */
export function highlightsOfAnswers(suite: Suite, answers: readonly StoredAnswer[]): Highlights {
  const { picks } = pointsOfAnswers(suite, answers);
  return {
    samples: picks.flatMap(({ kind, reason, repeat, seq }) => {
      const kept = answers.find((one) => one.seq === seq);
      return kept ? [{ kind, reason, repeat, result: resultOf(kept) }] : [];
    }),
  };
}

/** The answers as the API returns them for single samples. */
export const resultsOfAnswers = (answers: readonly StoredAnswer[]): SampleResult[] =>
  answers.map(resultOf);

/** The samples of a run as the API lists them, each with its scored parts. */
export const lookedAt = (suite: Suite, answers: readonly StoredAnswer[]) =>
  answers.map((kept) => {
    const { sample, answer: _, detail: __, ...row } = resultOf(kept);
    const checked = suite.checkSample(sample);
    if (!checked.ok) throw new Error(checked.error);
    const shown = { sample: checked.value.sample, answer: kept.answer, score: kept.score };
    const { look, parts } = sampleLook(suite, shown);
    return { row: { ...row, look }, parts, tags: kept.tags };
  });

/** The first page of a list of samples, lowest scores first. */
export function firstPage(suite: Suite, answers: readonly StoredAnswer[]): SamplePage {
  const rows = lookedAt(suite, answers).map(({ row }) => row);
  const sorted = rows.toSorted((a, b) => (a.score ?? 2) - (b.score ?? 2));
  const samples = sorted.slice(0, 50);
  return { samples, nextCursor: sorted.length > 50 ? `${samples.at(-1)?.seq}` : null };
}

function resultOf({ seq, id, row, answer, score }: StoredAnswer): SampleResult {
  const { latencyMs, inputTokens, outputTokens, requests, attempts } = answer;
  return {
    seq,
    id,
    status: score.status,
    covered: score.covered,
    score: score.score,
    latencyMs,
    inputTokens,
    outputTokens,
    requests,
    attempts,
    queueWaitMs: answer.queueWaitMs,
    retryWaitMs: answer.retryWaitMs,
    errorClass: answer.error?.class ?? null,
    // As stored: JSON drops undefined values.
    ...(JSON.parse(JSON.stringify({ sample: row, answer, detail: score.detail })) as Pick<
      SampleResult,
      "sample" | "answer" | "detail"
    >),
  };
}
