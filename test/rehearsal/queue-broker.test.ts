import { afterEach, expect, it } from "vitest";
import { type BrokerOptions, QueueBroker } from "./cloud/queue-broker.ts";

const brokers: QueueBroker[] = [];
afterEach(() => {
  for (const broker of brokers.splice(0)) broker.stop();
});

const acked = { outcome: "ok", ackAll: true, retryBatch: { retry: false } };
const failed = { outcome: "ok", ackAll: false, retryBatch: { retry: true, delaySeconds: 0 } };
const whole = { explicitAcks: [], retryMessages: [] };

function aBroker(deliver: BrokerOptions["deliver"], more: Partial<BrokerOptions> = {}) {
  const broker = new QueueBroker({
    consumerOf: (queue) => ({
      id: "consumer",
      script: "api",
      deadLetterQueue: queue === "dead" ? null : "dead",
      settings: { batch_size: 1, max_wait_time_ms: 0, max_retries: 2 },
    }),
    deliver,
    growth: 1,
    doubled: 0,
    lateMs: 0,
    retentionMs: 60_000,
    ...more,
  });
  brokers.push(broker);
  return broker;
}

const messages = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ body: i, delaySeconds: 0 }) as never);

it.each([1, 2, 5])(
  "QueueBroker starts a queue with one consumer and adds %i after each batch",
  async (growth) => {
    const waiting: (() => void)[] = [];
    const deliver = () =>
      new Promise<typeof acked & typeof whole>((resolve) => {
        waiting.push(() => resolve({ ...acked, ...whole }));
      });
    const broker = aBroker(deliver, { growth });
    broker.send("lanes", messages(40));
    await expect.poll(() => waiting.length).toBe(1);
    waiting.shift()!();
    await expect.poll(() => waiting.length).toBe(1 + growth);
    waiting.shift()!();
    await expect.poll(() => waiting.length).toBe(1 + 2 * growth);
    expect(broker.consumers.get("lanes")).toBe(1 + 2 * growth);
  },
);

it("QueueBroker redelivers a failed message up to max_retries, then sends it to the dead-letter queue", async () => {
  const seen: [queue: string, attempts: number][] = [];
  const broker = aBroker(async (_, queue, [message]) => {
    seen.push([queue, message!.attempts]);
    return { ...(queue === "dead" ? acked : failed), ...whole };
  });
  broker.send("lanes", messages(1));
  await expect
    .poll(() => seen)
    .toEqual([
      ["lanes", 1],
      ["lanes", 2],
      ["lanes", 3],
      ["dead", 1],
    ]);
  // Two messages were written and deleted, with four reads in total.
  expect(broker.operations).toBe(2 * 2 + 4);
});

it("QueueBroker deletes a message unread after its retention time", async () => {
  const broker = aBroker(async () => ({ ...acked, ...whole }), { retentionMs: 30 });
  broker.send("lanes", [{ body: 1, delaySeconds: 60 } as never]);
  await expect.poll(() => broker.expired).toBe(1);
});
