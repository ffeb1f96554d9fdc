import type { Deletion } from "#shared/contracts/keys/account-data.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import { cancelRun } from "../batches/cancel-run.ts";
import { DELETED_NAMES } from "../datasets/leftover-store.ts";
import { dayOf } from "../keys/quota.ts";
import { deletionMessage } from "../platform/messages.ts";
import type { Platform } from "../platform/platform.ts";
import { hint } from "../platform/retry-storage.ts";
import { breakdownWithoutSamples, pointsWithoutSamples } from "../runs/access.ts";
import { type Budget, removeAll, removeAnswers, removeNoted, removeRun } from "../runs/clean-up.ts";
import {
  accountFolder,
  partsKey,
  type RunParts,
  runFolder,
  statementKey,
} from "../runs/run-objects.ts";
import type { RunRecord } from "../runs/schema.ts";
import { refreshBoards } from "../runs/service.ts";
import { deletedHash, identityText } from "./deleted-names.ts";
import type { DeletedAccount, OwnedDataset } from "./deletion-store.ts";
import type { DeletionRecord } from "./schema.ts";
import { isServiceAdmin } from "./sessions.ts";

/** Names of the service's own accounts, and of requests without a key. */
const kept: readonly string[] = ["operator", "local", "assay", "stock"];

/** By then, requests that were running when the deletion began have ended. */
const SETTLED_MS = 10 * 60_000;
/** Deletions continued per cron run. */
const OPEN = 5;
/** Runs withdrawn per message: each statement covers all of them. */
const WITHDRAWN = 100;
/** D1 queries to remove one run; below it, the maximum of runs per message. */
const RUN_QUERIES = 12;
const RUNS = 20;
/** R2 calls per message: far below the limit of any plan. */
const STEPS = 60;
/** Digits of a pseudonym: enough to distinguish accounts. */
const DIGITS = 12;

/**
 * Folders of results about several runs that earlier versions stored without a note, and of results that they shared
 * between accounts.
 */
const FORMER = [
  "comparisons/",
  "parities/",
  "sweeps/",
  "judgments/",
  "claims/",
  "stages/",
  "speech/",
];

type Refusal = { type: "conflict" | "invalid-request"; detail: string };

/** What the deletion of an account would remove, or why it is refused. Changes nothing. */
export async function planDeletion(
  platform: Platform,
  owner: string,
  confirm: string,
): Promise<Result<Deletion, Refusal>> {
  const refused = (type: Refusal["type"], detail: string) => err({ type, detail });
  if (kept.includes(owner)) {
    return refused("conflict", `"${owner}" can't be deleted: it is an account of the service`);
  }
  if (confirm !== owner) {
    const detail = `nothing was deleted: to confirm, give the name of the account that goes, confirm=${owner}; not "${confirm}"`;
    return refused("invalid-request", detail);
  }
  const account = await platform.accounts.byOwner(owner);
  if (account !== null && isServiceAdmin(platform, account)) {
    const detail = `"${owner}" is an admin of this service, whose actions the audit log names: its operator first removes it from ADMIN_ACCOUNTS`;
    return refused("conflict", detail);
  }
  const alone = await aloneRefusal(platform, owner);
  return alone ?? ok({ owner, removes: await platform.deletions.counts(owner) });
}

async function aloneRefusal({ deletions }: Platform, owner: string) {
  const alone = await deletions.onlyAdminOf(owner);
  if (alone.length === 0) return null;
  const detail = `"${owner}" is the only admin of ${alone.join(", ")}: make somebody else an admin, or delete those organisations first`;
  return err({ type: "conflict" as const, detail });
}

/** Starts the deletion of an account, which can't act from now on. Messages do the rest in parts. */
export async function deleteAccount(
  platform: Platform,
  owner: string,
  confirm: string,
): Promise<Result<Deletion, Refusal>> {
  const planned = await planDeletion(platform, owner, confirm);
  if (!planned.ok) return planned;
  // The only other admin may be leaving at the same time.
  await platform.deletions.leaveOrganisations(owner);
  const alone = await aloneRefusal(platform, owner);
  if (alone !== null) return alone;
  const now = platform.now();
  const hash = deletedHash(platform, owner);
  await platform.deletions.begin(hash, owner, await identityOf(platform, owner), now);
  await platform.deletions.dropCredentials(namesOf(platform, owner), now);
  await hint(platform.queues.finish(deletionMessage(hash)));
  return planned;
}

