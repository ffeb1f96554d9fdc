import { type Answer, answerSchema } from "#shared/contracts/answer.ts";
import type { ChatRequest } from "#shared/contracts/chat-request.ts";
import { contentHash } from "#shared/contracts/content-hash.ts";
import { type Json, parsedJson } from "#shared/contracts/json.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import type { AskModel } from "./ask-model.ts";

/** Increased whenever a stored answer would be read differently. */
const FORMAT = 1;

/** Stored answers by the hash of their request. Failing storage behaves as if it were empty. */
export interface KeptAnswers {
  read(key: string): Promise<Answer | null>;
  write(key: string, answer: Answer): Promise<void>;
}

/** The stored answers behind a binding: `GET` and `PUT` of a key's path. */
export function keptAnswers(binding: Pick<Fetcher, "fetch">): KeptAnswers {
  const at = (key: string) => `http://answers/${key}`;
  return {
    async read(key) {
      try {
        const response = await binding.fetch(at(key));
        const text = await response.text();
        return response.ok ? (answerSchema.safeParse(parsedJson(text)).data ?? null) : null;
      } catch {
        return null;
      }
    },
    async write(key, answer) {
      const init = { method: "PUT", body: JSON.stringify(answer) };
      await binding.fetch(at(key), init).catch(() => {});
    },
  };
}

/**
 * SHA-256 of everything that an answer depends on; null if an equal request may get another answer, because the
 * temperature is not 0 or a program is called, which may have changed. Keys are excluded; header values are included,
 * and not stored.
 */
export function keptKey(
  { apiKey: _, ...endpoint }: Endpoint,
  request: ChatRequest,
  repeat: number,
): string | null {
  const { temperature = request.temperature } = endpoint.settings ?? {};
  if (temperature !== 0 || endpoint.relay !== undefined) return null;
  // Omits undefined fields.
  const whole = JSON.parse(JSON.stringify({ format: FORMAT, endpoint, request, repeat })) as Json;
  return contentHash(whole);
}

/**
 * A client that sends only requests without a stored answer, and stores the answers. `repeat`: the sample's repeat,
 * from 0.
 */
export function reusing(ask: AskModel, answers: KeptAnswers, repeat: number): AskModel {
  return async (endpoint, request, ...rest) => {
    const key = keptKey(endpoint, request, repeat);
    if (key === null) return ask(endpoint, request, ...rest);
    const kept = await answers.read(key);
    if (kept !== null) return { kind: "answer", answer: notAsked(kept) };
    const reply = await ask(endpoint, request, ...rest);
    if (reply.kind === "answer" && reply.answer.error === null) {
      await answers.write(key, reply.answer);
    }
    return reply;
  };
}

/** A stored answer, as the answer to a request that was not sent. */
const notAsked = (answer: Answer): Answer =>
  withoutTimes({ ...answer, requests: 1, attempts: 0, retries: 0 });

/**
 * An answer without times if some of its unit's replies are stored ones, which shows in fewer calls than requests.
 * Other answers are unchanged.
 * @example untimedIfReused({ ...answer, requests: 2, attempts: 1 }, [kept, reply]).latencyMs // null
 */
export function untimedIfReused(answer: Answer, replies: readonly Answer[]): Answer {
  if (!replies.some(({ reused }) => reused)) return answer;
  return answer.error === null && answer.attempts < answer.requests ? withoutTimes(answer) : answer;
}

function withoutTimes({ firstTokenMs: _, networkMs: __, ...answer }: Answer): Answer {
  const times = { latencyMs: null, firstByteMs: null, queueWaitMs: null, retryWaitMs: null };
  return { ...answer, ...times, reused: true };
}
