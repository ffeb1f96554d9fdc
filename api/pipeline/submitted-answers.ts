import { type Answer, emptyAnswer } from "#shared/contracts/answer.ts";
import type { SubmittedAnswer } from "#shared/contracts/submission.ts";
import type { ObjectStore } from "./ports.ts";

/** Answers an object. */
const CHUNK = 200;

const keyOf = (runId: string, chunk: number) => `runs/${runId}/submitted-${chunk}.json`;

/** Keeps submitted answers in the order of the run's sequence; null where none was given. */
export async function storeSubmitted(
  objects: ObjectStore,
  runId: string,
  answers: readonly (SubmittedAnswer | null)[],
): Promise<void> {
  for (let start = 0; start < answers.length; start += CHUNK) {
    await objects.put(keyOf(runId, start / CHUNK), answers.slice(start, start + CHUNK));
  }
}

/** Reads submitted answers one by one, keeping the chunk read last. */
export function submittedReader(objects: ObjectStore, runId: string) {
  const chunks = new Map<number, Promise<(SubmittedAnswer | null)[] | null>>();
  return async (seq: number): Promise<Answer> => {
    const number = Math.floor(seq / CHUNK);
    const chunk = chunks.get(number) ?? objects.get(keyOf(runId, number));
    chunks.set(number, chunk);
    return toAnswer((await chunk)?.[seq % CHUNK] ?? null);
  };
}

/** A submitted row as an answer; a row left out is an answer that could not be had. */
function toAnswer(row: SubmittedAnswer | null): Answer {
  if (row === null) return failed("no answer was submitted for this sample");
  if (row.error !== undefined) return { ...failed(row.error), latencyMs: row.latencyMs ?? null };
  return {
    ...emptyAnswer,
    output: row.output ?? null,
    latencyMs: row.latencyMs ?? null,
    inputTokens: row.inputTokens ?? null,
    outputTokens: row.outputTokens ?? null,
    confidence: row.confidence ?? null,
    source: row.source ?? null,
  };
}

const failed = (message: string): Answer => ({
  ...emptyAnswer,
  error: { class: "missing_answer", message },
});
