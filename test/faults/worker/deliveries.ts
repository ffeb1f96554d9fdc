import type { Hazard } from "./hazard.ts";

/** Maximum delay of the first and of the second delivery of a message, ms. */
const FIRST_WITHIN_MS = 60;
const SECOND_WITHIN_MS = 1_200;
/** A message is dead after this many attempts. Production's retries would take an hour. */
const GIVE_UP_AFTER = 3;
const RETRY_SECONDS = 1;
/** The part of a queue's name that "dead" replaces to get the dead-letter queue. */
const consumer = /(evaluate|judge|finish)(-\d+)?/;

type Carry = (batch: MessageBatch) => Promise<void>;

/** A delivery of a message: its index in the batch, its delay, and whether it is the second one. */
interface Delivery {
  index: number;
  waitMs: number;
  message: Message;
  isRepeat: boolean;
}

/**
 * Simulates the worst behaviour of a queue: it delivers every message twice, out of order, each in its own batch as in
 * production. Messages that keep failing go to the dead-letter queue.
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

/** The number of deliveries that come after a message that was sent later. */
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

/** Delivers a message; true if it was given up. The queue ignores the outcome of a repeated delivery. */
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
