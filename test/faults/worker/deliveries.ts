import type { Hazard } from "./hazard.ts";

/** Longest that the first and the second delivery of a message are held back, ms. */
const FIRST_WITHIN_MS = 60;
const SECOND_WITHIN_MS = 1_200;
/** A message that failed so often is dead: in production so many retries take an hour. */
const GIVE_UP_AFTER = 3;
const RETRY_SECONDS = 1;
/** What tells a queue of work from the one queue of dead letters, in its name. */
const consumer = /(evaluate|judge|finish)(-\d+)?/;

type Carry = (batch: MessageBatch) => Promise<void>;

/** A message on its way: its place in the batch, when it comes, and the outcome of it. */
interface Delivery {
  index: number;
  waitMs: number;
  message: Message;
  isRepeat: boolean;
}

/**
 * Plays a queue at its worst: every message comes twice, none in order, each as a batch of its own
 * as in production, and what keeps failing goes to the dead-letter queue.
 */
export async function deliverBadly(batch: MessageBatch, hazard: Hazard, carry: Carry) {
  const deliveries = batch.messages.flatMap((message, index) =>
    deliveriesOf(message, index, hazard),
  );
  hazard.note("message delivered twice", deliveries.filter(({ isRepeat }) => isRepeat).length);
  hazard.note("message out of order", countLate(deliveries));
  await Promise.all(
    deliveries.map(async (delivery) => {
      await new Promise((resolve) => setTimeout(resolve, delivery.waitMs));
      if (await carryDelivery(delivery, batch.queue, carry)) hazard.note("message given up");
    }),
  );
}

function deliveriesOf(message: Message, index: number, hazard: Hazard): Delivery[] {
  const first = { index, message, waitMs: 0, isRepeat: false };
  if (!hazard.settings.twice) return [first];
  const [soon, later] = [hazard.draws.unit(), hazard.draws.unit()];
  return [
    { ...first, waitMs: soon * FIRST_WITHIN_MS },
    { ...first, waitMs: later * SECOND_WITHIN_MS, isRepeat: true },
  ];
}

/** Deliveries that come after one of a message sent later. */
function countLate(deliveries: readonly Delivery[]): number {
  let newest = -1;
  return deliveries
    .toSorted((a, b) => a.waitMs - b.waitMs)
    .filter(({ index }) => {
      const isLate = index < newest;
      newest = Math.max(newest, index);
      return isLate;
    }).length;
}

/** True when the message was given up. Of a repeated delivery nobody hears the outcome of it. */
async function carryDelivery(
  { message, isRepeat }: Delivery,
  queue: string,
  carry: Carry,
): Promise<boolean> {
  let isDone = false;
  const { id, timestamp, body, attempts } = message;
  const ack = () => {
    isDone = true;
  };
  const copy = { id, timestamp, body, attempts, ack, retry() {} };
  await carry(batchOf(queue, copy));
  if (isRepeat) return false;
  const isDead = !isDone && attempts >= GIVE_UP_AFTER;
  if (isDead) await carry(batchOf(queue.replace(consumer, "dead"), copy));
  if (isDone || isDead) message.ack();
  else message.retry({ delaySeconds: RETRY_SECONDS });
  return isDead;
}

const batchOf = (queue: string, message: Message) =>
  ({ queue, messages: [message] }) as unknown as MessageBatch;
