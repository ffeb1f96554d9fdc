import { randomUUID } from "node:crypto";
import type { QueueConsumer } from "./account.ts";
import type { SentMessage } from "./limits.ts";

interface Held extends SentMessage {
  id: string;
  sentAt: number;
  attempts: number;
  notBefore: number;
}

/** workerd's result of a batch. */
interface BatchResult {
  outcome: string;
  ackAll: boolean;
  retryBatch: { retry: boolean; delaySeconds?: number };
  explicitAcks: string[];
  retryMessages: { msgId: string; delaySeconds?: number }[];
}

/** Delivers a batch to a Worker. */
export type Deliver = (
  script: string,
  queue: string,
  messages: { id: string; timestamp: Date; attempts: number; body: unknown }[],
) => Promise<BatchResult>;

export interface BrokerOptions {
  consumerOf: (queue: string) => QueueConsumer | null;
  deliver: Deliver;
  /** Additional consumers after each batch, while messages wait. */
  growth: number;
  /** Share of messages that are delivered twice. */
  doubled: number;
  /** Maximum delay of a message, ms. */
  lateMs: number;
  /** Retention of a message, ms. */
  retentionMs: number;
}

const DEFAULT_BATCH = 10;
const USUAL_RETRIES = 3;
const USUAL_WAIT_MS = 5_000;
/** A queue that was empty for this long starts again with one consumer. */
const IDLE_MS = 5_000;
const LOOK_MS = 20;

/**
 * Simulates the platform's queues. A queue starts with one consumer and gets more when a batch ends while messages
 * wait. It delivers messages at least once, retries failed ones, and then moves them to the dead-letter queue.
 */
export class QueueBroker {
  readonly #options: BrokerOptions;
  readonly #queues = new Map<
    string,
    { held: Held[]; active: number; allowed: number; idleSince: number }
  >();
  readonly #timer: NodeJS.Timeout;
  /** Number of deliveries by queue, including repeated ones. */
  readonly delivered = new Map<string, number>();
  /** Number of messages sent by queue, without duplicates. */
  readonly sent = new Map<string, number>();
  /** Number of messages deleted unread after their retention time. */
  expired = 0;
  /** Maximum number of parallel consumers by queue. */
  readonly consumers = new Map<string, number>();

  constructor(options: BrokerOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  send(queue: string, messages: readonly SentMessage[]): void {
    const sentAt = Date.now();
    this.sent.set(queue, (this.sent.get(queue) ?? 0) + messages.length);
    for (const { body, delaySeconds } of messages) {
      const held = {
        body,
        delaySeconds,
        sentAt,
        attempts: 0,
        notBefore: sentAt + delaySeconds * 1000 + Math.random() * this.#options.lateMs,
      };
      this.#of(queue).held.push({ ...held, id: randomUUID() });
      const isDoubled = Math.random() < this.#options.doubled;
      if (isDoubled)
        this.#of(queue).held.push({ ...held, id: randomUUID(), notBefore: held.notBefore + 3_000 });
    }
  }

  /** Billed operations: one write and one deletion per message, and one read per delivery. */
  get operations(): number {
    const count = (byQueue: ReadonlyMap<string, number>) =>
      [...byQueue.values()].reduce((sum, one) => sum + one, 0);
    return 2 * count(this.sent) + count(this.delivered);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #of(queue: string) {
    const known = this.#queues.get(queue);
    if (known) return known;
    const made = { held: [], active: 0, allowed: 1, idleSince: Date.now() };
    this.#queues.set(queue, made);
    return made;
  }

  #look(): void {
    const now = Date.now();
    for (const [name, queue] of this.#queues) {
      const consumer = this.#options.consumerOf(name);
      if (consumer === null) continue;
      if (queue.active > 0 || queue.held.length > 0) queue.idleSince = now;
      else if (now - queue.idleSince > IDLE_MS) queue.allowed = 1;
      const kept = queue.held.filter(({ sentAt }) => now - sentAt < this.#options.retentionMs);
      this.expired += queue.held.length - kept.length;
      queue.held = kept;
      this.#start(name, consumer, now);
    }
  }

  /** Delivers due batches of a queue to its free consumers. */
  #start(name: string, consumer: QueueConsumer, now: number): void {
    const queue = this.#of(name);
    const size = Number(consumer.settings["batch_size"] ?? DEFAULT_BATCH);
    const waits = Number(consumer.settings["max_wait_time_ms"] ?? USUAL_WAIT_MS);
    while (queue.active < queue.allowed) {
      const due = queue.held.filter(({ notBefore }) => notBefore <= now);
      const batch = due.slice(0, size);
      const isFull = batch.length >= size;
      if (batch.length === 0 || (!isFull && now - batch[0]!.notBefore < waits)) break;
      queue.held = queue.held.filter((one) => !batch.includes(one));
      void this.#consume(name, consumer, batch);
    }
  }

  async #consume(name: string, consumer: QueueConsumer, batch: Held[]): Promise<void> {
    const queue = this.#of(name);
    queue.active += 1;
    this.delivered.set(name, (this.delivered.get(name) ?? 0) + batch.length);
    this.consumers.set(name, Math.max(this.consumers.get(name) ?? 0, queue.active));
    const messages = batch.map((one) => {
      one.attempts += 1;
      return {
        id: one.id,
        timestamp: new Date(one.sentAt),
        attempts: one.attempts,
        body: one.body,
      };
    });
    const result = await this.#options.deliver(consumer.script, name, messages).catch(() => null);
    queue.active -= 1;
    const isWaiting = queue.held.some(({ notBefore }) => notBefore <= Date.now());
    const most = Number(consumer.settings["max_concurrency"] ?? 250);
    if (isWaiting) queue.allowed = Math.min(most, queue.allowed + this.#options.growth);
    for (const one of batch) this.#settle(name, consumer, one, result);
  }

  #settle(name: string, consumer: QueueConsumer, message: Held, result: BatchResult | null): void {
    const retried = result?.retryMessages.find(({ msgId }) => msgId === message.id);
    const isAcked = result !== null && (result.ackAll || result.explicitAcks.includes(message.id));
    const hasFailed = result === null || result.outcome !== "ok" || result.retryBatch.retry;
    if (isAcked || (!retried && !hasFailed)) return;
    const most = Number(consumer.settings["max_retries"] ?? USUAL_RETRIES);
    if (message.attempts > most) {
      if (consumer.deadLetterQueue !== null) {
        this.send(consumer.deadLetterQueue, [{ body: message.body, delaySeconds: 0 }]);
      }
      return;
    }
    const delay = (retried?.delaySeconds ?? result?.retryBatch.delaySeconds ?? 0) * 1000;
    this.#of(name).held.push({ ...message, notBefore: Date.now() + delay });
  }
}
