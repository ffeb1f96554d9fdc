import type { Kept } from "./guard.ts";

const batches = {
  code: ["api/platform/queues.ts", "const BATCH = 100;"],
  without: "const BATCH = 100_000;",
} as const;

/** Limits of messages. */
export const queueGuards = {
  "Size of a queue message": {
    by: "messages hold only keys, of at most the 256 runs that a submission may have",
    guards: [
      {
        code: ["api/submissions/check-models.ts", "models * each <= MAX_RUNS"],
        without: "true",
        testFile: "test/worker/submissions/variants-request.test.ts",
        title: "more runs than a submission may have",
      },
    ],
  },
  "Messages in one sendBatch": {
    by: "longer lists are sent in batches of 100",
    guards: [
      {
        ...batches,
        testFile: "api/platform/queues.test.ts",
        title: "queuesOf() sends lanes in batches of at most 100",
      },
    ],
  },
  "Size of one sendBatch": {
    by: "messages hold only keys, and a batch has at most 100",
    guards: [
      {
        ...batches,
        testFile: "api/platform/queues.test.ts",
        title: "queuesOf() sends thousands of messages in batches far below 256 kB",
      },
    ],
  },
  "Delay of a message": {
    by: "at most 12 hours; the cron job finds later calls",
    guards: [
      {
        code: ["api/engine/run-lane.ts", "Math.min(delayMs, DELAY_MAX_MS)"],
        without: "delayMs",
        testFile: "test/worker/engine/long-waits.test.ts",
        title:
          "a lane that waits longer than the maximum delay of a queue checks again after half a day",
      },
      {
        code: ["api/consumers.ts", "Math.min(most, delay)"],
        without: "delay",
        testFile: "test/worker/engine/consumers.test.ts",
        title: "is retried with growing delays, and is logged without its body",
      },
      {
        code: ["api/webhooks/deliver.ts", " || waitMs > DELAY_MAX_MS"],
        without: "",
        testFile: "test/worker/webhooks/webhook-delivery.test.ts",
        title: "is tried ten times over three days before the event is given up",
      },
    ],
  },
} as const satisfies Record<string, Kept>;
