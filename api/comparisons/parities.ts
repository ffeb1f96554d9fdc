import type { AddedHost, ParityRequest } from "#shared/contracts/boards/parity.ts";
import { MOST_FOREIGN_HOSTS, MOST_HOSTS } from "#shared/contracts/boards/parity.ts";
import { suiteFor } from "#shared/contracts/boards/ranking.ts";
import { contentHash } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import {
  type Endpoint,
  runOptionsSchema,
  type SubmissionRequest,
} from "#shared/contracts/submissions/submission.ts";
import { modelSlug } from "#shared/contracts/text/slug.ts";
import { marginProblem } from "#shared/measures/comparison/margin-tests.ts";
import { suiteOptions } from "#shared/measures/suite-options.ts";
import type { Account } from "../keys/account.ts";
import type { Platform } from "../platform/platform.ts";
import type { RunRecord } from "../runs/schema.ts";
import { whyNot } from "./compare.ts";
import { isPublicRun, isShownIn } from "./parity-rows.ts";
import { comparedSettings, hostedModel } from "./parity-view.ts";
import type { ParityRecord } from "./schema.ts";

/** Maximum parities per account, except for admins. */
const MOST_PARITIES = 100;

export type ParityRefusal =
  | { type: "not-found" | "forbidden" | "not-ready" | "conflict"; detail: string }
  | { type: "not-comparable" | "invalid-request"; detail: string; errors: FieldError[] };

const invalid = (pointer: string, detail: string) =>
  err({ type: "invalid-request" as const, detail, errors: [{ pointer, detail }] });

const isAdmin = ({ scopes }: Account): boolean => scopes.includes("admin");

/** Creates a parity. Stores nothing if one of its runs is not comparable with the reference. */
export async function createParity(
  platform: Platform,
  account: Account,
  { name, reference: first, margin, hosts }: ParityRequest,
): Promise<Result<null, ParityRefusal>> {
  const [owner = ""] = name.split("/");
  if (owner !== account.owner && !isAdmin(account)) {
    return invalid("/name", `must begin with the name of your account: ${account.owner}/…`);
  }
  const reference = await shownRun(platform, isShownIn({ owner }, false), first.run);
  if (!reference.ok) return reference;
  if (!isPublicRun(reference.value) && reference.value.owner !== owner) {
    const detail = `there is no public run "${first.run}", and none of "${owner}"`;
    return err({ type: "not-found", detail });
  }
  const mayShow = isShownIn({ owner }, isPublicRun(reference.value));
  const named = [first, ...hosts];
  if (new Set(named.map(({ run }) => run)).size < named.length) {
    return invalid("/hosts", "each run can be named once, the reference only as reference");
  }
  const bar = marginBar(platform, reference.value, margin);
  if (bar !== null) return invalid("/margin", bar);
  for (const { run: id } of hosts) {
    const run = await ownRun(platform, account, mayShow, id);
    if (!run.ok) return run;
    const refusal = hostRefusal(platform, reference.value, run.value);
    if (refusal !== null) return err(refusal);
  }
  const runs = await platform.runs.some(named.map(({ run }) => run));
  const createdAt = platform.now();
  const isMade = await platform.parities.create(
    { name, owner, referenceId: first.run, margin, createdAt },
    named.map(({ run: id, label = hostOf(runs.find((run) => run.id === id)!) }) => ({
      parity: name,
      runId: id,
      label,
      addedBy: owner,
      addedAt: createdAt,
    })),
    isAdmin(account) ? Number.MAX_SAFE_INTEGER : MOST_PARITIES,
  );
  if (isMade) return ok(null);
  const isTaken = (await platform.parities.get(name)) !== null;
  const detail = isTaken
    ? `there is a parity "${name}": choose another name`
    : `"${owner}" has ${MOST_PARITIES} parities, which is the limit: delete one that is not needed`;
  return err({ type: "conflict", detail });
}

/** A parity with its finished reference run, if the account may read it. */
export async function openParity(
  platform: Platform,
  account: Account,
  name: string,
): Promise<Result<{ parity: ParityRecord; reference: RunRecord }, ParityRefusal>> {
  const found = await knownParity(platform, account, name);
  if (!found.ok) return found;
  const { parity } = found.value;
  const reference = await shownRun(platform, isShownIn(parity, false), parity.referenceId);
  return reference.ok ? ok({ parity, reference: reference.value }) : unknown(name);
}

/** A parity that the account may know of: a public one, or its own. */
async function knownParity({ parities }: Platform, account: Account, name: string) {
  const head = await parities.head(name);
  const isPublic = head?.reference ? isPublicRun(head.reference) : false;
  const isOwners = head !== null && (head.parity.owner === account.owner || isAdmin(account));
  const found = isPublic || isOwners ? await parities.get(name) : null;
  return found === null ? unknown(name) : ok({ ...found, isPublic, isOwners });
}

