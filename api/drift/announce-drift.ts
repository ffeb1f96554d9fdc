import type { DatasetChange, DriftNotice } from "#shared/contracts/drift/drift-notice.ts";
import type { Platform } from "../platform/platform.ts";
import { announce } from "../webhooks/announce.ts";
import type { NewsOfRun, WatchedRun } from "./store.ts";

type Change = Omit<
  DriftNotice,
  "run" | "model" | "suite" | "dataset" | "metric" | "attribution" | "observedAt"
>;

function noticeOf({ run, record }: NewsOfRun, change: Change): DriftNotice {
  const { slug, name, simulated } = run.model;
  const { attribution, observedAt } = record.drift;
  return {
    run: run.id,
    model: { slug, name, simulated },
    suite: run.suite,
    dataset: { name: run.datasetName, version: run.datasetVersion },
    metric: run.headline,
    attribution: attribution ?? "unclear",
    observedAt,
    ...change,
  };
}

/** A flagged change of a stream's traffic, for webhooks; null if there is none, or the anchor drifted. */
function trafficNotice(news: NewsOfRun): DriftNotice | null {
  const { traffic } = news.record.drift;
  const [reference] = traffic?.runs ?? [];
  if (!traffic?.isFlagged || traffic.difference === null || !reference) return null;
  const { difference, interval, n, eValue } = traffic;
  const change = { reference, difference, interval, n, eValue, moved: [], redirect: null };
  return noticeOf(news, change);
}

/** A flagged drift for snapshot, feed and webhooks; null if there is none. */
export function driftNotice(news: NewsOfRun): DriftNotice | null {
  const { isFlagged, reference, againstReference, eValue, moved, redirect } = news.record.drift;
  if (!isFlagged || reference === null || againstReference === null) return null;
  const { difference, interval, n } = againstReference;
  return noticeOf(news, {
    reference,
    difference,
    interval,
    n,
    eValue,
    moved: moved.map(({ id }) => id),
    // Records of earlier releases lack this field.
    redirect: redirect ?? null,
  });
}

/**
 * Announces a flagged drift, if any. Repeated calls send it once. Changes of dataset versions are shown only on the
 * site.
 */
export async function announceDrift(platform: Platform, watched: WatchedRun): Promise<void> {
  const drift = driftNotice(watched);
  const notice = drift ?? trafficNotice(watched);
  const { owner, visibility } = watched.run;
  const isOnSite = drift !== null || watched.record.datasetChanged;
  if (isOnSite && visibility === "public") await platform.publications.markChanged();
  if (notice === null) return;
  const links = {
    run: `/v1/runs/${notice.run}`,
    reference: `/v1/runs/${notice.reference}`,
    model: `/v1/models/${notice.model.slug}/history`,
  };
  const data = { ...notice, links };
  await announce(platform, { type: "drift.flagged", owner, subject: notice.run, data });
}

/** The snapshot's note on the first run with another dataset version; null if the version is the same. */
export function datasetChange({ run, record }: NewsOfRun): DatasetChange | null {
  const { reference, againstReference, parts, isFlagged, observedAt } = record.drift;
  const rest = parts.find(({ cause }) => cause === "dataset");
  if (!record.datasetChanged || reference === null || rest === undefined) return null;
  const { n, difference, interval } = againstReference ?? { n: 0, difference: 0, interval: null };
  return {
    run: run.id,
    reference,
    model: { slug: run.modelSlug },
    suite: run.suite,
    dataset: { name: run.datasetName, version: run.datasetVersion },
    metric: run.headline,
    difference: rest.difference + difference,
    unchanged: n === 0 ? null : { n, difference, interval },
    isFlagged,
    observedAt,
  };
}
