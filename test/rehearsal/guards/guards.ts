import { dailyGuards } from "./days.ts";
import { deploymentGuards } from "./deployment.ts";
import { invocationGuards } from "./invocations.ts";
import { queueGuards } from "./queues.ts";
import { storageGuards } from "./storage.ts";

/** Every limit of Cloudflare that has a row in the table, and some that are only kept. */
export const guards = {
  ...invocationGuards,
  ...storageGuards,
  ...queueGuards,
  ...deploymentGuards,
  ...dailyGuards,
};

/** A limit by its name in the table. */
export type LimitName = keyof typeof guards;
