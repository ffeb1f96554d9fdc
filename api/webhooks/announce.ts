import { textHash } from "#shared/contracts/content-hash.ts";
import {
  type EventData,
  type RunEvent,
  type SubmissionEvent,
  type WebhookEventType,
  webhookEventSchemas,
} from "#shared/contracts/webhooks/webhook.ts";
import { deliveryMessage } from "../platform/messages.ts";
import type { Platform } from "../platform/platform.ts";
import { hint } from "../platform/retry-storage.ts";
import type { NewSubmission, RunRecord } from "../runs/schema.ts";
import { runLinks } from "../runs/view.ts";
import type { WebhookEventRecord } from "./schema.ts";

/** Events processed at once: each needs a D1 batch and a message. */
const EVENTS = 50;

/** An event: owner, content and type; its links are paths. */
export interface Announcement<Type extends WebhookEventType> {
  type: Type;
  owner: string;
  /** Identifies the event within its type, so that repeated announcements are one event. */
  subject: string;
  data: EventData<Type>;
}

/**
 * Sends an event to its owner's webhooks. It is stored first: after a crash the cron job sends it. Throws if the data
 * don't match the type.
 */
export async function announce<Type extends WebhookEventType>(
  platform: Platform,
  { type, owner, subject, data }: Announcement<Type>,
): Promise<void> {
  await platform.deliveries.record({
    id: `evt_${textHash(`${type}\n${subject}`).slice(0, 32)}`,
    type,
    owner,
    subject,
    data: webhookEventSchemas[type].parse(data),
    occurredAt: platform.now(),
  });
  await announceWaiting(platform);
}

/** Creates deliveries for stored events, and sends them. */
export async function announceWaiting(platform: Platform): Promise<void> {
  for (const event of await platform.deliveries.waiting(EVENTS)) {
    const data = event.data ?? (await eventData(platform, event));
    const deliveries = await platform.deliveries.fanOut(event, data, platform.now());
    if (deliveries.length > 0) {
      await hint(platform.queues.deliveries(deliveries.map(deliveryMessage)));
    }
  }
}

/**
 * Data of an event about the end of a run or submission; null if that was deleted or is running again: its next end is
 * another event.
 */
export async function eventData(
  platform: Platform,
  { type, subject }: WebhookEventRecord,
): Promise<object | null> {
  if (type.startsWith("run.")) {
    const run = await platform.runs.get(subject);
    return run === null ? null : runEvent(run);
  }
  if (type !== "submission.finished") return null;
  const stored = await platform.runs.submission(subject);
  return stored === null ? null : submissionEvent(stored);
}

function runEvent(run: RunRecord): RunEvent | null {
  if (run.deletedAt !== null || run.finishedAt === null) return null;
  const { slug, name, simulated } = run.model;
  const { self, samples, report } = runLinks(run);
  const headline = run.metrics?.[run.headline];
  return {
    run: run.id,
    submission: run.submissionId,
    suite: run.suite,
    dataset: { name: run.datasetName, version: run.datasetVersion },
    model: { slug, name, simulated },
    status: run.status,
    statusReason: run.statusReason,
    visibility: run.visibility,
    headline: headline ? { ...headline, metric: run.headline } : null,
    progress: { total: run.total, done: run.done, failed: run.failed },
    finishedAt: new Date(run.finishedAt).toISOString(),
    links: { run: self, samples, report },
  };
}

function submissionEvent({
  submission,
  runs,
}: {
  submission: NewSubmission;
  runs: RunRecord[];
}): SubmissionEvent | null {
  const kept = runs.filter((run) => run.deletedAt === null);
  const count = (status: RunRecord["status"]) => kept.filter((run) => run.status === status).length;
  const counts = {
    finished: count("finished"),
    failed: count("failed"),
    cancelled: count("cancelled"),
  };
  const ended = counts.finished + counts.failed + counts.cancelled;
  if (kept.length === 0 || ended < kept.length) return null;
  return {
    submission: submission.id,
    suite: submission.suite,
    dataset: { name: submission.datasetName, version: submission.datasetVersion },
    runs: { total: kept.length, ...counts },
    links: { submission: `/v1/submissions/${submission.id}` },
  };
}
