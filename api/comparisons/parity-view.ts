import type { Parity, ParityHost } from "#shared/contracts/boards/parity.ts";
import { suiteFor } from "#shared/contracts/boards/ranking.ts";
import { contentHash } from "#shared/contracts/content-hash.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import { namedWith, settingsLabel } from "#shared/contracts/submissions/inference-settings.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import {
  type HostDifference,
  hostDifference,
  parityVerdicts,
} from "#shared/measures/gates/host-verdicts.ts";
import { outcomesOf } from "#shared/measures/gates/outcomes.ts";
import { parityVerdict } from "#shared/measures/gates/parity-verdict.ts";
import type { Reader } from "../keys/account.ts";
import type { Platform } from "../platform/platform.ts";
import { keepAbout, partsKey, type RunParts } from "../runs/run-objects.ts";
import type { RunRecord } from "../runs/schema.ts";
import { provenanceOf } from "../runs/view.ts";
import { comparisonOf, STATISTICS } from "./compare.ts";
import { isParityReadable, isPublicRun, type NamedRun, parityRows } from "./parity-rows.ts";
import type { ParityRecord } from "./schema.ts";

/** Metrics shown for every host, in addition to the suite's own host metrics. */
const performance = ["latencyP50", "latencyP95", "outputSpeedP50", "costPer1kUsd"];

/**
 * Settings without further body fields: these choose a router's provider, or say in one host's terms what others
 * express differently.
 */
export const comparedSettings = ({
  extraBody: _,
  ...settings
}: NonNullable<Endpoint["settings"]> = {}) => settings;

/** A model's name with the settings that all hosts share. */
export function hostedModel({ model, endpoint }: Pick<RunRecord, "model" | "endpoint">): string {
  const own = ` (${settingsLabel(endpoint?.settings)})`;
  const name = model.name.endsWith(own) ? model.name.slice(0, -own.length) : model.name;
  return namedWith(name, comparedSettings(endpoint?.settings));
}

/**
 * A parity, equal for everyone who may read it; null if the reader may not see it or its reference was withdrawn.
 * Computed once for each state of its runs. `isWaiting`: also computes comparisons that a request leaves to the queue.
 */
export async function parityView(
  platform: Platform,
  name: string,
  reader: Reader,
  isWaiting = false,
): Promise<{ view: Parity; isPublic: boolean } | null> {
  const head = await platform.parities.head(name);
  if (head === null || !isParityReadable(head.parity, head.reference, reader)) return null;
  const added = (await platform.parities.get(name))?.runs ?? [];
  const read = await platform.runs.some(added.map(({ runId }) => runId));
  const rows = parityRows(head.parity, added, read);
  // It may have changed since.
  if (rows === null || !isParityReadable(head.parity, rows.reference.run, reader)) return null;
  const isPublic = isPublicRun(rows.reference.run);
  return { view: await storedView(platform, head.parity, rows, isWaiting), isPublic };
}

async function storedView(
  platform: Platform,
  parity: ParityRecord,
  rows: Rows,
  isWaiting: boolean,
): Promise<Parity> {
  const key = viewKey(parity, rows);
  const kept = await platform.objects.get<Parity>(key);
  if (kept !== null) return kept;
  const view = await workOut(platform, parity, rows, isWaiting);
  const isFinal = view.hosts.every(({ note }) => note !== COMPARING);
  const shown = [rows.reference, ...rows.hosts].map(({ run }) => run);
  if (isFinal) await keepAbout(platform.objects, shown, key, view);
  return view;
}

type Rows = NonNullable<ReturnType<typeof parityRows>>;

/** Version of the view: views stored by an earlier version are computed again. */
const VIEW = 3;

/** The end of each run is part of the key, because a retried run ends again. */
const viewKey = (
  { name, margin, createdAt }: ParityRecord,
  { reference, hosts, removed }: Rows,
): string => {
  const states = [reference, ...hosts].map(({ run, named, attempt, attempts }) => [
    run.id,
    run.status,
    run.finishedAt,
    named.label,
    named.addedBy,
    attempt,
    attempts,
  ]);
  return `compared/parities-${contentHash([STATISTICS, VIEW, name, margin, createdAt, states, removed])}.json`;
};

