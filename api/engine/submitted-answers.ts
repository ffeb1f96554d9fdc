import { answerOf, type SubmittedAnswer } from "#shared/contracts/submitted-answer.ts";
import type { ObjectStore } from "../platform/ports.ts";
import type { TimedAnswer } from "./carry-unit.ts";

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
  return async (seq: number): Promise<TimedAnswer> => {
    const number = Math.floor(seq / CHUNK);
    const chunk = chunks.get(number) ?? objects.get(keyOf(runId, number));
    chunks.set(number, chunk);
    return { answer: answerOf((await chunk)?.[seq % CHUNK] ?? null), doneMs: null };
  };
}
