import { textHash } from "#shared/contracts/content-hash.ts";
import {
  type EventData,
  type WebhookEventType,
  webhookEventSchemas,
} from "#shared/contracts/webhook-event.ts";
import { deliveryMessage } from "../platform/messages.ts";
import type { Ports } from "../platform/ports.ts";
import { eventData } from "./event-data.ts";

/** Events that are worked off at once: of each there is a batch of D1 and a message. */
const EVENTS = 50;

/** What happened, to whom it belongs, and what it says; its links are paths. */
export interface Announcement<Type extends WebhookEventType> {
  type: Type;
  owner: string;
  /** Names what happened among events of its type: announced twice, it is one event. */
  subject: string;
  data: EventData<Type>;
}

/**
 * Tells the owner's webhooks of an event. It is kept first: where this dies on the way, the sweep sends it.
 * Throws where the data are not what the type says.
 */
export async function announce<Type extends WebhookEventType>(
  ports: Ports,
  { type, owner, subject, data }: Announcement<Type>,
): Promise<void> {
  await ports.deliveries.record({
    id: `evt_${textHash(`${type}\n${subject}`).slice(0, 32)}`,
    type,
    owner,
    subject,
    data: webhookEventSchemas[type].parse(data),
    occurredAt: ports.now(),
  });
  await announceWaiting(ports);
}

/** Makes deliveries of the events that were kept with what they tell of, and sends them on their way. */
export async function announceWaiting(ports: Ports): Promise<void> {
  for (const event of await ports.deliveries.waiting(EVENTS)) {
    const data = event.data ?? (await eventData(ports, event));
    const deliveries = await ports.deliveries.fanOut(event, data, ports.now());
    if (deliveries.length > 0) await ports.queues.deliveries(deliveries.map(deliveryMessage));
  }
}
