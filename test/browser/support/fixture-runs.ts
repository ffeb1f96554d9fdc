import { readFileSync } from "node:fs";
import { LinesHash, rowText } from "../../../shared/contracts/content-hash.ts";
import type { Run, RunModel } from "../../../shared/contracts/run.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { pointsOfAnswers } from "./kept-answers.ts";
import { type Behaviour, keptAnswers, scoredSummary, stockRows } from "./scored-summary.ts";

const digest = (letter: string): string => letter.repeat(64);

const stock = new URL("../../../shared/suites/extraction/stock.jsonl", import.meta.url);

/** That of the rows as they stand, by which the site knows where they are from. */
function stockVersion(): string {
  const hash = new LinesHash();
  const lines = readFileSync(stock, "utf8").split("\n");
  for (const line of lines.filter((one) => one !== "")) hash.add(rowText(JSON.parse(line)));
  return hash.digest();
}

export const versions = {
  stock: stockVersion(),
  receipts: digest("b"),
  scoring: digest("c"),
  prompt: digest("d"),
};

export const usualOptions = { timeoutMs: 60_000, concurrency: 20, maxRetries: 3, temperature: 0 };

/** A model's card with nothing but a name and a slug. */
export const aModel = (slug: string, name: string, more: Partial<RunModel> = {}): RunModel => ({
  slug,
  name,
  url: null,
  license: null,
  parameters: null,
  quantization: null,
  simulated: false,
  ...more,
});

/** A run that has just been taken in; `more` says what has become of it. */
export function aRun(suite: Suite, id: string, model: RunModel, more: Partial<Run> = {}): Run {
  return {
    id,
    submission: `sub-${id}`,
    parent: null,
    suite: suite.id,
    suiteVersion: suite.version,
    dataset: { name: "stock", version: versions.stock, samples: stockRows.length },
    model,
    provenance: { kind: "called", endpointHost: `api.${model.slug.split("/")[0]}.example` },
    status: "queued",
    statusReason: null,
    visibility: "public",
    hiddenReason: null,
    phase: "answering",
    judging: null,
    progress: { total: stockRows.length, done: 0, failed: 0 },
    options: usualOptions,
    hybrid: null,
    variant: null,
    prices: null,
    cost: null,
    concurrency: { wanted: 20, now: 20 },
    scoringVersion: versions.scoring,
    promptHash: versions.prompt,
    codeRevision: "c0ffee5c0ffee5c0ffee5c0ffee5c0ffee5c0ffe",
    notes: [],
    headline: suite.headline,
    metrics: null,
    breakdown: null,
    timeline: null,
    points: null,
    answersRemovedAt: null,
    createdAt: "2026-11-20T09:00:00Z",
    startedAt: null,
    finishedAt: null,
    estimatedFinishAt: null,
    waitingUntil: null,
    links: {
      self: `/v1/runs/${id}`,
      samples: `/v1/runs/${id}/samples`,
      report: `/runs/${id}/`,
      badge: `/badge/${model.slug}.svg`,
      statement: `/v1/runs/${id}/statement`,
    },
    ...more,
  };
}

/** A finished run over the first `n` stock samples. */
export function aFinishedRun(
  suite: Suite,
  id: string,
  model: RunModel,
  behaviour: Behaviour,
  more: Partial<Run> = {},
): Run {
  const rows = stockRows.slice(0, more.dataset?.samples ?? stockRows.length);
  const failed = Math.round(rows.length * behaviour.lostRate);
  return aRun(suite, id, model, {
    ...scoredSummary(suite, rows, id, behaviour),
    points: pointsOfAnswers(suite, keptAnswers(suite, rows, behaviour)),
    prices: behaviour.prices ?? null,
    status: "finished",
    progress: { total: rows.length, done: rows.length, failed },
    startedAt: "2026-11-20T09:00:01Z",
    finishedAt: "2026-11-20T09:00:43Z",
    ...more,
  });
}

/** A run as the snapshot lists it: without what only its report needs. */
export const listedRun = ({ breakdown: _, timeline: __, points: ___, ...listed }: Run) => listed;
