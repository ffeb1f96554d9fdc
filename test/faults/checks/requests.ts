import type { StoredSample } from "../../../api/runs/stored-samples.ts";
import type { FaultKind } from "../../../simulator/faults/fault-rates.ts";
import type { LogEntry } from "../../../simulator/request-log.ts";
import type { RunEvidence } from "../evidence.ts";
import { type Outcome, outcomeOf } from "../fault-outcomes.ts";

/** The result of comparing a run with the requests in the simulator's log. */
export interface RequestCheck {
  problems: string[];
  requests: number;
  /** Requests beyond the rows' `attempts`: paid but discarded. */
  duplicates: number;
  /** Faults that the simulator injected; `explained`: the row of the sample matches its requests. */
  faults: { fault: FaultKind; explained: boolean }[];
}

/** Samples of a run without faults, by sample id. */
export type CleanAnswers = ReadonlyMap<string, StoredSample>;

/**
 * Checks that each row matches the outcome of its requests. The last request decides if the row accounts for all of
 * them; if some were discarded, the row may have come from any of them.
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
  if (surplus < 0) return `${stored.id} counts ${-surplus} requests that never arrived`;
  const outcomes = outcomesOf(stored, clean);
  const candidates = surplus === 0 ? asked.slice(-1) : asked;
  const possible = candidates.map(({ fault }) => outcomeOf(fault));
  if (possible.some((outcome) => outcomes.includes(outcome))) return null;
  return `${stored.id} is ${outcomes[0]}, but its requests lead to ${possible.join(" or ")}`;
}

/** Outcomes of an attempt that could have produced a stored answer. */
function outcomesOf({ id, answer }: StoredSample, clean: CleanAnswers): Outcome[] {
  if (answer.error !== null) return [answer.error.class];
  const expected = clean.get(id)?.answer;
  // Not every interface can carry the text of a refusal.
  const isRefused = answer.refusal !== null;
  const isAlike = isRefused === (expected?.refusal !== null);
  const isClean = isAlike && (isRefused || answer.output === expected?.output);
  return isClean ? ["answered", "spoilt"] : ["spoilt"];
}
