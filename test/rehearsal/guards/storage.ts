import { type Guard, isDeployed, isDeployedOnFree, type Kept, tests } from "./guard.ts";

/** A list of any length is one parameter, so its length does not change the SQL text. */
const oneStatement = {
  code: [
    "api/engine/commit-store.ts",
    `insertRows[commit.sampleTable]!)
          .bind(...holder, JSON.stringify(commit.rows.map(sampleValues)))`,
  ],
  testFile: tests.lanes,
  title: "of many samples fits into one statement with a constant text and number of parameters",
} as const satisfies Partial<Guard>;

/** Limits of D1 and R2. */
export const storageGuards = {
  "Parameters of a D1 statement": {
    by: "a list is one parameter, as JSON",
    guards: [
      {
        ...oneStatement,
        without: `insertRows[commit.sampleTable]!.replace("(?7)", () => \`(json_array(\${commit.rows.map((_, i) => \`json(?\${i + 7})\`)}))\`))
          .bind(...holder, ...commit.rows.map((row) => JSON.stringify(sampleValues(row))))`,
      },
    ],
  },
  "Size of a D1 statement": {
    by: "values are parameters, so the text has the same length for any number of rows",
    guards: [
      {
        ...oneStatement,
        without: `insertRows[commit.sampleTable]!.replace("?7", () => \`'\${JSON.stringify(commit.rows.map(sampleValues))}'\`))
          .bind(...holder)`,
      },
    ],
  },
  "Size of a value or row in D1": {
    by: "boards are stored in pages, twenty pages of models per value; breakdowns and scores are in R2",
    guards: [
      {
        code: ["api/boards/store.ts", "const PAGES_AT_ONCE = 20;"],
        without: "const PAGES_AT_ONCE = 2_000;",
        testFile: "test/worker/boards/board-places.test.ts",
        title: "write() stores the pages of fourteen thousand models in values of less than 2 MB",
      },
      {
        code: ["api/boards/board-pages.ts", "ENTRIES_A_PAGE = 100;"],
        without: "ENTRIES_A_PAGE = 100_000;",
        testFile: "test/demo-snapshot/long-board.test.ts",
        title:
          "a board of more than 100 models has pages that list each model once, ordered by rank",
      },
      {
        code: ["api/runs/archive-runs.ts", "const PAGES = 2;"],
        without: "const PAGES = 200;",
        testFile: tests.archive,
        title: "is restored in parts of two thousand rows, which fit in one value of D1",
      },
    ],
  },
  "Size of the database": {
    by: "above 80%, rows of ended runs are deleted at once; above 95%, new runs are refused",
    guards: [
      {
        code: ["api/runs/archive-runs.ts", "bytes > FULL * settings.databaseBytes"],
        without: "false",
        testFile: tests.tables,
        title: "refuses new runs from 95% on, and accepts them again when there is space",
      },
      {
        code: ["api/runs/archive-runs.ts", "bytes > SHORT * settings.databaseBytes"],
        without: "false",
        testFile: tests.tables,
        title: "deletes rows of ended runs at once from 80% on, but not rows that are not archived",
      },
      {
        code: ["wrangler.toml", 'DATABASE_MAX_MB = "10000"\n# Samples'],
        without: 'DATABASE_MAX_MB = "100000"\n# Samples',
        ...isDeployed,
      },
      {
        code: [
          "cli/deploy/worker-configs.ts",
          '...(plan === "free" && { DATABASE_MAX_MB: "500" }),',
        ],
        without: "",
        ...isDeployedOnFree,
      },
    ],
  },
  "Time of a D1 call in the database": {
    by: "rows are deleted in parts of 5,000",
    guards: [
      {
        code: ["api/runs/cleanup-store.ts", "ORDER BY seq LIMIT ?2"],
        without: "ORDER BY seq LIMIT 1000 * ?2",
        testFile: "test/worker/runs/clean-up.test.ts",
        title: "of a deleted run are deleted with its rows, 5,000 rows per statement",
      },
      {
        code: ["api/runs/clean-up.ts", "const ROWS = 5_000;"],
        without: "const ROWS = 5_000_000;",
        testFile: "test/worker/runs/clean-up.test.ts",
        title: "of a deleted run are deleted with its rows, 5,000 rows per statement",
      },
      {
        code: ["api/runs/archive-runs.ts", "const DROPPED = 5_000;"],
        without: "const DROPPED = 5_000_000;",
        testFile: tests.tables,
        title:
          "wait for an active run; after a week, rows of the other runs are deleted run by run",
      },
    ],
  },
  "Time that a D1 call waits for other calls": {
    by: "at most 48 lanes work at once, regardless of submissions",
    guards: [
      {
        code: ["api/engine/seat-lanes.ts", "lanesMax: platform.settings.lanesMax"],
        without: "lanesMax: 100_000",
        testFile: "test/worker/engine/seats.test.ts",
        title:
          "lanes beyond the maximum wait, and the oldest run of the account gets the next seat",
      },
      {
        code: ["wrangler.toml", 'LANES_MAX = "48"\n# Plan'],
        without: 'LANES_MAX = "4800"\n# Plan',
        testFile: tests.configs,
        title: "wrangler.toml consumes all queues that this version or earlier versions send to",
      },
    ],
  },
  "Writes of one R2 key per second": {
    by: "a key has one writer or is the hash of its content; refused writes are retried for seconds",
    guards: [
      {
        code: ["api/platform/retry-storage.ts", "if (!mayPass(error)) throw error;"],
        without: "throw error;",
        testFile: "api/platform/retry-storage.test.ts",
        title:
          "retryStorage() retries a write for longer than the limit of one write per second and object",
      },
    ],
  },
} as const satisfies Record<string, Kept>;
