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

/** Limits of an invocation's calls, time and memory. */
export const invocationGuards = {
  "Requests to other hosts per invocation": {
    by: "at 80% a lane passes its run to the next invocation; at 100% requests wait for it",
    guards: [
      {
        code: ["api/engine/run-lane.ts", "requests: SPENT * plan.requests"],
        without: "requests: Infinity",
        testFile: tests.invocation,
        title: "a run with too many requests for one invocation completes in several",
      },
      {
        code: ["api/engine/lane-state.ts", " || state.requests >= most.requests"],
        without: "",
        testFile: tests.laneState,
        title: "its invocation has few requests left: it closes",
      },
      {
        code: ["api/providers/retrying.ts", "memory.requests.sent >= memory.requests.most"],
        without: "false",
        testFile: "test/endpoints/ask-model.test.ts",
        title: "is postponed when its invocation may send no more requests",
      },
      {
        code: ["api/providers/judges.ts", "requests: memory.requests,"],
        without: "requests: { ...memory.requests },",
        testFile: "test/endpoints/judges.test.ts",
        title: "counts towards the requests of the invocation",
      },
      {
        code: ["api/submissions/check-models.ts", "Math.floor(limits.requests / inFlight)"],
        without: "Infinity",
        ...isRefused,
      },
      byPlan,
      byDeployment,
    ],
  },
  "Requests to R2 and Queues per invocation": {
    by: "a run is summed up in pieces of about 800 objects",
    guards: [
      bySummingObjects,
      byPiece("objects: 800"),
      byRunSamples,
      {
        code: ["wrangler.toml", "subrequests = 100_000"],
        without: "",
        ...isDeployed,
      },
    ],
  },
  "Connections that wait for headers per invocation": {
    by: "a lane sends five requests at once, and objects are read or written five at a time; if an invocation does several of these, the seventh connection waits",
    guards: [
      {
        code: ["api/engine/lease-store.ts", "export const LANE_REQUESTS = 5;"],
        without: "export const LANE_REQUESTS = 500;",
        testFile: tests.lanes,
        title: "of a lane are five at most, even without other lanes",
      },
      {
        code: ["api/runs/stored-samples.ts", "ahead.length < FETCHES && "],
        without: "",
        testFile: "api/runs/stored-samples.test.ts",
        title: "small objects five at a time",
      },
      {
        code: ["api/platform/object-store.ts", "const AT_ONCE = 5;"],
        without: "const AT_ONCE = 50;",
        testFile: "test/worker/platform/object-store.test.ts",
        title: "eachAtOnce() leaves one of six connections free",
      },
    ],
  },
  "D1 queries per invocation": {
    by: "at 80% a lane passes its run to the next invocation; publications and summaries continue with another message",
    guards: [
      {
        code: ["api/engine/run-lane.ts", "SPENT * plan.queries - OTHER_QUERIES"],
        without: "Infinity",
        testFile: tests.invocation,
        title: "a run with too many commits for one invocation completes in several",
      },
      {
        code: ["api/engine/lane-state.ts", "state.queries >= most.queries || "],
        without: "",
        testFile: tests.laneState,
        title: "its invocation has few queries left: it closes",
      },
      {
        code: ["api/publication/publish.ts", "platform.settings.plan.changeQueries"],
        without: "1_000",
        testFile: tests.invocation,
        title:
          "a publication with more changes than an invocation allows is continued, and is complete",
      },
      {
        code: ["api/publication/republish-board.ts", "Math.min(MOST_AT_ONCE, most)"],
        without: "1_000",
        testFile: "test/worker/publication/large-boards.test.ts",
        title:
          "a large board is re-published in parts, each within the queries of an invocation: %s",
      },
      {
        code: ["api/cron.ts", "const { cronTurns } = platform.settings.plan;"],
        without: "const cronTurns = 1;",
        testFile: tests.invocation,
        title:
          "steps of the cron job that exceed the queries of an invocation take turns, and all are done",
      },
      {
        code: ["api/boards/board-limits.ts", "added > 0 && total + added > allowed"],
        without: "false",
        testFile: tests.invocation,
        title:
          "a board with the maximum number of models is ranked in one invocation, and refuses more",
      },
      bySummingRows,
      byPlan,
      byDeployment,
    ],
  },
  "Memory of an isolate": {
    by: "runs are read in pieces, one long run or several short ones at a time; object sizes and read-ahead are bounded",
    guards: [
      {
        code: [
          "api/engine/finalize.ts",
          "withMemory(platform, share, () => sumUp(platform, runId, piece, limits))",
        ],
        without: "sumUp(platform, runId, piece, limits)",
        testFile: "test/worker/engine/consumers.test.ts",
        title: "consume() limits how many runs with %s it summarises at once",
      },
      {
        code: ["api/platform/with-memory.ts", " && used + turn.share <= 1"],
        without: "",
        testFile: "api/platform/with-memory.test.ts",
        title: "starts the next work when the previous one has ended or failed",
      },
      bySummingCharacters,
      byPiece("characters: 64_000_000"),
      {
        code: ["api/engine/lane-decisions.ts", "const GROUP_CHARS = 4_000_000;"],
        without: "const GROUP_CHARS = Infinity;",
        testFile: tests.laneDecisions,
        title: "with long samples",
      },
      {
        code: ["api/runs/stored-samples.ts", " && held + count <= SAMPLES"],
        without: "",
        testFile: "api/runs/stored-samples.test.ts",
        title: "at most 320 samples at a time",
      },
    ],
  },
  "CPU time of a request": {
    by: "300 s are requested; a queue computes comparisons of many samples",
    guards: [
      {
        code: ["wrangler.toml", "cpu_ms = 300_000"],
        without: "",
        ...isDeployed,
      },
      {
        code: ["api/comparisons/compare.ts", "samplesOf(runs) > INLINE_SAMPLES"],
        without: "false",
        testFile: "test/worker/comparisons/compare.test.ts",
        title: "answers 202 for a large comparison, and 200 once the queue has computed it",
      },
    ],
  },
  "CPU time of a message or cron trigger": {
    by: "a run is summed up in pieces of 10,000 samples; at most 200,000 samples are compared, 2,000 on the Free plan",
    guards: [
      bySummingRows,
      byPiece("rows: 10_000"),
      {
        code: ["api/comparisons/compare.ts", "samples <= most"],
        without: "true",
        testFile: "test/worker/comparisons/compare.test.ts",
        title: "refuses a comparison beyond the limits of the %s plan",
      },
      {
        code: ["api/comparisons/variant-tests.ts", "samples > most"],
        without: "false",
        testFile: "test/worker/comparisons/sweep.test.ts",
        title: "computes large sweeps in the queue, and tests none beyond the plan's limit",
      },
    ],
  },
  "Wall time of a message or cron trigger": {
    by: "a lane works for 4 minutes, and waits for storage for 10 more",
    guards: [
      {
        code: ["api/engine/run-lane.ts", "now + HOLD_MAX_MS"],
        without: "now + 10 * HOLD_MAX_MS",
        testFile: tests.laneTime,
        title: "ends after four minutes even if no lane waits, and another message continues it",
      },
      {
        code: ["api/engine/run-lane.ts", "endsAt + PATIENCE_MS"],
        without: "endsAt + 10 * PATIENCE_MS",
        testFile: "test/faults/worker/outage.test.ts",
        title: "of answers and longer than the lane: the units are returned",
      },
      {
        code: ["api/engine/lane-state.ts", " || event.now >= state.hold.endsAt"],
        without: "",
        testFile: tests.laneState,
        title: "it has held the lane for the maximum time: it closes",
      },
      {
        code: ["api/engine/lane-decisions.ts", " && now < hold.patientUntil"],
        without: "",
        testFile: tests.laneDecisions,
        title:
          "waitsToSave() keeps the lease and unsaved units for the longest time to wait for storage",
      },
    ],
  },
  "Time after a response": {
    by: "no work continues after a response; queues do such work",
    guards: [
      {
        code: ["api/index.ts", "queue: (batch, env) => consume(platformOf(env), batch)"],
        without:
          "queue: async (batch, env, context) => context.waitUntil(consume(platformOf(env), batch))",
        testFile: tests.house,
        title: "no request leaves work to do after its response",
      },
    ],
  },
} as const satisfies Record<string, Kept>;
