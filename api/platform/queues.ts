import { inParallel } from "#shared/contracts/boards/in-parallel.ts";
import type { DeliveryMessage, FinishMessage, LaneMessage } from "./messages.ts";

/** Maximum number of messages per sendBatch. */
const BATCH = 100;
/** More calls at once only wait for a connection. */
const CONNECTIONS = 6;

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
    /** A lane always uses the same queue. Lanes of a run are spread over all queues. */
    async lanes(messages: readonly LaneMessage[], delaySeconds = 0): Promise<void> {
      const byQueue = Map.groupBy(messages, (message) => {
        const queues = senders[message.phase];
        return queues[queueIndexOf(message, queues.length)] as Queue<LaneMessage>;
      });
      await inParallel([...byQueue], CONNECTIONS, ([queue, its]) =>
        sendAll(queue, its, delaySeconds),
      );
    },
    /** Whether messages of other lanes are in the queue of a lane. */
    async isShared(
      phase: LaneMessage["phase"],
      lane: QueuedLane,
      others: readonly QueuedLane[],
    ): Promise<boolean> {
      const indexOf = (one: QueuedLane) => queueIndexOf(one, senders[phase].length);
      return others.some((other) => indexOf(other) === indexOf(lane));
    },
    async finish(message: FinishMessage): Promise<void> {
      await senders.finish.send(message);
    },
    deliveries: (messages: readonly DeliveryMessage[], delaySeconds = 0): Promise<void> =>
      sendAll(senders.webhooks, messages, delaySeconds),
  };
}

type QueuedLane = Pick<LaneMessage, "run" | "lane">;

/** Last hex digits of a run's random id: enough to distribute runs evenly. */
const ID_END = 6;

/**
 * A queue starts with one consumer and adds more only when batches end, so lanes in different queues start at once.
 * @example queueIndexOf({ run: "run_000001", lane: 2 }, 4) // 3
 */
const queueIndexOf = ({ run, lane }: QueuedLane, queues: number): number =>
  ((Number.parseInt(run.slice(-ID_END), 16) || 0) + lane) % queues;

/**
 * The queues bound as `name`, `name_2`, `name_3` and so on.
 * @example queuesNamed(env, "EVALUATE").length // 1 on one's own machine
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
