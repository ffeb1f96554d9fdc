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
  hostVerdicts,
} from "#shared/measures/gates/host-verdicts.ts";
import { outcomesOf } from "#shared/measures/gates/outcomes.ts";
import { parityVerdict } from "#shared/measures/gates/parity-verdict.ts";
import type { Platform } from "../platform/platform.ts";
import { isReadableBy } from "../runs/access.ts";
import { partsKey, type RunParts } from "../runs/run-objects.ts";
import type { RunRecord } from "../runs/schema.ts";
import { provenanceOf } from "../runs/view.ts";
import { comparisonOf, STATISTICS } from "./compare.ts";
import type { ParityRecord, ParityRunRecord } from "./schema.ts";

/** What is shown of every host, after the suite's own metrics of hosts. */
const performance = ["latencyP50", "latencyP95", "outputSpeedP50", "costPer1kUsd"];

/** A run of a parity with the label of its host. */
interface NamedRun {
  run: RunRecord;
  named: ParityRunRecord;
}

/** Whether everybody may see a run in lists. */
export const isPublicRun = (run: RunRecord): boolean =>
  run.visibility === "public" && isReadableBy(run, { owner: null, anyOwner: false });

/** Further fields of a body choose the provider behind a router, or say in a host's own words what others say elsewhere. */
export const comparedSettings = ({
  extraBody: _,
  ...settings
}: NonNullable<Endpoint["settings"]> = {}) => settings;

/** A model's name with the settings that all hosts have in common. */
export function hostedModel({ model, endpoint }: Pick<RunRecord, "model" | "endpoint">): string {
  const own = ` (${settingsLabel(endpoint?.settings)})`;
  const name = model.name.endsWith(own) ? model.name.slice(0, -own.length) : model.name;
  return namedWith(name, comparedSettings(endpoint?.settings));
}

/**
 * A parity as everybody sees it; null if there is none, or its reference was withdrawn. Withdrawn hosts are left out.
 * Computed once for each state of its runs. `isWaiting`: also computes comparisons that a request leaves to the queue.
 */
export async function parityView(
  platform: Platform,
  name: string,
  isWaiting = false,
): Promise<Parity | null> {
  const found = await platform.parities.get(name);
  if (found === null) return null;
  const { parity } = found;
  const read = await platform.runs.some(found.runs.map(({ runId }) => runId));
  const byId = new Map(read.filter(isPublicRun).map((run) => [run.id, run]));
  const shown = found.runs.flatMap((named): NamedRun[] => {
    const run = byId.get(named.runId);
    return run === undefined ? [] : [{ run, named }];
  });
  const reference = shown.find(({ run }) => run.id === parity.referenceId);
  if (reference === undefined) return null;
  const key = viewKey(parity, shown);
  const kept = await platform.objects.get<Parity>(key);
  if (kept !== null) return kept;
  const hosts = shown.filter((one) => one !== reference);
  const view = await workOut(platform, parity, reference, hosts, isWaiting);
  const isFinal = view.hosts.every(({ note }) => note !== COMPARING);
  if (isFinal) await platform.objects.put(key, view);
  return view;
}

/** A retried run has another end. */
const viewKey = ({ name, margin, createdAt }: ParityRecord, shown: readonly NamedRun[]): string => {
  const states = shown.map(({ run, named }) => [run.id, run.status, run.finishedAt, named.label]);
  return `parities/${contentHash([STATISTICS, name, margin, createdAt, states])}.json`;
};

const COMPARING = "being compared; look again in a minute";

async function workOut(
  platform: Platform,
  { name, margin, createdAt }: ParityRecord,
  reference: NamedRun,
  hosts: readonly NamedRun[],
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
  const ready = compared.flatMap((one) => ("note" in one ? [] : [one]));
  const verdicts = hostVerdicts(ready, { better: metric.better, margin });
  const rows = await Promise.all(
    hosts.map(async (host, i): Promise<ParityHost> => {
      const its = compared[i]!;
      const row = await hostView(platform, suite, metric, host);
      const { kind } = provenanceOf(host.run);
      // Answers that were made elsewhere may be older than their run.
      const statedBefore = host.run.createdAt >= createdAt && kind !== "self-reported";
      if ("note" in its) return { ...row, statedBefore, note: its.note };
      return { ...row, statedBefore, versus: verdicts[ready.indexOf(its)] ?? null };
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
    verdict: parityVerdict({ reference: first, hosts: rows, margin }, metric),
    reference: first,
    hosts: rows,
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
  { run, named }: NamedRun,
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
