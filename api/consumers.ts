import { rankBoard } from "./pipeline/boards/board.ts";
import { compareInQueue } from "./pipeline/comparisons/compare.ts";
import { watchDrift } from "./pipeline/drift/watch-drift.ts";
import { finalizeRun } from "./pipeline/finalize.ts";
import { brokenReason, buryLane, failRun } from "./pipeline/lanes/bury-lane.ts";
import { runLane } from "./pipeline/lanes/lane.ts";
import {
  deliveryMessageSchema,
  type FinishMessage,
  finishMessageSchema,
  laneMessageSchema,
} from "./pipeline/messages.ts";
import { oneAtATime } from "./pipeline/one-at-a-time.ts";
import type { Ports } from "./pipeline/ports.ts";
import { publish } from "./pipeline/publish.ts";
import { testInQueue } from "./pipeline/sweeps/sweep-tests.ts";
import { deliver } from "./pipeline/webhooks/deliver.ts";

/** First wait before a failed message comes again, doubling with every attempt, s. */
const RETRY_SECONDS = 2;
const MAX_RETRY_SECONDS = 300;

/** Carries out one queue message; true when it is done with. */
type Carry = (ports: Ports, body: unknown) => Promise<boolean>;

const carryLane: Carry = async (ports, body) => {
  await runLane(ports, laneMessageSchema.parse(body));
  return true;
};

/** All of it reads whole runs, one after the other. */
const carryFinish: Carry = async (ports, body) => {
  const message = finishMessageSchema.parse(body);
  if (message.kind === "drift") {
    // It asks judges, for which nobody else has to wait: what takes memory waits for itself.
    await watchDrift(ports, message.run);
    return true;
  }
  return oneAtATime(ports, () => finish(ports, message));
};

async function finish(
  ports: Ports,
  message: Exclude<FinishMessage, { kind: "drift" }>,
): Promise<boolean> {
  if (message.kind === "finalize") {
    await finalizeRun(ports, message.run);
    return true;
  }
  if (message.kind === "compare") {
    await compareInQueue(ports, message.runs);
    return true;
  }
  if (message.kind === "sweep") {
    await testInQueue(ports, message.runs);
    return true;
  }
  if (message.board !== null && !(await rankBoard(ports, message.board))) return false;
  await publish(ports);
  return true;
}

const carryDelivery: Carry = async (ports, body) => {
  await deliver(ports, deliveryMessageSchema.parse(body));
  return true;
};

/**
 * A message that failed every time: its run goes on without what broke it, or ends. The sweep sends
 * another about a delivery.
 */
const buryMessage: Carry = async (ports, body) => {
  const lane = laneMessageSchema.safeParse(body);
  const finish = finishMessageSchema.safeParse(body);
  if (lane.success) await buryLane(ports, lane.data);
  else if (finish.data?.kind === "finalize") await failRun(ports, finish.data.run, brokenReason);
  return true;
};

const carriers: Record<string, Carry> = {
  evaluate: carryLane,
  judge: carryLane,
  finish: carryFinish,
  webhooks: carryDelivery,
  dead: buryMessage,
};

/** Messages of a batch side by side, each acknowledged on its own: one failure harms no other. */
export async function consume(ports: Ports, batch: MessageBatch): Promise<void> {
  const kind = batch.queue.replace(/^assay-/, "").replace(/-local$/, "");
  const carry = carriers[kind];
  if (!carry) throw new Error(`no consumer for queue ${batch.queue}`);
  await Promise.all(
    batch.messages.map(async (message) => {
      try {
        if (await carry(ports, message.body)) message.ack();
        else message.retry({ delaySeconds: 1 });
      } catch (error) {
        const { id, attempts } = message;
        const stack = error instanceof Error ? error.stack : String(error);
        console.error(
          JSON.stringify({ event: "message-failed", kind, id, attempts, error: stack }),
        );
        const delay = RETRY_SECONDS * 2 ** (attempts - 1);
        message.retry({ delaySeconds: Math.min(MAX_RETRY_SECONDS, delay) });
      }
    }),
  );
}
