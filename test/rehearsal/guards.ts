/** Code of the product that keeps below a limit, and the test that fails without it. */
interface Guard {
  /** A file, and what is written in it. */
  code: readonly [file: string, name: string];
  /** A file, and the title of a test or of its case. */
  test: readonly [file: string, title: string];
}

/** How a limit is kept: for readers of the site, and by which code. */
interface Kept {
  by: string;
  guards: readonly Guard[];
}

const lanes = "test/worker/engine/lanes.test.ts";
const pieces = "test/worker/engine/pieces.test.ts";
const invocation = "test/worker/engine/invocation-limits.test.ts";
const decisions = "api/engine/lane-decisions.test.ts";
const laneState = "api/engine/lane-state.test.ts";
const outage = "test/faults/worker/outage.test.ts";

/** Summing up a run: few rows, objects and characters an invocation. */
const bySumming = (most: string): Guard => ({
  code: ["api/engine/finalize.ts", most],
  test: [
    pieces,
    most === "limits.rows"
      ? "sums up a long run in pieces, to the same bytes, and leaves none of them behind"
      : "ends a piece early where the answers are long or lie in many objects",
  ],
});
const byPiece: Guard = {
  code: ["api/engine/finalize.ts", "PIECE = {"],
  test: [
    "test/house/limit-guards.test.ts",
    "a piece of a run is as small as the table says, and fits on any plan",
  ],
};
const onFree = [
  "test/cli/deploy.test.ts",
  "says what a free account can't do before anything is made, and leaves out what it refuses",
] as const;
const byPlan: Guard = {
  code: ["api/platform/platform.ts", "const planLimits"],
  test: ["test/house/limit-guards.test.ts", "on the %s plan an invocation stops within its limits"],
};
/** The plan that was chosen is the one that the service keeps to. */
const byDeployment: Guard = { code: ["cli/deploy/worker-configs.ts", "PLAN: plan"], test: onFree };
const byRunSamples: Guard = {
  code: ["api/submissions/check-models.ts", "limits.runSamples"],
  test: [invocation, "what one invocation or the plan can't do is refused before it starts"],
};
/** Lists of any length are one parameter. */
const byJson: Guard = {
  code: ["api/engine/commit-store.ts", "JSON.stringify(commit.rows.map(sampleValues))"],
  test: [
    lanes,
    "of many samples fits into one statement, whose text and parameters don't grow with them",
  ],
};

