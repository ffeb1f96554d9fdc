/** Code of the product that enforces a limit, and the test that fails without it. */
export interface Guard {
  /** A file, and a text that occurs once in it. */
  code: readonly [file: string, text: string];
  /** Replacement of this text that removes the guard. */
  without: string;
  testFile: string;
  /** Title of a test or of one of its cases. */
  title: string;
}

/** How the product stays below a limit: a text for the site, and the code. */
export interface Kept {
  by: string;
  guards: readonly Guard[];
}

const invocation = "test/worker/engine/invocation-limits.test.ts";
const houseTest = "test/house/limit-guards.test.ts";

export const tests = {
  invocation,
  house: houseTest,
  lanes: "test/worker/engine/lanes.test.ts",
  laneTime: "test/worker/engine/lane-time.test.ts",
  laneDecisions: "api/engine/lane-decisions.test.ts",
  laneState: "api/engine/lane-state.test.ts",
  archive: "test/worker/runs/archive.test.ts",
  tables: "test/worker/runs/sample-tables.test.ts",
  deploy: "test/cli/deploy.test.ts",
  configs: "cli/deploy/worker-configs.test.ts",
} as const;

/** The test that deploys with the committed configuration. */
export const isDeployed = {
  testFile: tests.deploy,
  title: "creates all resources, keeps secrets secret, and creates nothing in a second run",
} as const;
export const isDeployedOnFree = {
  testFile: tests.deploy,
  title:
    "lists the limits of the Free plan before it creates anything, and leaves out paid settings",
} as const;
export const isRefused = {
  testFile: invocation,
  title: "a submission beyond the limits of an invocation or the plan is refused",
} as const;

/** A run is summed up with few rows, objects and characters per invocation. */
export const bySummingRows: Guard = {
  code: ["api/engine/finalize.ts", "begun.after + limits.rows"],
  without: "Infinity",
  testFile: "test/worker/engine/pieces.test.ts",
  title: "summarises a long run in pieces, with the same bytes as at once, and deletes the pieces",
};
const early = {
  testFile: "test/worker/engine/pieces.test.ts",
  title: "ends a piece early if the answers are long or in many objects",
} as const;
export const bySummingObjects: Guard = {
  code: ["api/engine/finalize.ts", "read.objects >= limits.objects || "],
  without: "",
  ...early,
};
export const bySummingCharacters: Guard = {
  code: ["api/engine/finalize.ts", " || read.characters >= limits.characters"],
  without: "",
  ...early,
};
/** The maximum sizes of a piece. */
export const byPiece = (
  size: "rows: 10_000" | "objects: 800" | "characters: 64_000_000",
): Guard => ({
  code: ["api/engine/finalize.ts", size],
  without: size.replace(/: .*/, ": Infinity"),
  testFile: houseTest,
  title: "a piece of a run has the size in the table and fits on every plan",
});
/** The service uses the limits of the configured plan. */
export const byPlan: Guard = {
  code: ["api/platform/platform.ts", '[env.PLAN === "free" ? "free" : "paid"]'],
  without: ".paid",
  testFile: houseTest,
  title: "on the %s plan an invocation stops within its limits",
};
export const byDeployment: Guard = {
  code: ["cli/deploy/worker-configs.ts", "PLAN: plan,"],
  without: "",
  ...isDeployedOnFree,
};
export const byRunSamples: Guard = {
  code: ["api/submissions/check-models.ts", "plan.total > limits.runSamples"],
  without: "false",
  ...isRefused,
};
