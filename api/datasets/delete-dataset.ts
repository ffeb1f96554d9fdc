import type { DeletedDataset } from "#shared/contracts/dataset.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Ports } from "../platform/ports.ts";
import type { Account } from "../security/account.ts";

/** Hex digits of a whole version: who knows them may know that an unlisted one exists. */
const VERSION_LENGTH = 64;

/** Why nothing was deleted. */
export interface DeletionRefusal {
  type: "not-found" | "forbidden" | "conflict";
  detail: string;
}

/** As it answers whoever may not know of a dataset, be it there or not. */
export const noSuchDataset = (suite: string, reference: string): string =>
  `there is no dataset "${reference}" of the suite "${suite}"`;

/**
 * Takes a version of a dataset, or with `reference` a name all of its versions, from lists and from what can be submitted
 * to. Runs on it stay as they are, with the samples that they show; the rows are removed with the last dataset and
 * the last run that have them.
 */
export async function deleteDataset(
  ports: Ports,
  account: Account,
  suite: string,
  reference: string,
): Promise<Result<DeletedDataset, DeletionRefusal>> {
  const [name = "", wanted = ""] = reference.split("@");
  const isAdmin = account.scopes.includes("admin");
  const all = await ports.datasets.versions(suite, name);
  const named = all.filter(({ version }) => version.startsWith(wanted));
  const own = named.filter(({ owner }) => isAdmin || owner === account.owner);
  if (own.length === 0) {
    const isKnown = named.some(
      ({ visibility }) => visibility !== "unlisted" || wanted.length === VERSION_LENGTH,
    );
    if (!isKnown) return err({ type: "not-found", detail: noSuchDataset(suite, reference) });
    const detail = `"${name}" belongs to another account: its owner or an admin deletes it`;
    return err({ type: "forbidden", detail });
  }
  if (wanted !== "" && own.length > 1) {
    const found = own.map(({ version }) => version.slice(0, 12)).join(", ");
    const detail = `"${wanted}" begins ${own.length} versions of "${name}" (${found}): give more digits`;
    return err({ type: "conflict", detail });
  }
  const versions = own.map(({ version }) => version);
  const left = all.filter(({ version }) => !versions.includes(version));
  const isTied = left.some(
    ({ version, corrects }) =>
      versions.includes(corrects ?? "") || own.some((one) => one.corrects === version),
  );
  if (isTied) {
    const detail = `a version of "${name}" corrects another, and readers of their boards need both: delete the name with all of its versions`;
    return err({ type: "conflict", detail });
  }
  await ports.datasets.remove(suite, name, versions, ports.now());
  await ports.publications.markChanged();
  const { owner: by, keyId } = account;
  const owners = [...new Set(own.map(({ owner }) => owner))];
  console.log(
    JSON.stringify({ event: "dataset-deleted", by, keyId, owners, suite, name, versions }),
  );
  return ok({ suite, name, versions });
}
