import type { StoredSample } from "../../../api/runs/stored-samples.ts";
import type { FaultKind } from "../../../simulator/faults/fault-rates.ts";
import type { LogEntry } from "../../../simulator/request-log.ts";
import type { RunEvidence } from "../evidence.ts";
import { type Outcome, outcomeOf } from "../fault-outcomes.ts";

/** A run held against what the simulator saw of it. */
export interface RequestCheck {
  problems: string[];
  requests: number;
  /** Requests beyond those that the rows' `attempts` explain: paid for, and thrown away. */
  duplicates: number;
  /** Faults that the simulator drew, with the sample's place; `explained`: its row fits. */
  faults: { fault: FaultKind; explained: boolean }[];
}

/** How the same samples are answered where nothing is faulty, by sample id. */
export type CleanAnswers = ReadonlyMap<string, StoredSample>;

/**
 * Whether each row is what its requests lead to. Where every request is accounted for, the last one
 * decides; where some were thrown away, any of them may be the one that was kept.
 */
export function checkRequests(evidence: RunEvidence, clean: CleanAnswers): RequestCheck {
  const check: RequestCheck = { problems: [], requests: 0, duplicates: 0, faults: [] };
  for (const stored of evidence.stored.values()) {
    const asked = evidence.asked.get(stored.id) ?? [];
    const surplus = asked.length - stored.answer.attempts;
    const problem = problemOf(stored, asked, surplus, clean);
    if (problem !== null) check.problems.push(`${evidence.run.model_slug}: ${problem}`);
    check.requests += asked.length;
    check.duplicates += Math.max(0, surplus);
    for (const { fault } of asked) {
      if (fault !== null) check.faults.push({ fault, explained: problem === null });
    }
  }
  return check;
}

function problemOf(
  stored: StoredSample,
  asked: readonly LogEntry[],
  surplus: number,
  clean: CleanAnswers,
): string | null {
  if (surplus < 0) return `${stored.id} claims ${-surplus} requests that never came`;
  const outcomes = outcomesOf(stored, clean);
  const candidates = surplus === 0 ? asked.slice(-1) : asked;
  const possible = candidates.map(({ fault }) => outcomeOf(fault));
  if (possible.some((outcome) => outcomes.includes(outcome))) return null;
  return `${stored.id} is ${outcomes[0]}, but its requests lead to ${possible.join(" or ")}`;
}

/** What a stored answer can have come from. */
function outcomesOf({ id, answer }: StoredSample, clean: CleanAnswers): Outcome[] {
  if (answer.error !== null) return [answer.error.class];
  const expected = clean.get(id)?.answer;
  // Not every interface has room for the words of a refusal.
  const isRefused = answer.refusal !== null;
  const isAlike = isRefused === (expected?.refusal !== null);
  const isClean = isAlike && (isRefused || answer.output === expected?.output);
  return isClean ? ["answered", "spoilt"] : ["spoilt"];
}
