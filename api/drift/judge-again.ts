import type { Answer } from "#shared/contracts/answer.ts";
import { Outage } from "../engine/outage.ts";
import { Postponed } from "../engine/postponed.ts";
import type { RunWork } from "../engine/run-work.ts";
import { askingOf } from "../judging/ask-judge.ts";
import { judgeAnswer } from "../judging/judge-answer.ts";
import type { Ports } from "../platform/ports.ts";
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
