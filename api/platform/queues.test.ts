import { expect, it } from "vitest";
import { deliveryMessage, type LaneMessage, laneMessage } from "./messages.ts";
import { queuesNamed, queuesOf } from "./queues.ts";

/** A queue that records its batches. */
function recordingQueue() {
  const batches: LaneMessage[][] = [];
  const sendBatch = async (batch: { body: LaneMessage }[]) => {
    batches.push(batch.map(({ body }) => body));
  };
  return { batches, queue: { sendBatch } as unknown as Queue<LaneMessage> };
}

const none = recordingQueue().queue as never;
const sendersOf = (answering: ReturnType<typeof recordingQueue>[], judging = [recordingQueue()]) =>
  queuesOf({
    answering: answering.map(({ queue }) => queue),
    judging: judging.map(({ queue }) => queue),
    finish: none,
    webhooks: none,
  });
const run = (end: string, phase: LaneMessage["phase"] = "answering") => ({
  id: `run_019${end}`,
  phase,
});
const laneMessages = (laneRun: ReturnType<typeof run>, lanes: number) =>
  Array.from({ length: lanes }, (_, lane) => laneMessage(laneRun, { lane, place: lane }));

it("queuesOf() spreads lanes over the queues by their places", async () => {
  const queues = [recordingQueue(), recordingQueue(), recordingQueue(), recordingQueue()];
  const sender = sendersOf(queues);
  expect([await sender.count("answering"), await sender.count("judging")]).toEqual([4, 1]);
  await sender.lanes(laneMessages(run("00000e"), 6));
  const lanes = queues.map(({ batches }) => batches.flat().map(({ lane }) => lane));
  expect(lanes).toEqual([[0, 4], [1, 5], [2], [3]]);
});

it("queuesOf() sends lanes in batches of at most 100", async () => {
  const queues = [recordingQueue(), recordingQueue(), recordingQueue()];
  await sendersOf(queues).lanes(laneMessages(run("1"), 600));
  const sizes = queues.map(({ batches }) => batches.map(({ length }) => length));
  expect(sizes).toEqual([
    [100, 100],
    [100, 100],
    [100, 100],
  ]);
});

it("queuesOf() sends thousands of messages in batches far below 256 kB", async () => {
  const webhooks = recordingQueue();
  const sender = queuesOf({
    answering: [],
    judging: [],
    finish: none,
    webhooks: webhooks.queue as never,
  });
  const id = "0".repeat(32);
  const key = { webhook: `hook_${id}`, event: `evt_${id}` };
  await sender.deliveries(Array.from({ length: 3_000 }, () => deliveryMessage(key)));
  const bytes = webhooks.batches.map((batch) => JSON.stringify(batch).length);
  expect(webhooks.batches.flat()).toHaveLength(3_000);
  expect(Math.max(...bytes)).toBeLessThan(64_000);
});

it("queuesOf() sends judging lanes to the judges' queues", async () => {
  const [models, judges] = [recordingQueue(), recordingQueue()];
  const messages = [run("1"), run("2", "judging")].flatMap((phaseRun) => laneMessages(phaseRun, 2));
  await sendersOf([models], [judges]).lanes(messages);
  expect(models.batches.flat().map(({ phase }) => phase)).toEqual(["answering", "answering"]);
  expect(judges.batches.flat().map(({ phase }) => phase)).toEqual(["judging", "judging"]);
});

it("queuesNamed() returns the numbered queues of a deployment in order", () => {
  const env = { EVALUATE_3: "c", EVALUATE: "a", JUDGE: "j", EVALUATE_2: "b", EVALUATE_5: "e" };
  expect(queuesNamed(env, "EVALUATE")).toEqual(["a", "b", "c"]);
  expect(queuesNamed(env, "JUDGE")).toEqual(["j"]);
});
