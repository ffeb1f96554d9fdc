import { rowText } from "#shared/contracts/content-hash.ts";
import type { Dataset, DeletedDataset } from "#shared/contracts/datasets/dataset.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { nameSkeleton } from "#shared/contracts/text/slug.ts";
import { isDeletedName } from "../accounts/deleted-names.ts";
import type { Account } from "../keys/account.ts";
import { allowanceOf } from "../keys/allowance.ts";
import { logLine } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";
import type { DatasetStore } from "./store.ts";
import type { NamedVersions, RunsOnDataset } from "./visibility-store.ts";

/** Hex digits of a full version: whoever knows them may learn that an unlisted version exists. */
const VERSION_LENGTH = 64;

export interface DeletionRefusal {
  type: "not-found" | "forbidden" | "conflict";
  detail: string;
}

/** The same message whether the dataset is missing or hidden from the caller. */
export const noSuchDataset = (suite: string, reference: string): string =>
  `there is no dataset "${reference}" of the suite "${suite}"`;

/** A version of a dataset that an account may change. */
export type OwnedVersion = Awaited<ReturnType<DatasetStore["versions"]>>[number];

/**
 * The version that a reference names, or all versions of a name, if the account may change them. A correction and the
 * version that it corrects are only changed together.
 */
export async function ownedVersions(
  platform: Platform,
  account: Account,
  suite: string,
  reference: string,
): Promise<Result<OwnedVersion[], DeletionRefusal>> {
  const [name = "", wanted = ""] = reference.split("@");
  const isAdmin = account.scopes.includes("admin");
  const all = await platform.datasets.versions(suite, name);
  const named = all.filter(({ version }) => version.startsWith(wanted));
  const own = named.filter(({ owner }) => isAdmin || owner === account.owner);
  if (own.length === 0) {
    if (!(await isKnown(platform, suite, name, { named, wanted })))
      return err({ type: "not-found", detail: noSuchDataset(suite, reference) });
    const detail = `"${name}" belongs to another account: only its owner or an admin can change it`;
    return err({ type: "forbidden", detail });
  }
  if (wanted !== "" && own.length > 1) {
    const found = own.map(({ version }) => version.slice(0, 12)).join(", ");
    const detail = `"${wanted}" matches ${own.length} versions of "${name}" (${found}): give more digits`;
    return err({ type: "conflict", detail });
  }
  const versions = own.map(({ version }) => version);
  const left = all.filter(({ version }) => !versions.includes(version));
  const isTied = left.some(
    ({ version, corrects }) =>
      versions.includes(corrects ?? "") || own.some((one) => one.corrects === version),
  );
  if (!isTied) return ok(own);
  const detail = `a version of "${name}" corrects another, and their boards need both: name the dataset with all of its versions`;
  return err({ type: "conflict", detail });
}

/**
 * Runs on versions of a dataset, and why the account may not withdraw it from other accounts' runs on boards (`what`:
 * the action); null if it may. Their results would disappear, so that an owner could remove a competitor's. Registries
 * of packages (npm) and of experiments (OpenML) have the same rule. A run that ends between the check and the change is
 * not protected.
 */
export async function runsAndBar(
  platform: Platform,
  { owner, scopes }: Account,
  its: NamedVersions,
  what: string,
): Promise<{ runs: RunsOnDataset; bar: DeletionRefusal | null }> {
  const { owners } = await allowanceOf(platform, owner);
  const runs = await platform.datasets.runsOn(its, owners);
  const { used, users } = runs;
  if (used === 0 || scopes.includes("admin")) return { runs, bar: null };
  const detail = `"${its.name}" can't ${what}: ${counted(used, "run")} of ${counted(users, "other account")} on it would leave their boards. Ask the operator to do it, or leave these versions as they are and upload new ones under another name`;
  return { runs, bar: { type: "conflict", detail } };
}

/**
 * Removes a version of a dataset, or all versions of a name, from lists and submissions. Its runs keep the samples that
 * they show. The rows are deleted once no dataset or run uses them.
 */
export async function deleteDataset(
  platform: Platform,
  account: Account,
  suite: string,
  reference: string,
): Promise<Result<DeletedDataset, DeletionRefusal>> {
  const owned = await ownedVersions(platform, account, suite, reference);
  if (!owned.ok) return owned;
  const [name = ""] = reference.split("@");
  const versions = owned.value.map(({ version }) => version);
  const { bar } = await runsAndBar(platform, account, { suite, name, versions }, "be deleted");
  if (bar !== null) return err(bar);
  await platform.datasets.remove(suite, name, versions, platform.now());
  await platform.datasets.forgetFiles(suite, name, versions);
  await platform.publications.markChanged();
  const owners = [...new Set(owned.value.map(({ owner }) => owner))].join(" ");
  const { owner: by, keyId } = account;
  logLine("dataset-deleted", { by, keyId, owners, suite, name, versions: versions.join(" ") });
  return ok({ suite, name, versions });
}

