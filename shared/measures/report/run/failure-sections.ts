import type { ReportBlock, ReportSection } from "../../../contracts/report.ts";
import type { Run } from "../../../contracts/run.ts";
import type { RequestFailures } from "../../performance/request-failures.ts";
import { type Advice, certainAdviceSection } from "../advice/advice.ts";
import { failureActions } from "../advice/failure-actions.ts";
import { brief, tableOf } from "../charts/blocks.ts";

type FailedRun = Pick<Run, "points" | "progress">;

const count = (value: number): string => value.toLocaleString("en");

/** In words, such as "rate limited". */
const wordsOf = ({ class: name }: RequestFailures[number]): string => name.replaceAll("_", " ");

const failuresIn = ({ points }: FailedRun): RequestFailures => points?.failures ?? [];

/**
 * The report of a run in which not a single request was answered: that, why, and what to do about it. Charts of
 * answers would show what is not there.
 * @example unansweredSections(run)[0]?.blocks[0]?.title // "Why requests failed"
 */
export function unansweredSections(run: FailedRun): ReportSection[] {
  const failures = failuresIn(run);
  const { total } = run.progress;
  return [
    {
      id: "summary",
      title: "Summary",
      intro: `${total === 1 ? "The only request was not" : `None of ${count(total)} requests was`} answered, so there is nothing to draw. The run's figures are what the rules give a request that failed; they say nothing about the model.`,
      blocks: brief(reasonBlocks(failures, total)),
    },
    failureAdvice(run),
  ];
}

/**
 * What to do about requests that failed, by their reasons.
 * @example failureAdvice(run).id // "recommendations"
 */
export function failureAdvice(run: FailedRun): ReportSection {
  const [failures, { total, failed }] = [failuresIn(run), run.progress];
  return certainAdviceSection(
    failures.length === 0 ? [unknownAdvice(failed, total)] : failures.map(adviceOn(total)),
  );
}

/**
 * Why requests failed, where a good part of them did.
 * @example failureSection(run).id // "failed-requests"
 */
export function failureSection(run: FailedRun): ReportSection {
  return {
    id: "failed-requests",
    title: "Failed requests",
    intro:
      "Why requests failed for good, after all retries. Each earns 0, so that the figures below say as much about the endpoint as about the model.",
    blocks: brief(reasonBlocks(failuresIn(run), run.progress.total)),
  };
}

function reasonBlocks(failures: RequestFailures, total: number): ReportBlock[] {
  if (failures.length === 0) {
    const text = "The run's samples have the error of each; they are not summed up here.";
    return [{ kind: "note", title: "Why requests failed", tone: "neutral", text }];
  }
  return tableOf(
    "Why requests failed",
    [
      ["reason", "Reason", "text"],
      ["count", "Requests", "count"],
      ["share", "Of all", "percent"],
      ["example", "First sample, and what was said there", "text"],
    ],
    failures.map((failure) => ({
      reason: wordsOf(failure),
      count: failure.count,
      share: failure.count / total,
      example: failure.message === "" ? failure.id : `${failure.id}: ${failure.message}`,
    })),
  );
}

/** The same for all that failed, whatever the reason. */
const thenAgain = "Then retry the failed samples, or submit the model again.";

const adviceOn =
  (total: number) =>
  (failure: RequestFailures[number]): Advice => {
    const { change, action } = failureActions[failure.class];
    return {
      tone: "poor",
      cell: "Failed requests",
      format: "percent",
      interval: null,
      n: total,
      value: failure.count / total,
      finding: `${count(failure.count)} of ${count(total)} requests failed: ${wordsOf(failure)}.`,
      change,
      action: change === "data" ? action : `${action} ${thenAgain}`,
    };
  };

const unknownAdvice = (failed: number, total: number): Advice => ({
  tone: "poor",
  cell: "Failed requests",
  format: "percent",
  interval: null,
  n: total,
  value: failed / total,
  change: "parameters",
  finding: `${count(failed)} of ${count(total)} requests failed.`,
  action: `Check the endpoint's address, its key, and the time allowed for a request. ${thenAgain}`,
});