async function identityOf(platform: Platform, owner: string): Promise<string | null> {
  const account = await platform.accounts.byOwner(owner);
  if (account === null || account.provider === null || account.subject === null) return null;
  return platform.sealer.pseudonym(identityText(account.provider, account.subject));
}

const aliasOf = (platform: Platform, its: string): string =>
  platform.sealer.pseudonym(its).slice(0, DIGITS);

const namesOf = (platform: Platform, owner: string): DeletedAccount => ({
  owner,
  alias: `deleted-${aliasOf(platform, `account ${owner}`)}`,
});

/** Sends a message for each unfinished deletion. */
export async function sendDeletions({ deletions, queues, now }: Platform): Promise<void> {
  await deletions.forgetUsage(dayOf(now()));
  for (const { hash } of await deletions.open(OPEN)) await queues.finish(deletionMessage(hash));
}

/** Whether a step has more to do, is done, or must wait. */
type Outcome = "more" | "next" | "wait";

type Step = (platform: Platform, names: DeletedAccount, record: DeletionRecord) => Promise<Outcome>;

/** The steps in order; each can be repeated at any time. */
const steps: readonly Step[] = [
  withdrawRuns,
  leaveDatasets,
  removeRuns,
  async (platform, names) => {
    await platform.deletions.dropCredentials(names, platform.now());
    return "next";
  },
  async (platform, names) => {
    await platform.deletions.dropNames(names, platform.now());
    return "next";
  },
  removeObjects,
  finish,
];

/** Does a limited part of a deletion, and sends a message for the next part. */
export async function continueDeletion(
  platform: Platform,
  hash: string,
  number: number,
): Promise<void> {
  const record = await platform.deletions.take(hash, platform.now());
  if (record?.owner == null) return;
  const step = steps[number] ?? finish;
  const outcome = await step(platform, namesOf(platform, record.owner), record);
  await platform.deletions.release(hash);
  if (outcome === "wait") return;
  const next = outcome === "more" ? number : number + 1;
  if (next < steps.length) await hint(platform.queues.finish(deletionMessage(hash, next)));
}

/** Withdraws runs from everything that shows them. */
async function withdrawRuns(
  platform: Platform,
  names: DeletedAccount,
  { hash }: DeletionRecord,
): Promise<Outcome> {
  const { deletions, settings } = platform;
  for (const { id } of await deletions.activeRuns(
    names.owner,
    Math.ceil(settings.plan.queries / 50),
  )) {
    const run = await platform.runs.get(id);
    if (run !== null) await cancelRun(platform, run);
  }
  const found = await deletions.ownRuns(names.owner, false, WITHDRAWN);
  if (found.length === 0) return "next";
  const ids = found.map(({ id }) => id);
  const tests = await deletions.testsAgainst(names.owner, ids);
  const aliases = Object.fromEntries(ids.map((id) => [id, `run_deleted${aliasOf(platform, id)}`]));
  await forgetResults(platform, tests);
  await rememberRuns(platform, hash, ids);
  const withdrawn = await deletions.withdraw(names, ids, aliases, platform.now());
  // They may have been computed again since, with the former name.
  await forgetResults(platform, tests);
  await refreshBoards(
    platform,
    withdrawn.filter(({ visibility }) => visibility === "public"),
  );
  return "more";
}

/** Deletes stored results of other accounts that mention this account; they are computed and signed again on demand. */
async function forgetResults(platform: Platform, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const runs = await platform.runs.some([...ids]);
  for (const id of ids) await removeNoted(platform, id, { steps: STEPS });
  await platform.objects.remove(runs.map(statementKey));
}

/** Deletes the stored data of withdrawn runs. A run waits while a lane holds it or its answers are being rescored. */
async function removeRuns(platform: Platform, { owner }: DeletedAccount): Promise<Outcome> {
  const most = Math.min(RUNS, Math.floor((platform.settings.plan.queries - 20) / RUN_QUERIES));
  const free = await platform.cleanup.deletedRunsOf(owner, platform.now(), most);
  const budget: Budget = { steps: STEPS };
  for (const run of free) await removeRun(platform, run, budget);
  if (free.length > 0) return "more";
  return (await platform.deletions.ownRuns(owner, true, 1)).length > 0 ? "wait" : "next";
}

