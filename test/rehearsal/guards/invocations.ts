import {
  byDeployment,
  byPiece,
  byPlan,
  byRunSamples,
  bySummingCharacters,
  bySummingObjects,
  bySummingRows,
  isDeployed,
  isRefused,
  type Kept,
  tests,
} from "./guard.ts";

/** Limits of what an invocation may ask for, and of its time and memory. */
export const invocationGuards = {
  "Requests to other hosts, an invocation": {
    by: "at 80% a lane hands on its run; at 100% requests wait for the next invocation",
    guards: [
      {
        code: ["api/engine/run-lane.ts", "requests: SPENT * plan.requests"],
        without: "requests: Infinity",
        test: [
          tests.invocation,
          "a run whose requests exceed those of an invocation is handed on, and complete",
        ],
      },
      {
        code: ["api/engine/lane-state.ts", " || state.requests >= most.requests"],
        without: "",
        test: [tests.laneState, "its invocation can make few more requests: it closes"],
      },
      {
        code: ["api/providers/retrying.ts", "memory.requests.sent >= memory.requests.most"],
        without: "false",
        test: [
          "test/endpoints/ask-model.test.ts",
          "stops when its invocation may send no more requests, and is sent again by the next",
        ],
      },
      {
        code: ["api/providers/judges.ts", "requests: memory.requests,"],
        without: "requests: { ...memory.requests },",
        test: [
          "test/endpoints/judges.test.ts",
          "counts its requests among those of the invocation",
        ],
      },
      {
        code: ["api/submissions/check-models.ts", "Math.floor(limits.requests / inFlight)"],
        without: "Infinity",
        test: isRefused,
      },
      byPlan,
      byDeployment,
    ],
  },
  "Requests to R2 and Queues, an invocation": {
    by: "a run is summed up in pieces of about 800 objects",
    guards: [
      bySummingObjects,
      byPiece("objects: 800"),
      byRunSamples,
      {
        code: ["wrangler.toml", "subrequests = 100_000"],
        without: "",
        test: isDeployed,
      },
    ],
  },
  "Connections that wait for headers, an invocation": {
    by: "a lane sends five requests at once, and objects are read or written five at a time; if an invocation does several of these, the seventh connection waits",
    guards: [
      {
        code: ["api/engine/lease-store.ts", "export const LANE_REQUESTS = 5;"],
        without: "export const LANE_REQUESTS = 500;",
        test: [tests.lanes, "of a lane are five at most, also where no other lane works"],
      },
      {
        code: ["api/runs/stored-samples.ts", "ahead.length < FETCHES && "],
        without: "",
        test: ["api/runs/stored-samples.test.ts", "small objects five at a time"],
      },
      {
        code: ["api/platform/object-store.ts", "const AT_ONCE = 5;"],
        without: "const AT_ONCE = 50;",
        test: [
          "test/worker/platform/object-store.test.ts",
          "eachAtOnce() leaves one of six connections free",
        ],
      },
    ],
  },
  "D1 queries, an invocation": {
    by: "at 80% a lane hands on its run; publications and sums continue with another message",
    guards: [
      {
        code: ["api/engine/run-lane.ts", "SPENT * plan.queries - OTHER_QUERIES"],
        without: "Infinity",
        test: [
          tests.invocation,
          "a run whose commits exceed the queries of an invocation is handed on, and complete",
        ],
      },
      {
        code: ["api/engine/lane-state.ts", "state.queries >= most.queries || "],
        without: "",
        test: [tests.laneState, "its invocation can make few more queries: it closes"],
      },
      {
        code: ["api/publication/publish.ts", "platform.settings.plan.changeQueries"],
        without: "1_000",
        test: [
          tests.invocation,
          "a publication whose changes exceed the queries of an invocation is continued, and complete",
        ],
      },
      {
        code: ["api/publication/republish-board.ts", "Math.min(MOST_AT_ONCE, most)"],
        without: "1_000",
        test: [
          "test/worker/publication/large-boards.test.ts",
          "a large board is re-published in parts, each within the queries of an invocation: %s",
        ],
      },
      {
        code: ["api/cron.ts", "const { cronTurns } = platform.settings.plan;"],
        without: "const cronTurns = 1;",
        test: [
          tests.invocation,
          "the steps of the cron job that exceed the queries of an invocation take turns, and all are done",
        ],
      },
      {
        code: ["api/boards/board-limits.ts", "added > 0 && total + added > allowed"],
        without: "false",
        test: [
          tests.invocation,
          "a board of as many models as the plan allows is ranked by an invocation, and takes no more",
        ],
      },
      bySummingRows,
      byPlan,
      byDeployment,
    ],
  },
  "Memory of an isolate": {
    by: "whole runs are read piece by piece, a long one at a time or several short ones; objects and what is read ahead are bounded",
    guards: [
      {
        code: [
          "api/engine/finalize.ts",
          "withMemory(platform, share, () => sumUp(platform, runId, piece, limits))",
        ],
        without: "sumUp(platform, runId, piece, limits)",
        test: [
          "test/worker/engine/consumers.test.ts",
          "of runs of %s, consume() sums up so many of three at a time",
        ],
      },
      {
        code: ["api/platform/with-memory.ts", " && used + turn.share <= 1"],
        without: "",
        test: [
          "api/platform/with-memory.test.ts",
          "begins the next work when the one before has ended, however that ended",
        ],
      },
      bySummingCharacters,
      byPiece("characters: 64_000_000"),
      {
        code: ["api/engine/lane-decisions.ts", "const GROUP_CHARS = 4_000_000;"],
        without: "const GROUP_CHARS = Infinity;",
        test: [tests.laneDecisions, "with long samples"],
      },
      {
        code: ["api/runs/stored-samples.ts", " && held + count <= SAMPLES"],
        without: "",
        test: ["api/runs/stored-samples.test.ts", "as many as hold 320 samples"],
      },
    ],
  },
  "CPU time of a request": {
    by: "300 s are asked for; comparisons of many samples are worked out by a queue",
    guards: [
      {
        code: ["wrangler.toml", "cpu_ms = 300_000"],
        without: "",
        test: isDeployed,
      },
      {
        code: ["api/comparisons/compare.ts", "samplesOf(runs) > INLINE_SAMPLES"],
        without: "false",
        test: [
          "test/worker/comparisons/compare.test.ts",
          "answers 202 where there is much to do, and has it once the queue is through",
        ],
      },
    ],
  },
  "CPU time of a message or cron trigger": {
    by: "a run is summed up in pieces of 10,000 samples; at most 200,000 are compared, on the Free plan 2,000",
    guards: [
      bySummingRows,
      byPiece("rows: 10_000"),
      {
        code: ["api/comparisons/compare.ts", "samples <= most"],
        without: "true",
        test: [
          "test/worker/comparisons/compare.test.ts",
          "refuses what no Worker on the %s plan could do",
        ],
      },
      {
        code: ["api/comparisons/variant-tests.ts", "samples > most"],
        without: "false",
        test: [
          "test/worker/comparisons/sweep.test.ts",
          "leaves large ones to the queue, and tests none that no Worker could hold",
        ],
      },
    ],
  },
  "Wall time of a message or cron trigger": {
    by: "a lane works for 4 minutes, and waits for storage for 10 more",
    guards: [
      {
        code: ["api/engine/run-lane.ts", "now + HOLD_MAX_MS"],
        without: "now + 10 * HOLD_MAX_MS",
        test: [
          tests.laneTime,
          "ends after four minutes, also where no lane waits: it hands itself on",
        ],
      },
      {
        code: ["api/engine/run-lane.ts", "endsAt + PATIENCE_MS"],
        without: "endsAt + 10 * PATIENCE_MS",
        test: [
          "test/faults/worker/outage.test.ts",
          "of answers that outlasts the lane gives its units back",
        ],
      },
      {
        code: ["api/engine/lane-state.ts", " || event.now >= state.hold.endsAt"],
        without: "",
        test: [tests.laneState, "it has held the lane for its longest time: it closes"],
      },
      {
        code: ["api/engine/lane-decisions.ts", " && now < hold.patientUntil"],
        without: "",
        test: [
          tests.laneDecisions,
          "keeps its lease and what it can't save for as long as it may wait for storage",
        ],
      },
    ],
  },
  "Time after a response": {
    by: "nothing is left for after a response: such work is a queue's",
    guards: [
      {
        code: ["api/index.ts", "queue: (batch, env) => consume(platformOf(env), batch)"],
        without:
          "queue: async (batch, env, context) => context.waitUntil(consume(platformOf(env), batch))",
        test: [tests.house, "no request leaves work for after its response"],
      },
    ],
  },
} as const satisfies Record<string, Kept>;