/** Every limit of Cloudflare that has a row in the table, and some that are only kept. */
export const guards = {
  "Requests to other hosts, an invocation": {
    by: "at 80% a lane hands on its run; at 100% requests wait for the next invocation",
    guards: [
      {
        code: ["api/engine/run-lane.ts", "requests: SPENT * plan.requests"],
        test: [
          invocation,
          "a run whose requests exceed those of an invocation is handed on, and complete",
        ],
      },
      {
        code: ["api/engine/lane-state.ts", "state.requests >= most.requests"],
        test: [laneState, "its invocation can make few more requests: it closes"],
      },
      {
        code: ["api/providers/retrying.ts", "memory.requests.most"],
        test: [
          "test/endpoints/ask-model.test.ts",
          "stops when its invocation may send no more requests, and is sent again by the next",
        ],
      },
      {
        code: ["api/providers/judges.ts", "requests: memory.requests"],
        test: [
          "test/endpoints/judges.test.ts",
          "counts its requests among those of the invocation",
        ],
      },
      {
        code: ["api/submissions/check-models.ts", "limits.requests / PER_LANE"],
        test: byRunSamples.test,
      },
      byPlan,
      byDeployment,
    ],
  },
  "Requests to R2 and Queues, an invocation": {
    by: "a run is summed up in pieces of about 800 objects",
    guards: [
      bySumming("limits.objects"),
      byPiece,
      byRunSamples,
      {
        code: ["wrangler.toml", "subrequests = 100_000"],
        test: [
          "test/cli/deploy.test.ts",
          "makes what is needed, keeps its secrets, and finds all when it is run again",
        ],
      },
    ],
  },
  "Connections that wait for headers, an invocation": {
    by: "five requests to endpoints a lane, five reads or writes of objects at once",
    guards: [
      {
        code: ["api/engine/lease-store.ts", "min(5,"],
        test: [lanes, "of a lane are five at most, also where no other lane works"],
      },
      {
        code: ["api/runs/stored-samples.ts", "FETCHES"],
        test: ["api/runs/stored-samples.test.ts", "small objects five at a time"],
      },
      {
        code: ["api/platform/object-store.ts", "AT_ONCE"],
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
        test: [
          invocation,
          "a run whose commits exceed the queries of an invocation is handed on, and complete",
        ],
      },
      {
        code: ["api/engine/lane-state.ts", "state.queries >= most.queries"],
        test: [laneState, "its invocation can make few more queries: it closes"],
      },
      {
        code: ["api/publication/publish.ts", "plan.changes"],
        test: [
          invocation,
          "a publication whose changes exceed the queries of an invocation is continued, and complete",
        ],
      },
      {
        code: ["api/cron.ts", "cronTurns"],
        test: [
          invocation,
          "the steps of the cron job that exceed the queries of an invocation take turns, and all are done",
        ],
      },
      bySumming("limits.rows"),
      byPlan,
      byDeployment,
    ],
  },
  "Parameters of a D1 statement": {
    by: "a list is one parameter, as JSON",
    guards: [byJson],
  },
  "Size of a D1 statement": {
    by: "values are parameters, so the text has the same length for any number of rows",
    guards: [byJson],
  },
  "Size of a value or row in D1": {
    by: "boards are stored in pages, their models twenty pages a value; breakdowns and scores are in R2",
    guards: [
      {
        code: ["api/boards/store.ts", "PAGES_AT_ONCE"],
        test: [
          "test/worker/boards/board-places.test.ts",
          "write() stores the pages of fourteen thousand models in values of less than 2 MB",
        ],
      },
      {
        code: ["api/boards/board-pages.ts", "ENTRIES_A_PAGE"],
        test: [
          "test/demo-snapshot/long-board.test.ts",
          "a board of more than 100 models is read in pages, each model once, in the order of their ranks",
        ],
      },
      {
        code: ["api/runs/archive-runs.ts", "PAGES = 2"],
        test: [
          "test/worker/runs/archive.test.ts",
          "is put back two thousand rows at a time, which one value of D1 has room for",
        ],
      },
    ],
  },
  "Size of the database": {
    by: "from 80% on rows of ended runs are deleted at once, from 95% on new runs are refused",
    guards: [
      {
        code: ["api/runs/archive-runs.ts", "FULL * settings.databaseBytes"],
        test: [
          "test/worker/runs/archive.test.ts",
          "takes no new runs from 95% on, says so, and takes them again when there is room",
        ],
      },
      {
        code: ["api/runs/archive-runs.ts", "SHORT * settings.databaseBytes"],
        test: [
          "test/worker/runs/archive.test.ts",
          "from 80% on removes rows of a run as it ends, and leaves those that are not archived",
        ],
      },
      {
        code: ["wrangler.toml", 'DATABASE_MAX_MB = "10000"'],
        test: [
          "test/cli/deploy.test.ts",
          "makes what is needed, keeps its secrets, and finds all when it is run again",
        ],
      },
      {
        code: ["cli/deploy/worker-configs.ts", 'DATABASE_MAX_MB: "500"'],
        test: onFree,
      },
    ],
  },
  "Time of a D1 call in the database": {
    by: "rows are deleted in parts of 5,000",
    guards: [
      {
        code: ["api/runs/cleanup-store.ts", "ORDER BY seq LIMIT ?2"],
        test: [
          "test/worker/runs/clean-up.test.ts",
          "go with rows of a deleted run, a bounded number a statement",
        ],
      },
      {
        code: ["api/runs/clean-up.ts", "ROWS = 5_000"],
        test: [
          "test/worker/runs/clean-up.test.ts",
          "go with rows of a deleted run, a bounded number a statement",
        ],
      },
      {
        code: ["api/runs/archive-runs.ts", "DROPPED = 5_000"],
        test: [
          "test/worker/runs/archive.test.ts",
          "wait for a run that has not ended; where one waits for a week, rows of others go one by one",
        ],
      },
    ],
  },
  "Time that a D1 call waits for other calls": {
    by: "at most 48 lanes work at once, whatever is submitted",
    guards: [
      {
        code: ["api/engine/seat-lanes.ts", "lanesMax"],
        test: [
          "test/worker/engine/seats.test.ts",
          "lanes beyond the most at once wait, and the oldest run of the account gets the next seat",
        ],
      },
      {
        code: ["wrangler.toml", 'LANES_MAX = "48"'],
        test: [
          "test/cli/deploy.test.ts",
          "the committed configuration consumes what it sends to, and what earlier versions sent to",
        ],
      },
    ],
  },
  "Size of a queue message": {
    by: "messages hold only keys, of at most the 256 runs that a submission may have",
    guards: [
      {
        code: ["api/submissions/check-models.ts", "models * each <= MAX_RUNS"],
        test: [
          "test/worker/submissions/variants-request.test.ts",
          "more runs than a submission may have",
        ],
      },
    ],
  },
  "Messages in one sendBatch": {
    by: "longer lists are sent in batches of 100",
    guards: [
      {
        code: ["api/platform/queues.ts", "BATCH"],
        test: [
          "api/platform/queues.test.ts",
          "queuesOf() sends lanes in batches that a queue takes",
        ],
      },
    ],
  },
  "Size of one sendBatch": {
    by: "messages hold only keys, and a batch has at most 100",
    guards: [
      {
        code: ["api/platform/queues.ts", "BATCH"],
        test: [
          "api/platform/queues.test.ts",
          "queuesOf() sends thousands of messages in batches of far less than 256 kB",
        ],
      },
    ],
  },
  "Delay of a message": {
    by: "12 hours at most; a later call is found by the cron job",
    guards: [
      {
        code: ["api/engine/run-lane.ts", "DELAY_MAX_MS"],
        test: [
          "test/worker/engine/long-waits.test.ts",
          "a lane that rests for longer than a queue delays messages looks again after half a day",
        ],
      },
      {
        code: ["api/consumers.ts", "Math.min(most, delay)"],
        test: [
          "test/worker/engine/consumers.test.ts",
          "comes again later each time, and is logged without its body",
        ],
      },
      {
        code: ["api/webhooks/deliver.ts", "DELAY_MAX_MS"],
        test: [
          "test/worker/webhooks/webhook-delivery.test.ts",
          "is tried ten times over three days, then the event is given up",
        ],
      },
    ],
  },
  "Memory of an isolate": {
    by: "whole runs are read piece by piece, a long one at a time or several short ones; objects and what is read ahead are bounded",
    guards: [
      {
        code: ["api/engine/finalize.ts", "withMemory"],
        test: [
          "test/worker/engine/consumers.test.ts",
          "of runs of %s, consume() sums up so many of three at a time",
        ],
      },
      {
        code: ["api/platform/with-memory.ts", "used + turn.share <= 1"],
        test: [
          "api/platform/with-memory.test.ts",
          "begins the next work when the one before has ended, however that ended",
        ],
      },
      bySumming("limits.characters"),
      byPiece,
      {
        code: ["api/engine/lane-decisions.ts", "GROUP_CHARS"],
        test: [decisions, "with long samples"],
      },
      {
        code: ["api/runs/stored-samples.ts", "held + count <= SAMPLES"],
        test: ["api/runs/stored-samples.test.ts", "as many as hold 320 samples"],
      },
    ],
  },
  "CPU time of a request": {
    by: "300 s are asked for; comparisons of many samples are worked out by a queue",
    guards: [
      {
        code: ["wrangler.toml", "cpu_ms = 300_000"],
        test: [
          "test/cli/deploy.test.ts",
          "makes what is needed, keeps its secrets, and finds all when it is run again",
        ],
      },
      {
        code: ["api/comparisons/compare.ts", "INLINE_SAMPLES"],
        test: [
          "test/worker/comparisons/compare.test.ts",
          "answers 202 where there is much to do, and has it once the queue is through",
        ],
      },
    ],
  },
  "CPU time of a message or cron trigger": {
    by: "a run is summed up in pieces of 10,000 samples; at most 200,000 are compared",
    guards: [
      bySumming("limits.rows"),
      byPiece,
      {
        code: ["api/comparisons/compare.ts", "samples <= MOST_SAMPLES"],
        test: ["test/worker/comparisons/compare.test.ts", "refuses what no Worker could hold"],
      },
    ],
  },
  "Wall time of a message or cron trigger": {
    by: "a lane works for 4 minutes, and waits for storage for 10 more",
    guards: [
      {
        code: ["api/engine/run-lane.ts", "HOLD_MAX_MS"],
        test: [lanes, "ends after four minutes, also where no lane waits: it hands itself on"],
      },
      {
        code: ["api/engine/run-lane.ts", "PATIENCE_MS"],
        test: [outage, "of answers that outlasts the lane gives its units back"],
      },
      {
        code: ["api/engine/lane-state.ts", "event.now >= state.hold.endsAt"],
        test: [laneState, "it has held the lane for its longest time: it closes"],
      },
      {
        code: ["api/engine/lane-decisions.ts", "now < hold.patientUntil"],
        test: [
          decisions,
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
        test: ["test/house/limit-guards.test.ts", "no request leaves work for after its response"],
      },
    ],
  },
  "Writes of one R2 key in a second": {
    by: "keys have one writer or the hash of their content; what is refused is tried again for seconds",
    guards: [
      {
        code: ["api/platform/retry-storage.ts", "mayPass"],
        test: [
          "api/platform/retry-storage.test.ts",
          "retryStorage() writes an object again that another one wrote within the second",
        ],
      },
    ],
  },
  "Static files of a Worker": {
    by: "pages of runs beyond the limit are drawn from the API",
    guards: [
      {
        code: ["site/src/data/page-files.ts", "firstOf"],
        test: [
          "site/src/data/page-files.test.ts",
          "firstOf() takes what boards show, then the newest, and no more than there are files",
        ],
      },
    ],
  },
  "Size of a static file": {
    by: "larger files are left out of the site",
    guards: [
      {
        code: ["site/src/data/leave-out-large.ts", "MAX_FILE_BYTES"],
        test: [
          "site/src/data/leave-out-large.test.ts",
          "a page that is too large is a small one that says so; all others stay",
        ],
      },
    ],
  },
  "Rules in _headers": {
    by: "rules are of folders, not of pages",
    guards: [
      {
        code: ["site/public/_headers", "/_astro/*"],
        test: ["test/house/limit-guards.test.ts", "the site's _headers have few rules"],
      },
    ],
  },
  "Cron triggers of an account": {
    by: "one, every minute, whose steps take turns",
    guards: [{ code: ["wrangler.toml", 'crons = ["* * * * *"]'], test: onFree }],
  },
  "Variables and secrets of a Worker": {
    by: "one variable for each setting that a deployment may have",
    guards: [{ code: ["wrangler.toml", "[vars]"], test: onFree }],
  },
  "Size of the Worker, compressed": {
    by: "the code is minified",
    guards: [
      {
        code: ["wrangler.toml", "minify = true"],
        test: [
          "test/cli/deploy.test.ts",
          "bundles both Workers by the configuration that it makes, without an account",
        ],
      },
    ],
  },
  "A rate limit, a caller and location": {
    by: "badges and boards come from the cache; the command line and the site poll every few seconds and obey Retry-After",
    guards: [
      {
        code: ["api/http/rate-limit.ts", "limiter.allows(kind, caller)"],
        test: ["test/worker/http/rate-limit.test.ts", "get 429 with the time to wait"],
      },
    ],
  },
  /** Counters of a namespace are shared by all Workers of an account. */
  "Namespaces of rate limits": {
    by: "each deployment has its own",
    guards: [
      {
        code: ["cli/deploy/worker-configs.ts", "namespaceOf"],
        test: [
          "test/cli/deploy.test.ts",
          "gives deployments of one account rate limits and queues of their own",
        ],
      },
    ],
  },
} as const satisfies Record<string, Kept>;

/** A limit by its name in the table. */
export type LimitName = keyof typeof guards;
