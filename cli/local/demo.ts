import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Dataset } from "#shared/contracts/dataset.ts";
import type { Submission } from "#shared/contracts/submission.ts";
import { apiClient } from "./api.ts";
import { followRuns } from "./follow-runs.ts";
import { root } from "./root.ts";
import type { Stack } from "./stack.ts";

/** The suite and dataset of the demo, and the name the dataset gets. */
const suite = "extraction";
const datasetName = "stock";

const demoModels = [
  { name: "Sim Large", model: "sim-large", inputPer1k: 0.0025, outputPer1k: 0.01 },
  { name: "Sim Medium", model: "sim-medium", inputPer1k: 0.0008, outputPer1k: 0.004 },
  { name: "Sim Small", model: "sim-small", inputPer1k: 0.00015, outputPer1k: 0.0006 },
  { name: "Sim Tiny", model: "sim-tiny", inputPer1k: 0.00005, outputPer1k: 0.0002 },
] as const;

/** Where the demo's pages are, once it is there. */
export interface Demo {
  dataset: string;
  runId: string;
  slug: string;
}

/**
 * Evaluates the simulated models on the stock dataset, unless they stand on its board already; a
 * demo that was interrupted is followed to its end.
 */
export async function runDemo(stack: Stack, folder: string): Promise<Demo> {
  const api = apiClient(stack.origin);
  const dataset = await loadStock(stack);
  const board = await api.leaderboard(suite, `${datasetName}@${dataset.version}`);
  const standing = new Set(board?.entries.map((entry) => entry.model.slug));
  const missing = demoModels.filter(({ model }) => !standing.has(slugOf(model)));
  if (missing.length > 0) {
    const submission =
      (await openSubmission(api, folder)) ?? (await submitDemo(api, stack, missing));
    writeFileSync(join(folder, "demo.json"), JSON.stringify({ submission: submission.id }));
    await followRuns(
      stack.origin,
      submission.runs.map((run) => run.id),
    );
  }
  const finished = await boardWith(api, `${datasetName}@${dataset.version}`);
  const best = finished?.entries[0];
  return { dataset: datasetName, runId: best?.run ?? "", slug: best?.model.slug ?? "" };
}

/** Loads the stock dataset; the same content again changes nothing. */
export function loadStock(stack: Stack): Promise<Dataset> {
  const path = join(root, "shared", "suites", suite, "stock.jsonl");
  return apiClient(stack.origin).uploadDataset(suite, datasetName, readFileSync(path, "utf8"));
}

const slugOf = (model: string) => `demo/${model}`;

type Api = ReturnType<typeof apiClient>;

/** A demo submission of an earlier start that has not ended. */
async function openSubmission(api: Api, folder: string): Promise<Submission | null> {
  const file = join(folder, "demo.json");
  if (!existsSync(file)) return null;
  const { submission } = JSON.parse(readFileSync(file, "utf8")) as { submission: string };
  const found = await api.submission(submission).catch(() => null);
  return found && (found.status === "queued" || found.status === "running") ? found : null;
}

function submitDemo(
  api: Api,
  stack: Stack,
  models: readonly (typeof demoModels)[number][],
): Promise<Submission> {
  return api.submit({
    suite,
    dataset: datasetName,
    models: models.map(({ name, model, inputPer1k, outputPer1k }) => ({
      name,
      slug: slugOf(model),
      simulated: true,
      endpoint: { baseUrl: stack.simulator, model, apiKey: "demo" },
      prices: { inputPer1k, outputPer1k },
    })),
  });
}

/** The board is ranked a moment after the last run ends. */
async function boardWith(api: Api, dataset: string) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const board = await api.leaderboard(suite, dataset);
    if (board && board.entries.length >= demoModels.length) return board;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return api.leaderboard(suite, dataset);
}
