import type { Answer } from "../../contracts/answer.ts";
import type { Step, UnitTask } from "../../contracts/suite.ts";
import { findingsOf } from "./exchange-of.ts";
import type { JudgedAnswer, StageFindings } from "./judged-answer.ts";
import type { MemoryOptions } from "./options.ts";
import { adviceMessages } from "./prompt.ts";
import type { MemorySample } from "./sample.ts";
import { type StageId, stageIds, stages } from "./stages.ts";

/**
 * What the sample lacks of emotion and personality is asked for first, a request each; then the question. A
 * stage whose reply can't be read finds nothing, and the question is asked all the same. The answer's
 * latency is its own; requests and tokens are those of the stages, too.
 * Source: specification of the memory suite, generation.
 * @example next({ samples: [sample], options, repeat: 0 }, []).kind // "ask"
 */
export function next(
  { samples, options }: UnitTask<MemorySample, MemoryOptions>,
  replies: readonly Answer[],
): Step {
  const sample = samples[0]!;
  const open = stageIds.filter((id) => stages[id].given(sample) === null);
  const stage = open[replies.length];
  if (stage !== undefined) return { kind: "ask", request: stages[stage].request(sample) };
  const found = findingsIn(open, replies);
  const answer = replies[open.length];
  if (answer !== undefined) {
    const judged: JudgedAnswer = {
      ...withStages(answer, replies.slice(0, open.length)),
      stages: found,
    };
    return { kind: "done", answers: [judged] };
  }
  const messages = adviceMessages(sample, findingsOf(sample, found, options), options);
  const { temperature, maxTokens } = options;
  return { kind: "ask", request: { messages, temperature, maxTokens } };
}

function findingsIn(open: readonly StageId[], replies: readonly Answer[]): StageFindings {
  const found: StageFindings = { emotion: null, personality: null, failures: {} };
  for (const [i, id] of open.entries()) {
    const read = stages[id].read(replies[i]!);
    if (read.ok) Object.assign(found, { [id]: read.value });
    else found.failures[id] = read.error;
  }
  return found;
}

/** Counts of a unit's requests together; null only where no reply has any. */
function withStages(answer: Answer, before: readonly Answer[]): Answer {
  if (before.length === 0) return answer;
  const all = [...before, answer];
  const total = (of: (one: Answer) => number | null) =>
    all.every((one) => of(one) === null) ? null : all.reduce((sum, one) => sum + (of(one) ?? 0), 0);
  return {
    ...answer,
    requests: total(({ requests }) => requests)!,
    attempts: total(({ attempts }) => attempts)!,
    retries: total(({ retries }) => retries)!,
    inputTokens: total(({ inputTokens }) => inputTokens),
    outputTokens: total(({ outputTokens }) => outputTokens),
    queueWaitMs: before[0]!.queueWaitMs,
  };
}
