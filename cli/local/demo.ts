import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Leaderboard, leaderboardSchema } from "#shared/contracts/boards/leaderboard.ts";
import { publishedRuns } from "#shared/contracts/boards/read-snapshot.ts";
import { canaryReportSchema } from "#shared/contracts/judging/canary.ts";
import { type Run, runSchema } from "#shared/contracts/run.ts";
import type { InferenceSettings } from "#shared/contracts/submissions/inference-settings.ts";
import type { Prices } from "#shared/contracts/submissions/prices.ts";
import { type Submission, submissionSchema } from "#shared/contracts/submissions/submission.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { modelSlug } from "#shared/contracts/text/slug.ts";
import { suites } from "#shared/suites/registry.ts";
import { BadInput } from "../errors.ts";
import { followRunsAs } from "../remote/follow-runs.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { ServiceError } from "../remote/service-error.ts";
import { submitHosts, submitReference } from "./demo-parity.ts";
import { stockName } from "./load-stock.ts";
import { runProgress } from "./progress.ts";
import type { Stack } from "./stack.ts";

/** A board of the demo and its first model. */
export interface DemoBoard {
  suite: string;
  label: string;
  runId: string;
  slug: string;
}

/** Results of the demo, and whether any is new. */
interface Demo {
  boards: DemoBoard[];
  isNew: boolean;
}

/** Whether runs of a suite are judged by default. */
export const isJudged = ({ judging, optionsSchema }: Suite): boolean =>
  (judging?.choice(optionsSchema.parse({})) ?? null) !== null;

/**
 * Evaluates the simulated models on the stock dataset of every suite, except models that the board already has and
 * judged suites whose judges cost money; continues an interrupted demo. `versions`: dataset versions by suite.
 */
export async function runDemo(
  stack: Stack,
  folder: string,
  versions: ReadonlyMap<string, string>,
): Promise<Demo> {
  const { client: api } = stack;
  const shown = suites.filter((suite) => !stack.judgesAreReal || !isJudged(suite));
  const open = await openSubmissions(api, folder);
  const submissions: Submission[] = [];
  const reference = await submitReference(api, stack);
  for (const suite of shown) {
    const board = await boardOf(api, suite, versions.get(suite.id));
    const standing = new Set(board?.entries.map(({ model }) => model.slug));
    const missing = modelsOf(suite).filter((model) => !standing.has(slugOf(model)));
    if (missing.length === 0) continue;
    const underWay = open.find((submission) => submission.suite === suite.id);
    submissions.push(underWay ?? (await submitDemo(api, stack, suite, missing)));
    const ids = submissions.map(({ id }) => id);
    writeFileSync(join(folder, "demo.json"), JSON.stringify({ submissions: ids }));
  }
  if (reference !== null) {
    await follow(api, runsOf([reference]));
    // These are evaluated in parallel with other runs.
    submissions.push(...(await submitHosts(api, stack, reference)));
  }
  if (submissions.length > 0) await follow(api, runsOf(submissions));
  const runs = runsOf(reference === null ? submissions : [...submissions, reference]);
  const boards = await Promise.all(
    shown.map(async (suite) => {
      const best = (await boardWith(api, suite, versions.get(suite.id)))?.entries[0];
      const { id, label } = suite;
      return { suite: id, label, runId: best?.run ?? "", slug: best?.model.slug ?? "" };
    }),
  );
  if (runs.length > 0) await untilPublished(api, runs);
  return { boards, isNew: runs.length > 0 };
}

const runsOf = (submissions: readonly Submission[]): string[] =>
  submissions.flatMap((submission) => submission.runs.map(({ id }) => id));

/** Unfinished demo submissions of an earlier start. */
async function openSubmissions(api: ServiceClient, folder: string): Promise<Submission[]> {
  const file = join(folder, "demo.json");
  if (!existsSync(file)) return [];
  const { submissions = [] } = JSON.parse(readFileSync(file, "utf8")) as { submissions?: string[] };
  const found = await Promise.all(
    submissions.map((id) => api.get(`/v1/submissions/${id}`, submissionSchema).catch(() => null)),
  );
  return found.flatMap((one) => (one && ["queued", "running"].includes(one.status) ? [one] : []));
}

