import type { Answer } from "#shared/contracts/answer.ts";
import type { AnswerSource, TimedAnswer } from "../lanes/carry-unit.ts";
import { Outage } from "../lanes/outage.ts";
import { Postponed } from "../lanes/postponed.ts";
import type { RunWork } from "../lanes/run-work.ts";
import type { Ports } from "../ports.ts";
import { askingOf } from "./ask-judge.ts";
import { findOut } from "./find-out.ts";
import { judgeAnswer, unjudgedAnswer } from "./judge-answer.ts";

/** Stored answers with their judgments, asked for one request after the other. Throws `Postponed`. */
export function judgingSource(ports: Ports, work: RunWork, stored: AnswerSource): AnswerSource {
  const asking = askingOf(ports, work);
  return async (unit, samples) => {
    const judged: TimedAnswer[] = [];
    for (const [i, timed] of (await stored(unit, samples)).entries()) {
      const sample = samples[i];
      const id = work.plan.heads[unit.samples[i]!]?.id ?? "";
      const answer = await withFindings(ports, work, sample, ownAnswer(work, timed.answer));
      const toJudge = { id, sample, answer };
      const its = await judgeAnswer(ports, work, asking, toJudge).catch((error: unknown) => {
        if (error instanceof Postponed || error instanceof Outage) throw error;
        const entry = {
          event: "judging-failed",
          run: work.run.id,
          sample: id,
          error: String(error),
        };
        console.error(JSON.stringify(entry));
        return unjudgedAnswer(work, toJudge);
      });
      judged.push({ doneMs: timed.doneMs, answer: its });
    }
    return judged;
  };

  /** Answers made elsewhere come without what was found out of the person, which judges are shown. */
  async function withFindings(
    its: Ports,
    { suite }: RunWork,
    sample: unknown,
    answer: Answer,
  ): Promise<Answer> {
    if (suite.stages === undefined || answer.stages !== undefined) return answer;
    return { ...answer, stages: await findOut(its, work, asking, sample) };
  }
}

/** Judgments of another run are that run's: what is the same of them is found among the kept ones. */
function ownAnswer({ run }: RunWork, answer: Answer): Answer {
  if (run.parentId === null && run.endpoint !== null) return answer;
  const { judgments: _, ...own } = answer;
  return own;
}