/**
 * Runs of other accounts on a public dataset keep its rows and all results; only the dataset's name and owner are
 * removed. On any other dataset they keep their scores without the dataset's name and samples, and the dataset is
 * deleted.
 */
async function leaveDatasets(
  platform: Platform,
  { owner, alias }: DeletedAccount,
): Promise<Outcome> {
  const dataset = await platform.deletions.nextDataset(owner);
  if (dataset === null) return "next";
  const other = `${DELETED_NAMES}${aliasOf(platform, `dataset ${dataset.name}`)}`;
  const most = Math.ceil(platform.settings.plan.queries / 50);
  const foreign = await platform.deletions.foreignRuns(dataset, owner, most);
  const isKept = dataset.visibility === "public";
  if (isKept && foreign.length > 0) {
    await platform.deletions.keepDataset(dataset, other, { owner, alias });
  }
  for (const { id } of foreign) await leaveDataset(platform, id, other, isKept ? null : alias);
  if (foreign.length > 0) return "more";
  await platform.deletions.renameDataset(dataset, other, platform.now());
  await removeDataset(platform, dataset);
  return "more";
}

async function removeDataset({ datasets, publications, now }: Platform, its: OwnedDataset) {
  await datasets.forgetFiles(its.suite, its.name, [its.version]);
  await datasets.remove(its.suite, its.name, [its.version], now());
  await publications.markChanged();
}

async function leaveDataset(
  platform: Platform,
  id: string,
  name: string,
  reader: string | null,
): Promise<void> {
  const run = await platform.runs.get(id);
  if (run === null) return;
  const budget: Budget = { steps: STEPS };
  if (reader !== null) {
    await cancelRun(platform, run);
    await removeAnswers(platform, id, budget);
    await hideParts(platform, run);
  }
  await removeNoted(platform, id, budget);
  await platform.objects.remove([statementKey(run)]);
  await platform.deletions.renameDatasetOf(id, name, reader);
  // It may have been signed again since, with the former name.
  await platform.objects.remove([statementKey(run)]);
}

/** Reports contain some samples. */
async function hideParts({ objects, suites }: Platform, run: RunRecord): Promise<void> {
  const parts = await objects.get<RunParts>(partsKey(run));
  if (parts === null) return;
  await objects.put(partsKey(run), {
    ...parts,
    points: pointsWithoutSamples(parts.points),
    breakdown: breakdownWithoutSamples(suites.byId(run.suite), parts.breakdown),
  });
}

/** Folder of lists of withdrawn runs; at the end of a deletion these runs have no rows. */
const withdrawnFolder = (hash: string): string => `deletions/${hash}/`;

async function rememberRuns({ objects }: Platform, hash: string, ids: readonly string[]) {
  for (let i = 0; i < ids.length; i += RUNS) {
    await objects.put(`${withdrawnFolder(hash)}${ids[i]}`, ids.slice(i, i + RUNS));
  }
}

/**
 * Deletes what is stored by content for the account's runs. Messages that were running during the withdrawal may have
 * written results about runs after their removal.
 */
async function removeObjects(
  platform: Platform,
  { owner }: DeletedAccount,
  { hash, requestedAt }: DeletionRecord,
): Promise<Outcome> {
  const budget: Budget = { steps: STEPS };
  if (!(await removeAll(platform, [accountFolder(owner), ...FORMER], budget))) return "more";
  if (platform.now() < requestedAt + SETTLED_MS) return "next";
  const [list] = await platform.objects.keys(withdrawnFolder(hash));
  if (list === undefined) return "next";
  for (const id of (await platform.objects.get<string[]>(list)) ?? []) {
    const itsBudget: Budget = { steps: STEPS };
    if (!(await removeNoted(platform, id, itsBudget))) return "more";
    if (!(await removeAll(platform, [runFolder(id)], itsBudget))) return "more";
  }
  await platform.objects.remove([list]);
  return "more";
}

/** Forgets the name once nothing is left and nothing can be added. Otherwise the cron job starts again. */
async function finish(
  platform: Platform,
  { owner }: DeletedAccount,
  { hash, requestedAt }: DeletionRecord,
): Promise<Outcome> {
  const isSettled = platform.now() >= requestedAt + SETTLED_MS;
  if (!isSettled || (await platform.deletions.isLeft(owner))) return "wait";
  if ((await platform.objects.keys(withdrawnFolder(hash))).length > 0) return "wait";
  await platform.deletions.finish(hash, platform.now());
  return "wait";
}