export async function ownedParity(
  platform: Platform,
  account: Account,
  name: string,
): Promise<Result<ParityRecord & { isPublic: boolean }, ParityRefusal>> {
  const found = await knownParity(platform, account, name);
  if (!found.ok) return found;
  const { parity, isPublic, isOwners } = found.value;
  if (isOwners) return ok({ ...parity, isPublic });
  const detail = `parity "${name}" belongs to another account: use a key of its owner`;
  return err({ type: "forbidden", detail });
}

const unknown = (name: string) =>
  err({ type: "not-found" as const, detail: `there is no parity "${name}"` });

/** Deletes a parity of the account; its runs are kept. */
export async function deleteParity(
  platform: Platform,
  account: Account,
  name: string,
): Promise<Result<null, ParityRefusal>> {
  const owned = await ownedParity(platform, account, name);
  if (!owned.ok) return owned;
  await platform.parities.remove(name);
  if (owned.value.isPublic) await platform.publications.markChanged();
  return ok(null);
}

/**
 * Removes a run from a parity's view: the parity's owner may remove any run, other accounts those that they added. The
 * run still counts as added.
 */
export async function removeHost(
  platform: Platform,
  account: Account,
  { name, run }: { name: string; run: string },
): Promise<Result<null, ParityRefusal>> {
  const found = await knownParity(platform, account, name);
  if (!found.ok) return found;
  const { parity, runs } = found.value;
  const row = runs.find(({ runId }) => runId === run);
  if (row === undefined) {
    return err({ type: "not-found", detail: `parity "${name}" has no run "${run}"` });
  }
  if (![parity.owner, row.addedBy].includes(account.owner) && !isAdmin(account)) {
    const detail = `run "${run}" was added by another account: only that account, or the owner of the parity, can remove it`;
    return err({ type: "forbidden", detail });
  }
  if (run === parity.referenceId) {
    const detail = `run "${run}" is the reference, which can't be removed: delete the parity`;
    return err({ type: "conflict", detail });
  }
  await platform.parities.removeRun(row, actingFor(account, parity.owner));
  return ok(null);
}

export async function addRun(
  platform: Platform,
  account: Account,
  name: string,
  { run: id = "", label }: AddedHost,
): Promise<Result<null, ParityRefusal>> {
  const opened = await openParity(platform, account, name);
  if (!opened.ok) return opened;
  const { parity, reference } = opened.value;
  const run = await ownRun(platform, account, isShownIn(parity, isPublicRun(reference)), id);
  if (!run.ok) return run;
  const refusal = hostRefusal(platform, reference, run.value);
  if (refusal !== null) return err(refusal);
  return addRow(platform, account, parity, { runId: id, label: label ?? hostOf(run.value) });
}

/**
 * Adds a host to a parity and starts its run. The row is written first, so that no run is paid for without being shown.
 * `start` submits the run on the given platform, which generates its id; repeated calls give the same run.
 */
export async function addAndStart<E>(
  platform: Platform,
  account: Account,
  { parity, submission, label }: { parity: ParityRecord; submission: string; label: string },
  start: (platform: Platform) => Promise<Result<string, E>>,
): Promise<Result<string, E | ParityRefusal>> {
  const runId = submission.replace(/^sub/, "run");
  const added = await addRow(platform, account, parity, { runId, label });
  if (!added.ok) return added;
  const newId = (prefix: string) => (prefix === "run" ? runId : platform.newId(prefix));
  const started = await start({ ...platform, newId });
  if (!started.ok) await platform.parities.takeBack({ parity: parity.name, runId });
  return started;
}

/** Admins act for a parity's owner. */
const actingFor = (account: Account, owner: string): string =>
  isAdmin(account) ? owner : account.owner;

async function addRow(
  platform: Platform,
  account: Account,
  { name: parity, owner }: ParityRecord,
  its: { runId: string; label: string },
): Promise<Result<null, ParityRefusal>> {
  const row = { parity, ...its, addedBy: actingFor(account, owner), addedAt: platform.now() };
  const added = await platform.parities.add(row);
  if (added !== null && added.removedBy === null) return ok(null);
  if (added !== null) {
    const detail = `run "${added.runId}" was removed from the parity, which counts it for good: start a new one with endpoint`;
    return err({ type: "conflict", detail });
  }
  const detail = `a parity takes at most ${MOST_HOSTS} runs of its owner, and of all other accounts together; and at most ${MOST_FOREIGN_HOSTS} of each of these, removed ones included: create a parity of your own with the same reference`;
  return err({ type: "conflict", detail });
}

/** The name of a host without a label. The address of an endpoint behind a runner is not published. */
const hostOf = ({
  endpoint,
  modelSlug: slug,
}: Pick<RunRecord, "endpoint" | "modelSlug">): string =>
  endpoint === null || endpoint.relay !== undefined ? slug : endpointHost(endpoint);

