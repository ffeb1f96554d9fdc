import { randomUUID } from "node:crypto";
import { type Context, Hono } from "hono";
import type { QueueConsumer } from "../account.ts";
import type { Resources } from "./options.ts";
import { ok, paged, refusal } from "./reply.ts";

/** Queues and their consumers. */
export function queues({ account }: Resources): Hono {
  const app = new Hono();
  const queueOf = (id: string) =>
    [...account.queues.values()].find((one) => one.id === id || one.name === id);
  const queueReply = ({ id, name, consumer }: NonNullable<ReturnType<typeof queueOf>>) => ({
    queue_id: id,
    queue_name: name,
    created_on: "2026-11-24T00:00:00Z",
    modified_on: "2026-11-24T00:00:00Z",
    producers: [],
    producers_total_count: 0,
    consumers: consumer ? [consumerReply(consumer, name)] : [],
    consumers_total_count: consumer ? 1 : 0,
    settings: { delivery_delay: 0, message_retention_period: 345_600 },
  });
  app.get("/", (c) => {
    const name = c.req.query("name");
    const found = [...account.queues.values()].filter((one) => !name || one.name === name);
    return paged(c, found.map(queueReply));
  });
  app.post("/", async (c) => {
    const { queue_name: name } = await c.req.json<{ queue_name: string }>();
    if (account.queues.has(name)) {
      return refusal(c, 409, 11009, `Queue name '${name}' is already taken.`);
    }
    const made = { id: randomUUID().replaceAll("-", ""), name, consumer: null };
    account.queues.set(name, made);
    return ok(c, queueReply(made));
  });
  app.get("/:id", (c) => {
    const found = queueOf(c.req.param("id"));
    return found ? ok(c, queueReply(found)) : noQueue(c);
  });
  app.delete("/:id", (c) => {
    const queue = queueOf(c.req.param("id"));
    if (!queue) return noQueue(c);
    const isBound = [...account.scripts.values()].some(({ metadata }) =>
      metadata.bindings?.some((one) => one.type === "queue" && one["queue_name"] === queue.name),
    );
    if (isBound) return refusal(c, 400, 11005, "Queue is still bound to a Worker.");
    account.queues.delete(queue.name);
    return ok(c, null);
  });
  app.get("/:id/consumers", (c) => {
    const found = queueOf(c.req.param("id"));
    return ok(c, found?.consumer ? [consumerReply(found.consumer, found.name)] : []);
  });
  const setConsumer = async (c: Context) => {
    const queue = queueOf(c.req.param("id") ?? "");
    if (!queue) return noQueue(c);
    const asked = await c.req.json();
    const other = queue.consumer;
    if (c.req.method === "POST" && other !== null) {
      return refusal(c, 409, 11004, `Queue '${queue.name}' already has a consumer.`);
    }
    const { dead_letter_queue: deadLetterQueue = null } = asked;
    if (deadLetterQueue !== null && !account.queues.has(deadLetterQueue)) {
      return refusal(c, 404, 11000, `Dead letter queue '${deadLetterQueue}' not found`);
    }
    queue.consumer = {
      id: other?.id ?? randomUUID().replaceAll("-", ""),
      script: asked.script_name,
      deadLetterQueue,
      settings: asked.settings ?? {},
    };
    return ok(c, consumerReply(queue.consumer, queue.name));
  };
  app.post("/:id/consumers", setConsumer);
  app.put("/:id/consumers/:consumer", setConsumer);
  app.delete("/:id/consumers/:consumer", (c) => {
    const queue = queueOf(c.req.param("id"));
    if (queue?.consumer?.id !== c.req.param("consumer")) {
      return refusal(c, 404, 11000, "Consumer not found");
    }
    queue.consumer = null;
    return ok(c, null);
  });
  return app;
}

const noQueue = (c: Context) => refusal(c, 404, 11000, "Queue not found");

const consumerReply = (
  { id, script, deadLetterQueue, settings }: QueueConsumer,
  queue: string,
) => ({
  consumer_id: id,
  type: "worker",
  queue_name: queue,
  script,
  script_name: script,
  service: script,
  environment: "production",
  dead_letter_queue: deadLetterQueue ?? undefined,
  settings,
});
