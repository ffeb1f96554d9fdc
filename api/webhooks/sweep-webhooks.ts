import { deliveryMessage } from "../platform/messages.ts";
import type { Ports } from "../platform/ports.ts";
import { announceWaiting } from "./announce.ts";

/** A message that is so late was lost, or its wait was too long for one. */
const GRACE_MS = 30_000;
const DELIVERIES = 500;
/** Longer than an event is tried; who looks for one should do so within. */
const KEPT_MS = 14 * 24 * 3_600_000;
const PRUNED = 1_000;

/**
 * Picks up events that nobody was told of and deliveries that are overdue, and forgets old ones. Any number of
 * these may run at once.
 */
export async function sweepWebhooks(ports: Ports): Promise<void> {
  const now = ports.now();
  await ports.webhooks.endWithKeys(now);
  await announceWaiting(ports);
  const due = await ports.deliveries.due(now - GRACE_MS, DELIVERIES);
  if (due.length > 0) await ports.queues.deliveries(due.map(deliveryMessage));
  await ports.deliveries.prune(now - KEPT_MS, PRUNED);
}