/** Null for an empty board. */
async function boardOf(
  api: ServiceClient,
  { id: suite }: Suite,
  version = "",
): Promise<Leaderboard | null> {
  const query = new URLSearchParams({ suite, dataset: `${stockName}@${version}` });
  try {
    return await api.get(`/v1/leaderboard?${query}`, leaderboardSchema);
  } catch (error) {
    if (error instanceof ServiceError && error.prospects.status === 404) return null;
    throw error;
  }
}

interface DemoModel {
  name: string;
  model: string;
  prices: Prices;
  settings?: InferenceSettings;
}

const priced = (
  name: string,
  model: string,
  inputPerMillion: number,
  outputPerMillion: number,
): DemoModel => ({
  name,
  model,
  prices: { inputPerMillion, outputPerMillion },
});

const demoModels: readonly DemoModel[] = [
  priced("Sim Large", "sim-large", 2.5, 10),
  priced("Sim Medium", "sim-medium", 0.8, 4),
  priced("Sim Small", "sim-small", 0.15, 0.6),
  priced("Sim Tiny", "sim-tiny", 0.05, 0.2),
];

/** A reasoning model at two efforts, so that its board shows whether more thinking is worth its cost. */
const thinkers: readonly DemoModel[] = (["low", "high"] as const).map((reasoningEffort) => ({
  ...priced("Sim Reasoning", "sim-reasoning", 1.1, 4.4),
  settings: { reasoningEffort },
}));

/** The demo models of a suite; only one board has reasoning models, and pairs has one judge. */
const modelsOf = ({ id }: Suite): readonly DemoModel[] => {
  if (id === "pairs") return [priced("Sim Judge A", "sim-judge-a", 1, 4)];
  return id === "extraction" ? [...demoModels, ...thinkers] : demoModels;
};

const slugOf = ({ name, model, settings }: DemoModel): string =>
  modelSlug({ name, slug: `demo/${model}`, endpoint: { settings } }, "demo");

async function submitDemo(
  api: ServiceClient,
  stack: Stack,
  { id: suite }: Suite,
  models: readonly DemoModel[],
): Promise<Submission> {
  const request = {
    suite,
    dataset: stockName,
    visibility: "public",
    models: models.map(({ name, model, prices, settings }) => ({
      name,
      slug: `demo/${model}`,
      simulated: true,
      prices,
      endpoint: {
        baseUrl: stack.simulator,
        model,
        apiKey: "demo",
        ...(settings && { settings, maxTokensParam: "max_completion_tokens" }),
      },
    })),
  };
  return await api.post("/v1/submissions", request, submissionSchema);
}

/** Shows the progress of each run until all have ended. */
async function follow(api: ServiceClient, ids: readonly string[]): Promise<Run[]> {
  const progress = runProgress();
  try {
    return await followRunsAs(runSchema, api, ids, progress.show);
  } finally {
    progress.stop();
  }
}

/** The board is ranked shortly after the last run ends. */
async function boardWith(
  api: ServiceClient,
  suite: Suite,
  version: string | undefined,
): Promise<Leaderboard | null> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const board = await boardOf(api, suite, version);
    if (board && board.entries.length >= modelsOf(suite).length) return board;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return boardOf(api, suite, version);
}

/** Waits until the results are published, because the site is built from published results. */
async function untilPublished({ origin }: ServiceClient, runs: readonly string[]): Promise<void> {
  const get = async (path: string) => (await fetch(`${origin}${path}`)).json();
  for (let attempt = 0; attempt < 100; attempt++) {
    const published = await publishedRuns(get).catch(() => new Set<string>());
    if (runs.every((run) => published.has(run))) return;
    await sleep(300);
  }
  throw new BadInput("The runs have ended but were not published: start again to publish them.");
}

/** Starts the canaries of judged suites that this service has not measured yet. */
export async function measureCanaries(stack: Stack): Promise<void> {
  const { client: api } = stack;
  for (const { id, judging } of suites) {
    if (judging?.canaries === undefined) continue;
    const path = `/v1/suites/${id}/canaries`;
    const { canaries } = await api.get(path, canaryReportSchema);
    if (canaries.some(({ verdict }) => verdict === "unmeasured")) {
      await api.post(path, { dataset: stockName }, submissionSchema);
    }
  }
}
