import { AsyncLocalStorage } from "node:async_hooks";
import type { Distances, Faults, Limits, SentMessage, Usage } from "../limits.ts";

/** Bindings that the stand-in adds to a Worker. */
export interface Around {
  /** Receives reports and messages. */
  REHEARSAL: { fetch(url: string, init?: RequestInit): Promise<Response> };
  REHEARSAL_LIMITS: Limits;
  REHEARSAL_DISTANCES: Distances;
  REHEARSAL_QUEUES: Record<string, string>;
  /** Calls and seconds of each rate limit, by its binding. */
  REHEARSAL_RATE_LIMITS: Record<string, { limit: number; period: number }>;
  REHEARSAL_SERVICES: string[];
  REHEARSAL_NAME: string;
}

export const now = () => performance.timeOrigin + performance.now();
export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
/** Waits for a round trip. */
export const way = (distance: Distances["d1"]) =>
  sleep(
    typeof distance === "number"
      ? distance
      : distance[0] + Math.random() * (distance[1] - distance[0]),
  );
const encoder = new TextEncoder();
export const bytesOf = (text: string): number => encoder.encode(text).length;

/** Set by the stand-in outside the runtime. */
export const faults: Faults = { d1AwayUntil: 0, r2RefusesUntil: 0, aheadMs: 0 };

const RealDate = Date;
/** The real time, ms since 1970. */
export const realNow = () => RealDate.now();
globalThis.Date = class extends RealDate {
  static override now() {
    return realNow() + faults.aheadMs;
  }
  constructor(...of: unknown[]) {
    super(...((of.length === 0 ? [realNow() + faults.aheadMs] : of) as [number]));
  }
} as DateConstructor;

/** The start of an invocation. */
export interface Beginning {
  kind: Usage["kind"];
  of: string;
  call: string;
  /** Location that answers the request; each has its own rate limit counters. */
  location: string;
}

const nothing = {
  ms: 0,
  external: 0,
  internal: 0,
  d1Queries: 0,
  d1Calls: 0,
  d1Transactions: 0,
  d1RowsRead: 0,
  d1RowsWritten: 0,
  r2Reads: 0,
  r2Writes: 0,
  r2Lists: 0,
  r2Bytes: 0,
  connections: 0,
  waited: 0,
  waitedMs: 0,
  largestMessageBytes: 0,
  largestBatchBytes: 0,
  largestBatch: 0,
  longestDelaySeconds: 0,
  largestValueBytes: 0,
  largestStatementBytes: 0,
  parameters: 0,
  d1LongestMs: 0,
  d1QueuedMs: 0,
  d1DatabaseBytes: 0,
  withoutAgent: 0,
  openBodies: 0,
  keyWrites: 0,
  rateLimitPercent: 0,
  afterMs: 0,
  cpuMs: null,
  ranAlone: false,
};
type Count = {
  [Name in keyof Usage]: Usage[Name] extends number ? Name : never;
}[keyof Usage];

export class Invocation {
  readonly usage: Usage;
  readonly limits: Limits;
  readonly location: string;
  readonly #waiting: (() => void)[] = [];
  readonly #responses: Response[] = [];
  #open = 0;
  #isOver = false;

  constructor(env: Around, { kind, of, call, location }: Beginning) {
    this.limits = env.REHEARSAL_LIMITS;
    this.location = location;
    this.usage = { worker: env.REHEARSAL_NAME, kind, of, call, ...nothing, refused: [] };
  }

  /** Records a maximum. */
  most(what: Count, value: number): void {
    this.usage[what] = Math.max(this.usage[what], value);
  }

  /** Counts `by` more; beyond the limit, throws the platform's error. */
  spend(what: "external" | "internal" | "d1Queries", by: number): void {
    const most = {
      external: this.limits.subrequests,
      internal: this.limits.internal,
      d1Queries: this.limits.d1Queries,
    };
    this.usage[what] += by;
    if (this.usage[what] > most[what])
      this.refuse(`Too many ${what} by a single Worker invocation: ${most[what]}`);
  }