const COMPARING = "being compared; look again in a minute";

async function workOut(
  platform: Platform,
  { name, margin, createdAt }: ParityRecord,
  { reference, hosts, removed }: Rows,
  isWaiting: boolean,
): Promise<Parity> {
  const base = reference.run;
  const known = platform.suites.byId(base.suite);
  if (!known) throw new Error(`suite ${base.suite} is not registered`);
  const suite = suiteFor(known, base.options);
  const metric = suite.metrics.find(({ id }) => id === base.headline);
  if (!metric) throw new Error(`suite ${base.suite} has no metric ${base.headline}`);
  const compared: Difference[] = [];
  // One at a time, because memory holds the scores of both.
  for (const { run } of hosts) compared.push(await differenceOf(platform, base, run, isWaiting));
  const tested = hosts.map(({ run, named }, i) => {
    const its = compared[i]!;
    const { addedBy } = named;
    return { addedBy, status: run.status, difference: "note" in its ? null : its };
  });
  const verdicts = parityVerdicts(tested, removed, { better: metric.better, margin });
  const rows = await Promise.all(
    hosts.map(async (host, i): Promise<ParityHost> => {
      const its = compared[i]!;
      const row = await hostView(platform, suite, metric, host);
      const { kind } = provenanceOf(host.run);
      // Answers that were made elsewhere may be older than their run.
      const statedBefore = host.run.createdAt >= createdAt && kind !== "self-reported";
      const note = "note" in its ? its.note : null;
      return { ...row, statedBefore, note, versus: verdicts[i] ?? null };
    }),
  );
  const first = await hostView(platform, suite, metric, reference);
  return {
    name,
    model: hostedModel(base),
    simulated: base.model.simulated,
    suite: base.suite,
    suiteVersion: base.suiteVersion,
    dataset: {
      name: base.datasetName,
      version: base.datasetVersion,
      samples: base.datasetSamples,
    },
    options: base.options,
    scoringVersion: base.scoringVersion,
    promptHash: base.promptHash,
    metric: metric.id,
    better: metric.better,
    margin,
    createdAt: new Date(createdAt).toISOString(),
    verdict: parityVerdict({ name, reference: first, hosts: rows, margin }, metric),
    reference: first,
    hosts: rows,
    removed,
  };
}

type Difference = HostDifference | { note: string | null };

async function differenceOf(
  platform: Platform,
  base: RunRecord,
  run: RunRecord,
  isWaiting: boolean,
): Promise<Difference> {
  if (run.status !== "finished") return { note: run.statusReason };
  const pair = [base, run].sort((a, b) => (a.id < b.id ? -1 : 1));
  const compared = await comparisonOf(platform, pair, isWaiting);
  if (!compared.ok) return { note: compared.error.detail };
  if (compared.value === null) return { note: COMPARING };
  const metric = compared.value.metrics.find((one) => one.metric === base.headline);
  const found = metric && hostDifference(metric, run.id, base.id);
  return found ?? { note: "too few samples are scored in both runs" };
}

async function hostView(
  platform: Platform,
  { hostMetrics = [] }: Suite,
  headline: Metric,
  { run, named, attempt, attempts, isLatest }: NamedRun,
): Promise<ParityHost> {
  const shown = [headline.id, ...hostMetrics, ...performance];
  const known = shown.flatMap((id) => {
    const estimate = run.metrics?.[id];
    return estimate === undefined || estimate.value === null ? [] : [[id, estimate] as const];
  });
  const isFinished = run.status === "finished";
  const parts = isFinished ? await platform.objects.get<RunParts>(partsKey(run)) : null;
  return {
    run: run.id,
    label: named.label,
    owner: run.owner,
    addedBy: named.addedBy,
    attempt,
    attempts,
    isLatest,
    asked: run.model.asked?.[0] ?? null,
    provenance: provenanceOf(run),
    status: run.status,
    finishedAt: run.finishedAt === null ? null : new Date(run.finishedAt).toISOString(),
    statedBefore: false,
    metrics: Object.fromEntries(known),
    outcomes: parts && outcomesOf(parts.breakdown),
    versus: null,
    note: null,
  };
}
