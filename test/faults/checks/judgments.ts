import type { LogEntry } from "../../../simulator/request-log.ts";
import type { RunEvidence } from "../evidence.ts";

/** The result of comparing a judged run with the requests to its judges. */
export interface JudgmentCheck {
  problems: string[];
  requests: number;
  /** Requests that no stored judgment accounts for: paid but discarded. */
  duplicates: number;
  /** Kills between the first and the last request to a judge. */
  kills: number;
}

/** Checks that each answer has a valid judgment of each judge. Only the service is faulty, so no judge fails. */
export function checkJudgments(
  { run, stored }: RunEvidence,
  asked: readonly LogEntry[],
  judges: number,
  killedAt: readonly number[],
): JudgmentCheck {
  const problems: string[] = [];
  let explained = 0;
  for (const { id, answer } of stored.values()) {
    const records = Object.values(answer.judgments ?? {}).flat();
    const judgments = records.filter(({ unjudged }) => unjudged === null);
    if (records.length !== judges || judgments.length !== judges) {
      problems.push(
        `${run.model_slug}: ${id} has ${judgments.length} of ${judges} judgments: ${JSON.stringify(records.find(({ unjudged }) => unjudged !== null)?.unjudged)}`,
      );
    }
    explained += records.reduce((sum, { requests }) => sum + requests, 0);
  }
  const times = asked.map(({ time }) => Date.parse(time));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const duplicates = Math.max(0, asked.length - explained);
  const kills = killedAt.filter((at) => first < at && at < last).length;
  if (kills === 0) problems.push(`${run.model_slug}: no kill happened while it was judged`);
  return { problems, requests: asked.length, duplicates, kills };
}
