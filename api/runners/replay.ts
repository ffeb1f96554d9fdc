import type { RunnerReply } from "#shared/contracts/submissions/runner.ts";
import { ReportedFailure } from "../providers/failure.ts";

/** A clock that a reply sets, so that the times measured by a runner become the times of the answer. */
export class ReplayClock {
  readonly #sentAt: number;
  #elapsedMs = 0;

  constructor(sentAt: number) {
    this.#sentAt = sentAt;
  }

  now = (): number => this.#sentAt + this.#elapsedMs;

  /** Time never goes back. */
  set(elapsedMs: number): void {
    this.#elapsedMs = Math.max(this.#elapsedMs, elapsedMs);
  }
}

/** Statuses whose responses have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** The response that a runner received, replayed part by part. Throws a `ReportedFailure` if there was none. */
export function replayOf(reply: RunnerReply, clock: ReplayClock): Response {
  const { status, headers, headersMs, elapsedMs, failure } = reply;
  if (status === null) {
    clock.set(elapsedMs);
    throw failureOf(failure);
  }
  clock.set(headersMs ?? elapsedMs);
  return new Response(bodiless.has(status) ? null : bodyOf(reply, clock), { status, headers });
}

const failureOf = (failure: RunnerReply["failure"]) =>
  new ReportedFailure(failure?.class ?? "network", failure?.message ?? "no reply came");

function bodyOf({ body, marks, elapsedMs, failure }: RunnerReply, clock: ReplayClock) {
  const encoder = new TextEncoder();
  // Text after the last mark arrived at the end.
  const parts = [...marks, [body.length, elapsedMs] as const];
  let [next, at] = [0, 0];
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        for (let part = parts[next]; part !== undefined; part = parts[next]) {
          next += 1;
          const [end, ms] = part;
          if (end <= at) continue;
          clock.set(ms);
          controller.enqueue(encoder.encode(body.slice(at, end)));
          at = end;
          return;
        }
        clock.set(elapsedMs);
        if (failure === null) controller.close();
        else controller.error(failureOf(failure));
      },
    },
    // No read-ahead, so that the clock shows the arrival of the part being read.
    { highWaterMark: 0 },
  );
}
