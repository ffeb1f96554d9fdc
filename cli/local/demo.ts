import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Leaderboard } from "#shared/contracts/leaderboard.ts";
import type { Submission } from "#shared/contracts/submission.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { suites } from "#shared/suites/registry.ts";
import { apiClient } from "./api.ts";
import { followRuns } from "./follow-runs.ts";
import { root } from "./root.ts";
import type { Stack } from "./stack.ts";

/** The name that each suite's stock dataset gets. */
export const stockName = "stock";

interface DemoModel {
  name: string;
  model: string;
  prices: { inputPer1k: number; outputPer1k: number };
}

const priced = (
  name: string,
  model: string,
  inputPer1k: number,
  outputPer1k: number,
): DemoModel => ({
  ...{ name, model, prices: { inputPer1k, outputPer1k } },
});

const demoModels: readonly DemoModel[] = [
  priced("Sim Large", "sim-large", 0.0025, 0.01),
  priced("Sim Medium", "sim-medium", 0.0008, 0.004),
  priced("Sim Small", "sim-small", 0.00015, 0.0006),
  priced("Sim Tiny", "sim-tiny", 0.00005, 0.0002),
];

/** A board of the demo and its first model. */
export interface DemoBoard {
  suite: string;
  label: string;
  runId: string;
  slug: string;
}

/**
 * Evaluates the simulated models on the stock dataset of every suite, but for those that stand on its
 * board already; a demo that was interrupted is followed to its end.
 */
export async function runDemo(stack: Stack, folder: string): Promise<DemoBoard[]> {
  const api = apiClient(stack.origin);
  const versions = await loadStock(stack);
  const open = await openSubmissions(api, folder);
  const submissions: Submission[] = [];
  for (const suite of suites) {
    const board = await api.leaderboard(suite.id, `${stockName}@${versions.get(suite.id)}`);
    const standing = new Set(board?.entries.map(({ model }) => model.slug));
    const missing = demoModels.filter(({ model }) => !standing.has(slugOf(model)));
    if (missing.length === 0) continue;
    const underWay = open.find((submission) => submission.suite === suite.id);
    submissions.push(underWay ?? (await submitDemo(api, stack, suite, missing)));
    const ids = submissions.map(({ id }) => id);
    writeFileSync(join(folder, "demo.json"), JSON.stringify({ submissions: ids }));
  }
  const runs = submissions.flatMap((submission) => submission.runs.map(({ id }) => id));
  if (runs.length > 0) await followRuns(stack.origin, runs);
  return Promise.all(
    suites.map(async (suite) => {
      const best = (await boardWith(api, suite, versions.get(suite.id)))?.entries[0];
      const { id, label } = suite;
      return { suite: id, label, runId: best?.run ?? "", slug: best?.model.slug ?? "" };
    }),
  );
}

/** Loads the stock datasets and gives their versions by suite; the same content again changes nothing. */
export async function loadStock(stack: Stack): Promise<Map<string, string>> {
  const api = apiClient(stack.origin);
  const versions = new Map<string, string>();
  for (const { id } of suites) {
    const path = join(root, "shared", "suites", id, "stock.jsonl");
    const { version } = await api.uploadDataset(id, stockName, readFileSync(path, "utf8"));
    versions.set(id, version);
  }
  return versions;
}

/** Has the canaries of judged suites judged that no run of this service has measured. */
export async function measureCanaries(stack: Stack): Promise<void> {
  const api = apiClient(stack.origin);
  for (const { id, judging } of suites) {
    if (judging?.canaries === undefined) continue;
    const { canaries } = await api.canaries(id);
    if (canaries.some(({ verdict }) => verdict === "unmeasured")) {
      await api.submitCanaries(id, stockName);
    }
  }
}

const slugOf = (model: string) => `demo/${model}`;

type Api = ReturnType<typeof apiClient>;

/** Demo submissions of an earlier start that have not ended. */
async function openSubmissions(api: Api, folder: string): Promise<Submission[]> {
  const file = join(folder, "demo.json");
  if (!existsSync(file)) return [];
  const { submissions = [] } = JSON.parse(readFileSync(file, "utf8")) as { submissions?: string[] };
  const found = await Promise.all(submissions.map((id) => api.submission(id).catch(() => null)));
  return found.flatMap((one) => (one && ["queued", "running"].includes(one.status) ? [one] : []));
}

function submitDemo(
  api: Api,
  stack: Stack,
  { id: suite }: Suite,
  models: readonly DemoModel[],
): Promise<Submission> {
  return api.submit({
    ...{ suite, dataset: stockName },
    models: models.map(({ name, model, prices }) => ({
      ...{ name, slug: slugOf(model), simulated: true, prices },
      endpoint: { baseUrl: stack.simulator, model, apiKey: "demo" },
    })),
  });
}

/** The board is ranked a moment after the last run ends. */
async function boardWith(api: Api, { id }: Suite, version = ""): Promise<Leaderboard | null> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const board = await api.leaderboard(id, `${stockName}@${version}`);
    if (board && board.entries.length >= demoModels.length) return board;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return api.leaderboard(id, `${stockName}@${version}`);
}
