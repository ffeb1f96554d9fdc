import type { Dataset } from "#shared/contracts/dataset.ts";
import { nameSkeleton } from "#shared/contracts/slug.ts";
import type { Ports } from "../platform/ports.ts";

/** Accounts and datasets of the service itself: nothing else may be called so, or nearly so. */
const reservedNames: readonly string[] = ["assay", "stock"];

/** Whose a name is by itself: `owner/name` is the owner's alone; null for names without an owner. */
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
 * Why an account can't make a dataset of a name; null where it can. Names are as slugs of models: `owner/name` is made
 * by the owner's account, and names without an owner by admins. It tells nobody else whether the name is taken.
 * `newest`: of another owner, as names of any account may be that were made by earlier versions.
 */
export async function nameRefusal(
  ports: Pick<Ports, "apiKeys">,
  { name, owner, anyOwner }: NamedBy,
  newest: Pick<Dataset, "version"> | null,
): Promise<string | null> {
  const prefix = ownerOfName(name);
  if (anyOwner) return newest === null ? await lookAlikeRefusal(ports, name, prefix) : null;
  if (prefix === null) {
    return `"${name}" has no owner, and only admins make such names: take "${owner}/${name}"`;
  }
  if (prefix !== owner) {
    return `names that begin with "${prefix}/" belong to another account: yours begin with "${owner}/"`;
  }
  if (newest === null) return null;
  return `"${name}" was made by another account before such names were yours alone: ask the operator to delete it, or take another name`;
}

/** Names that readers would take for an account's or the service's. */
async function lookAlikeRefusal(
  ports: Pick<Ports, "apiKeys">,
  name: string,
  prefix: string | null,
): Promise<string | null> {
  const taken = [...reservedNames, ...(await ports.apiKeys.owners())];
  const first = prefix ?? name;
  const alike = lookAlike(first, prefix === null ? taken : await ports.apiKeys.owners());
  if (alike === null) return null;
  return `"${first}" reads like "${alike}", for which it would be taken: choose another name`;
}

/** Why no account may be called so; null where one may. Names of accounts stand before those of models and datasets. */
export async function ownerRefusal(
  ports: Pick<Ports, "apiKeys">,
  owner: string,
): Promise<string | null> {
  if (reservedNames.includes(owner)) return `"${owner}" is the service's own: choose another owner`;
  const alike = lookAlike(owner, [...reservedNames, ...(await ports.apiKeys.owners())]);
  if (alike === null) return null;
  return `"${owner}" reads like "${alike}", for which it would be taken: choose another owner`;
}

/** The one of some names that another could be taken for, without being it; null: none. */
function lookAlike(name: string, taken: readonly string[]): string | null {
  const skeleton = nameSkeleton(name);
  if (taken.includes(name)) return null;
  return taken.find((other) => nameSkeleton(other) === skeleton) ?? null;
}
