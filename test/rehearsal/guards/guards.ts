import { deploymentGuards } from "./deployment.ts";
import type { Kept } from "./guard.ts";
import { invocationGuards } from "./invocations.ts";
import { queueGuards } from "./queues.ts";
import { storageGuards } from "./storage.ts";

const byNothing = {
  by: "measured, not enforced: a service that needs more needs the Paid plan",
  guards: [],
};

/** Daily limits of an account on the Free plan. */
export const dailyGuards = {
  "Requests per day, Free plan": byNothing,
  "D1 rows read per day, Free plan": byNothing,
  "D1 rows written per day, Free plan": {
    by: "measured, not enforced: about 1.3 rows per sample, since answers are saved in groups",
    guards: [
      {
        code: [
          "api/engine/lane-decisions.ts",
          "finished.length >= (state.isBounded ? 1 : groupOf(state))",
        ],
        without: "finished.length >= 1",
        testFile: "test/worker/engine/cost.test.ts",
        title:
          "a run of 1,000 samples answered %s stays within its limits; a million samples cost under 3 USD",
      },
    ],
  },
  "Queue operations per day, Free plan": byNothing,
} as const satisfies Record<string, Kept>;

/** Every limit of Cloudflare in the table, and some that are only enforced. */
export const guards = {
  ...invocationGuards,
  ...storageGuards,
  ...queueGuards,
  ...deploymentGuards,
  ...dailyGuards,
};

/** Name of a limit in the table. */
export type LimitName = keyof typeof guards;
