import { inParallel } from "#shared/contracts/boards/in-parallel.ts";
import type { DeliveryMessage, FinishMessage, LaneMessage } from "./messages.ts";

/** Maximum number of messages per sendBatch. */
const BATCH = 100;

interface Senders {
  /** One or more queues per phase. */
  answering: readonly Queue<LaneMessage>[];
  judging: readonly Queue<LaneMessage>[];
  finish: Queue<FinishMessage>;
  webhooks: Queue<DeliveryMessage>;
}

export type Queues = ReturnType<typeof queuesOf>;

/**
 * The pipeline's queues. Judging and webhooks have separate queues, so that slow judges and receivers don't delay
 * models.
 */
export function queuesOf(senders: Senders) {
  return {
    /**
     * Sends each lane to the queue of its place. A queue starts with one consumer and adds more only when batches end,
     * so lanes are spread over all queues; a lane that follows another takes over its place and its consumer. `atOnce`:
     * number of queues to send to concurrently.
     */
    async lanes(messages: readonly LaneMessage[], delaySeconds = 0, atOnce = 1): Promise<void> {
      const byQueue = Map.groupBy(messages, ({ phase, place }) => {
        const queues = senders[phase];
        return queues[place % queues.length] as Queue<LaneMessage>;
      });
      await inParallel([...byQueue], atOnce, ([queue, its]) => sendAll(queue, its, delaySeconds));
    },
    count: async (phase: LaneMessage["phase"]): Promise<number> => senders[phase].length,
    async finish(message: FinishMessage): Promise<void> {
      await senders.finish.send(message);
    },
    deliveries: (messages: readonly DeliveryMessage[], delaySeconds = 0): Promise<void> =>
      sendAll(senders.webhooks, messages, delaySeconds),
  };
}

/**
 * The queues bound as `name`, `name_2`, `name_3` and so on.
 * @example queuesNamed(env, "EVALUATE").length // 4 on one's own machine
 */
export function queuesNamed<T>(env: object, name: string): Queue<T>[] {
  const bound = new Map<string, Queue<T>>(Object.entries(env));
  const found: Queue<T>[] = [];
  for (let next = bound.get(name); next; next = bound.get(`${name}_${found.length + 1}`)) {
    found.push(next);
  }
  return found;
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