/** Whether a version exists without everybody being allowed to know. */
export const isUnseen = async (
  { datasets }: Pick<Platform, "datasets">,
  its: Pick<Dataset, "suite" | "name" | "version">,
): Promise<boolean> =>
  (await datasets.find(its.suite, its.name, its.version)) !== null &&
  !(await datasets.isShown(its));

/** Whether everybody may know that one of the versions exists. */
async function isKnown(
  { datasets }: Platform,
  suite: string,
  name: string,
  { named, wanted }: { named: Awaited<ReturnType<DatasetStore["versions"]>>; wanted: string },
): Promise<boolean> {
  for (const { version, visibility } of named) {
    if (visibility === "public") return true;
    if (visibility === "unlisted" && wanted.length === VERSION_LENGTH) return true;
    if (visibility === "private" && (await datasets.isShown({ suite, name, version }))) return true;
  }
  return false;
}

/** Names of the service's own accounts and datasets; similar names are refused, too. */
const reservedNames: readonly string[] = ["assay", "stock"];

/** The owner that a name implies: `owner/name` belongs to that owner; null for names without an owner. */
export function ownerOfName(name: string): string | null {
  const [owner, ...rest] = name.split("/");
  return rest.length > 0 && owner !== undefined ? owner : null;
}

interface NamedBy {
  name: string;
  owner: string;
  anyOwner: boolean;
}

/**
 * Why an account can't create a dataset of this name; null if it can. As with model slugs, `owner/name` is for the
 * owner's account, and names without an owner are for admins. The refusal does not reveal whether the name is taken.
 */
export async function nameRefusal(
  platform: Pick<Platform, "accounts">,
  { name, owner, anyOwner }: NamedBy,
  isNew: boolean,
): Promise<string | null> {
  const prefix = ownerOfName(name);
  if (anyOwner) return isNew ? await lookAlikeRefusal(platform, name, prefix) : null;
  if (prefix === null) {
    return `"${name}" has no owner, and only admins can create such names: use "${owner}/${name}"`;
  }
  if (prefix === owner) return null;
  return `names that begin with "${prefix}/" belong to another account: yours begin with "${owner}/"`;
}

/** Refuses names that readers would confuse with an account or with the service. */
async function lookAlikeRefusal(
  platform: Pick<Platform, "accounts">,
  name: string,
  prefix: string | null,
): Promise<string | null> {
  const first = prefix ?? name;
  const alike = await lookAlike(platform, first, prefix === null ? reservedNames : []);
  if (alike === null) return null;
  return `"${first}" looks like "${alike}" and could be mistaken for it: choose another name`;
}

/** Why no account may have this name; null if one may. Account names are prefixes of model and dataset names. */
export async function ownerRefusal(
  platform: Pick<Platform, "accounts" | "sealer" | "deletions">,
  owner: string,
): Promise<string | null> {
  if (reservedNames.includes(owner))
    return `"${owner}" is reserved for the service: choose another owner`;
  if (await isDeletedName(platform, owner))
    return `"${owner}" was the name of an account that was deleted: choose another owner`;
  const alike = await lookAlike(platform, owner, reservedNames);
  if (alike === null) return null;
  return `"${owner}" looks like "${alike}" and could be mistaken for it: choose another owner`;
}

/** The account, or the one of `reserved`, that `name` resembles without being equal; null if none. */
async function lookAlike(
  platform: Pick<Platform, "accounts">,
  name: string,
  reserved: readonly string[],
): Promise<string | null> {
  const skeleton = nameSkeleton(name);
  const account = await platform.accounts.bySkeleton(skeleton);
  if (reserved.includes(name) || account === name) return null;
  return reserved.find((other) => nameSkeleton(other) === skeleton) ?? account;
}

/** Rows per read: one stored chunk. */
const PAGE_ROWS = 100;

/** A dataset's rows as JSON lines, page by page, so that memory never holds all of it. */
export function datasetJsonl(
  datasets: Pick<DatasetStore, "row">,
  { suite, version, samples }: Pick<Dataset, "suite" | "version" | "samples">,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let position = 0;
  return new ReadableStream({
    async pull(controller) {
      const lines: string[] = [];
      for (const end = Math.min(position + PAGE_ROWS, samples); position < end; position++) {
        lines.push(`${rowText(await datasets.row(suite, version, position))}\n`);
      }
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join("")));
      if (position >= samples) controller.close();
    },
  });
}
