import { optionsFor } from "#shared/contracts/boards/ranking.ts";
import { contentHash } from "#shared/contracts/content-hash.ts";
import type { DatasetTimeline, ModelHistory } from "#shared/contracts/drift/drift.ts";
import type { JsonObject } from "#shared/contracts/json.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { suiteOptionsOf } from "../engine/run-plan.ts";
import { type Account, ownsAll, readerOf } from "../keys/account.ts";
import type { Platform } from "../platform/platform.ts";
import type { RunRecord } from "../runs/schema.ts";
import type { HistoryRun } from "./store.ts";

/** Whether a run takes part in drift detection: its model was called, and it is no sweep, canary or rescoring. */
export const isWatched = ({
  endpoint,
  parentId,
  variant,
  canary,
}: Pick<RunRecord, "endpoint" | "parentId" | "variant" | "canary">): boolean =>
  endpoint !== null && parentId === null && variant === null && canary === null;

/**
 * Hash of what comparable runs have in common: the model, visibility, suite and dataset by name, and the requests.
 * Versions of dataset, suite and judges may differ: they are possible causes of a change. Null for runs without drift
 * detection, and if the current suite rejects their options.
 */
export const seriesOf = (suite: Suite, run: RunRecord): string | null =>
  isWatched(run) ? seriesBy(suite, run) : null;

function seriesBy(
  suite: Suite,
  run: HistoryRun["run"] & Pick<RunRecord, "options" | "hybrid">,
): string | null {
  const own = suite.optionsSchema.safeParse(suiteOptionsOf(run.options));
  if (!own.success) return null;
  const target = { isHybrid: run.hybrid !== null, sources: [] };
  // The threshold for passing answers changes no score.
  const { passScore: _, ...asked } = optionsFor(suite, own.data, target) as JsonObject;
  return contentHash({
    model: run.modelSlug,
    suite: run.suite,
    dataset: run.datasetName,
    owner: run.visibility === "public" ? null : run.owner,
    // Public records must not name a private run.
    ...(run.visibility === "private" && { isPrivate: true }),
    promptHash: run.promptHash,
    options: asked,
    sample: run.options["sample"] ?? null,
    confidenceThreshold: run.hybrid?.confidenceThreshold ?? null,
  });
}

/** Filters of a history; a missing filter matches all. */
interface HistoryQuery {
  suite?: string | undefined;
  dataset?: string | undefined;
}

type Point = ModelHistory["histories"][number]["points"][number];

/** The public runs of a model with equal requests, each compared with the earlier ones; null if there are none. */
export async function modelHistory(
  platform: Platform,
  slug: string,
  { suite, dataset }: HistoryQuery,
): Promise<ModelHistory | null> {
  const found = await platform.drifts.ofModel(slug);
  if (found.length === 0) return null;
  const wanted = found.filter(
    ({ run }) =>
      (suite === undefined || run.suite === suite) &&
      (dataset === undefined || run.datasetName === dataset),
  );
  return {
    model: slug,
    histories: historiesOf(platform, wanted).map(({ model: _, ...history }) => history),
  };
}

type History = ModelHistory["histories"][number] & { model: string };

/** Runs with equal requests, one history for each model and configuration. */
function historiesOf(platform: Platform, found: readonly HistoryRun[]): History[] {
  const groups = Map.groupBy(found, (one) => one.record?.series ?? ownSeries(platform, one));
  return [...groups.values()].flatMap((group) => {
    const run = group[0]?.run;
    if (run === undefined) return [];
    const { suite, headline: metric, datasetName: dataset, modelSlug: model } = run;
    return [{ model, suite, metric, dataset, points: group.map((one) => pointOf(one, metric)) }];
  });
}

/** For a run that is not compared yet, or whose options the current suite rejects. */
function ownSeries(platform: Platform, { run, asked }: HistoryRun): string {
  const suite = platform.suites.byId(run.suite);
  return (suite && asked && seriesBy(suite, { ...run, ...asked })) ?? run.id;
}

/** Runs of one series may have different ranking metrics; each point shows its value of `metric`. */
function pointOf({ run, record }: HistoryRun, metric: string): Point {
  const { id, datasetVersion, scoringVersion, metrics, finishedAt } = run;
  return {
    run: id,
    datasetVersion,
    scoringVersion,
    headline: metrics?.[metric] ?? null,
    finishedAt: new Date(finishedAt ?? 0).toISOString(),
    drift: record?.drift ?? null,
  };
}

/** Three years of nightly versions. */
const MOST_VERSIONS = 1_000;

/**
 * The versions of a dataset that a reader may list, with runs on them that the reader may read; null without a version.
 */
export async function datasetTimeline(
  platform: Platform,
  account: Account | null,
  suite: string,
  dataset: string,
): Promise<DatasetTimeline | null> {
  const own = readerOf(account).owner;
  const page = { suite, name: dataset, version: null, after: null, limit: MOST_VERSIONS };
  const mine =
    own === ""
      ? []
      : await platform.datasets.page({ ...page, ownedBy: own, anyOwner: ownsAll(account) });
  const listed = mine.length > 0 ? mine : await platform.datasets.page({ ...page, ownedBy: null });
  if (listed.length === 0) return null;
  const found = await platform.drifts.ofDataset(suite, dataset, readerOf(account));
  return {
    suite,
    dataset,
    versions: listed.toReversed().map(({ version, samples, stream, createdAt }) => ({
      version,
      samples,
      ...(stream && { stream }),
      createdAt,
    })),
    histories: historiesOf(platform, found).map(({ model, metric, points }) => ({
      model,
      metric,
      points,
    })),
  };
}
