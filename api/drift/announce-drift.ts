import type { DatasetChange } from "#shared/contracts/datasets/dataset-change.ts";
import type { DriftNotice } from "#shared/contracts/drift/drift-notice.ts";
import type { Platform } from "../platform/platform.ts";
import { announce } from "../webhooks/announce.ts";
import type { NewsOfRun, WatchedRun } from "./store.ts";

/** A flagged change of a stream's traffic, for webhooks; null if there is none, or the anchor drifted. */
function trafficNotice({ run, record }: NewsOfRun): DriftNotice | null {
  const { traffic, observedAt, attribution } = record.drift;
  const [reference] = traffic?.runs ?? [];
  if (!traffic?.isFlagged || traffic.difference === null || !reference) return null;
  const { slug, name, simulated } = run.model;
  return {
    run: run.id,
    reference,
    model: { slug, name, simulated },
    suite: run.suite,
    dataset: { name: run.datasetName, version: run.datasetVersion },
    metric: run.headline,
    difference: traffic.difference,
    interval: traffic.interval,
    n: traffic.n,
    eValue: traffic.eValue,
    moved: [],
    attribution: attribution ?? "unclear",
    redirect: null,
    observedAt,
  };
}

/** A flagged drift for snapshot, feed and webhooks; null if there is none. */
export function driftNotice({ run, record }: NewsOfRun): DriftNotice | null {
  const {
    isFlagged,
    reference,
    attribution,
    againstReference,
    eValue,
    moved,
    redirect,
    observedAt,
  } = record.drift;
  if (!isFlagged || reference === null || againstReference === null) return null;
  const { slug, name, simulated } = run.model;
  const { difference, interval, n } = againstReference;
  return {
    run: run.id,
    reference,
    model: { slug, name, simulated },
    suite: run.suite,
    dataset: { name: run.datasetName, version: run.datasetVersion },
    metric: run.headline,
    difference,
    interval,
    n,
    eValue,
    moved: moved.map(({ id }) => id),
    attribution: attribution ?? "unclear",
    // Records of earlier releases have none.
    redirect: redirect ?? null,
    observedAt,
  };
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
