import { z } from "zod";
import { asObject } from "#shared/contracts/json.ts";
import { continueDeletion } from "./accounts/delete-account.ts";
import { rankBoard } from "./boards/rank-board.ts";
import { compareInQueue } from "./comparisons/compare.ts";
import { testPlannedInQueue } from "./comparisons/planned-test.ts";
import { testInQueue } from "./comparisons/variant-tests.ts";
import { forgetOldVersions } from "./datasets/stream.ts";
import { watchDrift } from "./drift/watch-drift.ts";
import { finalizeRun, removePieces } from "./engine/finalize.ts";
import { brokenReason, failRun, giveUpLane } from "./engine/record-lost-units.ts";
import { runLane } from "./engine/run-lane.ts";
import { workOnBridge } from "./judging/bridge.ts";
import { logError } from "./platform/log.ts";
import {
  deliveryMessageSchema,
  type FinishMessage,
  finishMessageSchema,
  laneMessageSchema,
} from "./platform/messages.ts";
import type { Platform } from "./platform/platform.ts";
import { Outage } from "./platform/retry-storage.ts";
import { withMemory } from "./platform/with-memory.ts";
import { publish } from "./publication/publish.ts";
import { continueRepublication } from "./publication/republish-board.ts";
import { runTicks } from "./schedules/ticks.ts";
import { deliver } from "./webhooks/deliver.ts";

/** Delay before a failed message is delivered again, in seconds; it doubles with every attempt. */
const RETRY_SECONDS = 2;
const MAX_RETRY_SECONDS = 300;
/**
 * Unavailable storage is not the message's fault: it is retried sooner, and dropped before its attempts are used up. As
 * a dead letter it would cost its run samples. A dropped message is not lost: the cron job sends it again, or the
 * client that polls for a comparison.
 */
const OUTAGE_RETRY_SECONDS = 30;
const OUTAGE_RETRIES = 15;

/** Handles one queue message, sent at `sentAt` (Unix ms). True: done. False: deliver it again in a second. */
type Handle = (platform: Platform, body: unknown, sentAt: number) => Promise<boolean>;

const messageSchema = z.union([laneMessageSchema, finishMessageSchema, deliveryMessageSchema]);

const handle: Handle = async (platform, body, sentAt) => {
  const message = messageSchema.parse(body);
  switch (message.kind) {
    case "lane":
      await runLane(platform, message);
      return true;
    case "delivery":
      await deliver(platform, message);
      return true;
    case "drift":
      // It waits for judges, and must not block work that reads whole runs.
      await watchDrift(platform, message.run);
      return true;
    case "bridge":
      await workOnBridge(platform, message.bridge);
      return true;
    case "republication":
      await continueRepublication(platform, message.republication);
      return true;
    case "deletion":
      await continueDeletion(platform, message.deletion, message.step);
      return true;
    case "ticks":
      await runTicks(platform, message.schedules, message.until);
      return true;
    case "old-versions":
      await forgetOldVersions(platform, message);
      return true;
    case "finalize":
      await finalizeRun(platform, message.run, message.piece);
      return true;
    default:
      // Each of these reads several whole runs.
      return withMemory(platform, 1, () => compareRuns(platform, message, sentAt));
  }
};

async function compareRuns(
  platform: Platform,
  message: Extract<FinishMessage, { kind: "compare" | "sweep" | "board" }>,
  sentAt: number,
): Promise<boolean> {
  switch (message.kind) {
    case "compare":
      await compareInQueue(platform, message.runs);
      await testPlannedInQueue(platform, message.runs);
      return true;
    case "sweep":
      await testInQueue(platform, message.runs);
      return true;
    case "board":
      if (message.board === null) return publish(platform);
      return (await rankBoard(platform, message.board, sentAt)) && publish(platform);
  }
}

/**
 * Handles a message after its last failed attempt: the run continues without the failing sample, or ends. Lost
 * deliveries are sent again by the cron job.
 */
const handleDeadLetter: Handle = async (platform, body) => {
  const message = messageSchema.safeParse(body).data;
  if (message?.kind === "lane") await giveUpLane(platform, message);
  else if (message?.kind === "finalize") {
    await failRun(platform, message.run, brokenReason);
    await removePieces(platform, message.run);
  }
  return true;
};

/** Ids that relate a log line about a message to those of its run. */
function idsIn(body: unknown) {
  const { kind, run, lane, board } = asObject(body);
  return Object.fromEntries(
    Object.entries({ kind, run, lane, board }).filter(
      (field): field is [string, string | number] =>
        typeof field[1] === "string" || typeof field[1] === "number",
    ),
  );
}

/**
 * Handles the messages of a batch concurrently and acknowledges each by itself, so that one failure does not affect the
 * others. The `kind` of a message selects the handler, whatever the queues are called. Only the dead-letter queue is
 * known by name (`DEAD_LETTER_QUEUE`), because it receives the same messages again.
 */
export async function consume(platform: Platform, batch: MessageBatch): Promise<void> {
  const handler = batch.queue === platform.settings.deadLetterQueue ? handleDeadLetter : handle;
  await Promise.all(
    batch.messages.map(async (message) => {
      try {
        if (await handler(platform, message.body, message.timestamp.getTime())) message.ack();
        else message.retry({ delaySeconds: 1 });
      } catch (error) {
        const { id, attempts } = message;
        const { queue } = batch;
        logError("message-failed", error, { queue, message: id, attempts, ...idsIn(message.body) });
        const isOutage = error instanceof Outage;
        if (isOutage && attempts > OUTAGE_RETRIES && handler === handle) return message.ack();
        const delay = RETRY_SECONDS * 2 ** (attempts - 1);
        const most = isOutage ? OUTAGE_RETRY_SECONDS : MAX_RETRY_SECONDS;
        message.retry({ delaySeconds: Math.min(most, delay) });
      }
    }),
  );
}