/** @example endpointHost({ baseUrl: "https://api.example.com/v1", … }) // "api.example.com" */
export const endpointHost = ({ baseUrl, runner }: Pick<Endpoint, "baseUrl" | "runner">): string =>
  runner ?? new URL(baseUrl).host;

async function shownRun(
  { runs }: Platform,
  mayShow: (run: RunRecord) => boolean,
  id: string,
): Promise<Result<RunRecord, ParityRefusal>> {
  const run = await runs.get(id);
  if (run === null || !mayShow(run)) {
    const detail = `there is no public run "${id}"; only a parity with a private reference takes private runs of yours`;
    return err({ type: "not-found", detail });
  }
  if (run.status === "finished") return ok(run);
  const isOver = run.status === "cancelled" || run.status === "failed";
  const detail = `run "${id}" is ${run.status}; a parity takes finished runs`;
  return err({ type: isOver ? "conflict" : "not-ready", detail });
}

async function ownRun(
  platform: Platform,
  account: Account,
  mayShow: (run: RunRecord) => boolean,
  id: string,
): Promise<Result<RunRecord, ParityRefusal>> {
  const run = await shownRun(platform, mayShow, id);
  if (!run.ok || run.value.owner === account.owner || isAdmin(account)) return run;
  const detail = `run "${id}" belongs to another account: only who ran it can add it`;
  return err({ type: "forbidden", detail });
}

function marginBar({ suites }: Platform, run: RunRecord, margin: number): string | null {
  const suite = suites.byId(run.suite);
  const metrics = suite === undefined ? [] : suiteFor(suite, run.options).metrics;
  const ids = metrics.map(({ id }) => id);
  return marginProblem(new Map([[run.headline, margin]]), ids, metrics);
}

/** Why a run is not comparable with the reference as the same model with the same requests; null if it is. */
function hostRefusal(
  platform: Platform,
  reference: RunRecord,
  run: RunRecord,
): ParityRefusal | null {
  const refusal = whyNot(platform, [reference, run]);
  if (refusal !== null) return refusal;
  const traits: [name: string, of: (one: RunRecord) => Json][] = [
    ["the model's name", hostedModel],
    ["the ranking metric", ({ headline }) => headline],
    ["options", ({ options }) => suiteOptions(options) as Json],
    ["inference settings", ({ endpoint }) => comparedSettings(endpoint?.settings) as Json],
  ];
  const differing = traits.flatMap(([name, of]) =>
    contentHash(of(reference)) === contentHash(of(run)) ? [] : [name],
  );
  if (differing.length === 0) return null;
  const detail = `run "${run.id}" differs from the reference in ${differing.join(" and ")}: a parity compares hosts of one model that are asked in the same way`;
  return { type: "not-comparable", detail, errors: [{ detail }] };
}

/** The submission that sends an endpoint exactly the requests of the reference. */
export function hostSubmission(
  { reference, parity }: { reference: RunRecord; parity: ParityRecord },
  account: Account,
  { endpoint, prices, label }: AddedHost & { endpoint: Endpoint },
): Result<SubmissionRequest, ParityRefusal> {
  const { suite, datasetName, datasetVersion, options, model } = reference;
  const own = reference.endpoint?.settings;
  const { provider: _, ...extraBody } = own?.extraBody ?? {};
  const settings = {
    ...own,
    // Omits the provider that a router chose for the reference.
    ...(own?.extraBody && { extraBody }),
    ...endpoint.settings,
  };
  if (
    contentHash(comparedSettings(settings) as Json) !== contentHash(comparedSettings(own) as Json)
  ) {
    return invalid(
      "/endpoint/settings",
      "differ from those of the reference: leave them out, except extraBody",
    );
  }
  const { concurrency, timeoutMs, maxRetries, sample } = options;
  const plannedTest = { metric: reference.headline, margin: parity.margin, against: reference.id };
  const host = label ?? endpointHost(endpoint);
  return ok({
    suite,
    dataset: `${datasetName}@${datasetVersion}`,
    visibility: isPublicRun(reference) ? "public" : "private",
    options: runOptionsSchema.parse({
      ...suiteOptions(options),
      concurrency,
      timeoutMs,
      maxRetries,
      ...(sample !== undefined && { sample }),
      plannedTest,
    }),
    models: [
      {
        name: hostedModel(reference),
        slug: modelSlug({ name: `${hostedModel(reference)} at ${host}` }, account.owner),
        simulated: model.simulated,
        ...(model.url !== null && { url: model.url }),
        ...(model.license !== null && { license: model.license }),
        ...(model.parameters !== null && { parameters: model.parameters }),
        endpoint: {
          ...endpoint,
          ...(Object.keys(settings).length > 0 && { settings }),
        },
        ...(prices && { prices }),
      },
    ],
  });
}
