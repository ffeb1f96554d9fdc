import { deploymentGuards } from "./deployment.ts";
import type { Kept } from "./guard.ts";
import { invocationGuards } from "./invocations.ts";
import { queueGuards } from "./queues.ts";
import { storageGuards } from "./storage.ts";

const byNothing = {
  by: "counted, not kept by code: the plan's daily limit; a service that needs more needs the Paid plan",
  guards: [],
};

/** What an account on the Free plan may use in a day. */
export const dailyGuards = {
  "Requests a day, Free plan": byNothing,
  "D1 rows read a day, Free plan": byNothing,
  "D1 rows written a day, Free plan": {
    by: "counted, not kept by code: the plan's daily limit; about 1.3 rows a sample, since answers are saved in groups",
    guards: [
      {
        code: [
          "api/engine/lane-decisions.ts",
          "finished.length >= (state.isBounded ? 1 : groupOf(state))",
        ],
        without: "finished.length >= 1",
        testFile: "test/worker/engine/cost.test.ts",
        title:
          "a run of 1,000 samples answered %s asks what it may, so that a million cost under 3 USD",
      },
    ],
  },
  "Queue operations a day, Free plan": byNothing,
} as const satisfies Record<string, Kept>;

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
