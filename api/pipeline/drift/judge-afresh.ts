import type { Answer } from "#shared/contracts/answer.ts";
import { askingOf } from "../judging/ask-judge.ts";
import { judgeAnswer } from "../judging/judge-answer.ts";
import { Outage } from "../lanes/outage.ts";
import { Postponed } from "../lanes/postponed.ts";
import type { RunWork } from "../lanes/run-work.ts";
import type { Ports } from "../ports.ts";
import { loggedError } from "../runs/sample-access.ts";

/** What was said before is just what may have changed. */
const nothingKept = {
  getText: async () => null,
  get: async () => null,
  put: async () => {},
  keys: async () => [],
  putOnce: async () => true,
  update: async () => {},
  remove: async () => {},
};

/**
 * A stored answer with the judgments that a run's judges give of it now, none taken from before and none
 * kept; null where they could not be asked.
 */
export async function judgeAfresh(
  ports: Ports,
  work: RunWork,
  sample: unknown,
  { judgments: _, ...answer }: Answer,
): Promise<Answer | null> {
  const asking = { ...askingOf(ports, work), stopped: async () => {} };
  try {
    return await judgeAnswer({ objects: nothingKept }, work, asking, { sample, answer });
  } catch (error) {
    if (error instanceof Outage) throw error;
    if (error instanceof Postponed) return null;
    const entry = {
      getText: async () => null,
      event: "judging-afresh-failed",
      run: work.run.id,
      error: loggedError(work.run, error),
    };
    console.error(JSON.stringify(entry));
    return null;
  }
}
