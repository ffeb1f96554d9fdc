import type { DeliveryMessage, FinishMessage, LaneMessage } from "./messages.ts";

/** Messages a sendBatch takes. */
const BATCH = 100;

interface Senders {
  answering: Queue<LaneMessage>;
  judging: Queue<LaneMessage>;
  finish: Queue<FinishMessage>;
  webhooks: Queue<DeliveryMessage>;
}

export type Queues = ReturnType<typeof queuesOf>;

/**
 * The queues as the pipeline sees them: judges have their own, so that they hold up no model, and so have
 * webhooks, whose receivers may be slow.
 */
export function queuesOf(senders: Senders) {
  return {
    async lanes(messages: readonly LaneMessage[], delaySeconds = 0): Promise<void> {
      for (const phase of ["answering", "judging"] as const) {
        const its = messages.filter((message) => message.phase === phase);
        await sendAll(senders[phase], its, delaySeconds);
      }
    },
    async finish(message: FinishMessage): Promise<void> {
      await senders.finish.send(message);
    },
    deliveries: (messages: readonly DeliveryMessage[], delaySeconds = 0): Promise<void> =>
      sendAll(senders.webhooks, messages, delaySeconds),
  };
}

async function sendAll<T>(
  queue: Queue<T>,
  messages: readonly T[],
  delaySeconds: number,
): Promise<void> {
  for (let i = 0; i < messages.length; i += BATCH) {
    const batch = messages.slice(i, i + BATCH).map((body) => ({ body }));
    await queue.sendBatch(batch, { delaySeconds });
  }
}
