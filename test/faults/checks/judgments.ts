import type { LogEntry } from "../../../simulator/request-log.ts";
import type { RunEvidence } from "../evidence.ts";

/** A judged run held against what its judges were asked. */
export interface JudgmentCheck {
  problems: string[];
  requests: number;
  /** Requests beyond those of the stored judgments: paid for, and thrown away. */
  duplicates: number;
  /** Kills between the first and the last request to a judge. */
  kills: number;
}

/** Each answer has a judgment of each judge; none of them failed, as only the service is faulty. */
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
  if (kills === 0) problems.push(`${run.model_slug}: no kill met its judging`);
  return { problems, requests: asked.length, duplicates, kills };
}