  refuse(why: string): never {
    this.usage.refused.push(why);
    throw new Error(why);
  }

  /** Ends the invocation: later calls of its code have no effect. */
  end(why: string): void {
    this.#isOver = true;
    this.usage.refused.push(why);
  }

  /** Resolves at once, or never if the invocation has ended. */
  async alive(): Promise<void> {
    if (this.#isOver) await new Promise(() => {});
  }

  /** Waits for a connection, and holds it until the headers have arrived. */
  async connected<T>(send: () => Promise<T>): Promise<T> {
    await this.alive();
    this.most("connections", this.#open + this.#waiting.length + 1);
    if (this.#open >= this.limits.connections) {
      const begun = now();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
      this.usage.waited += 1;
      this.usage.waitedMs += now() - begun;
    }
    this.#open += 1;
    try {
      return await send();
    } finally {
      this.#open -= 1;
      this.#waiting.shift()?.();
    }
  }

  async fetched(send: () => Promise<Response>, headers: Headers): Promise<Response> {
    this.spend("external", 1);
    if (!headers.has("user-agent")) this.usage.withoutAgent += 1;
    const response = await this.connected(send);
    this.#responses.push(response);
    return response;
  }

  /** The complete usage of the invocation. */
  ended(ms: number): Usage {
    const isOpen = ({ body, bodyUsed }: Response) => body !== null && !bodyUsed;
    return { ...this.usage, ms, openBodies: this.#responses.filter(isOpen).length };
  }
}

export const current = new AsyncLocalStorage<Invocation>();

const send = globalThis.fetch;
globalThis.fetch = (async (input: RequestInfo, init?: RequestInit) => {
  const invocation = current.getStore();
  if (!invocation) return send(input, init);
  const { headers } = new Request(input instanceof Request ? input.url : input, {
    headers: init?.headers ?? (input instanceof Request ? input.headers : {}),
  });
  return invocation.fetched(() => send(input, init), headers);
}) as typeof fetch;

/** A queue that enforces the limits of messages. */
export function queueOf({ REHEARSAL, REHEARSAL_DISTANCES }: Around, queue: string) {
  const deliver = async (messages: SentMessage[]) => {
    const invocation = current.getStore();
    if (invocation) checkMessages(invocation, messages);
    const call = async () => {
      await way(REHEARSAL_DISTANCES.queues);
      await REHEARSAL.fetch(`http://rehearsal/queue/${queue}`, {
        method: "POST",
        body: JSON.stringify(messages),
      });
    };
    await (invocation ? invocation.connected(call) : call());
  };
  return {
    send: (body: unknown, { delaySeconds = 0 } = {}) => deliver([{ body, delaySeconds }]),
    sendBatch: (messages: Iterable<SentMessage>, { delaySeconds = 0 } = {}) =>
      deliver(
        [...messages].map((one) => ({
          body: one.body,
          delaySeconds: one.delaySeconds ?? delaySeconds,
        })),
      ),
  };
}

function checkMessages(invocation: Invocation, messages: readonly SentMessage[]): void {
  const { limits } = invocation;
  const sizes = messages.map(({ body }) => bytesOf(JSON.stringify(body)) + limits.messageOwnBytes);
  const all = sizes.reduce((sum, one) => sum + one, 0);
  const delay = Math.max(0, ...messages.map(({ delaySeconds }) => delaySeconds));
  invocation.most("largestMessageBytes", Math.max(0, ...sizes));
  invocation.most("largestBatchBytes", all);
  invocation.most("largestBatch", messages.length);
  invocation.most("longestDelaySeconds", delay);
  invocation.spend("internal", 1);
  if (messages.length > limits.batchMessages)
    invocation.refuse("Queues: too many messages in a batch");
  if (sizes.some((bytes) => bytes > limits.messageBytes))
    invocation.refuse("Queues: message too large");
  if (all > limits.batchBytes) invocation.refuse("Queues: batch too large");
  if (delay > limits.delaySeconds) invocation.refuse("Queues: delay too long");
}
