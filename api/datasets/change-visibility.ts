import type {
  DatasetVisibility,
  DatasetVisibilityChange,
} from "#shared/contracts/datasets/dataset.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Account } from "../keys/account.ts";
import type { AuditRecord } from "../operator/schema.ts";
import type { Platform } from "../platform/platform.ts";
import { refreshBoards } from "../runs/service.ts";
import { type DeletionRefusal, type OwnedVersion, ownedVersions, runsAndBar } from "./service.ts";
import type { RunsOnDataset } from "./visibility-store.ts";

/** Versions that the account may change, with the effects of the change. */
interface PlannedChange {
  change: DatasetVisibilityChange;
  owner: string;
  /** Whether the dataset is in public lists, before or after the change. */
  isListed: boolean;
}

/** The effects of a change of visibility, or why it is refused. Stores nothing. */
export async function planDatasetVisibility(
  platform: Platform,
  account: Account,
  { suite, reference }: { suite: string; reference: string },
  to: DatasetVisibility,
): Promise<Result<PlannedChange, DeletionRefusal>> {
  const owned = await ownedVersions(platform, account, suite, reference);
  if (!owned.ok) return owned;
  const name = reference.split("@")[0] ?? "";
  const changing = owned.value.filter(({ visibility }) => visibility !== to);
  const versions = changing.map(({ version }) => version);
  const its = { suite, name, versions };
  const { runs, bar } = await runsAndBar(platform, account, its, `be made ${to}`);
  if (runs.canaries > 0) {
    const detail = `canaries of the service are on "${name}", so it stays as it is`;
    return err({ type: "conflict", detail });
  }
  if (bar !== null && to !== "public") return err(bar);
  const from = [...new Set(owned.value.map(({ visibility }) => visibility))];
  const isWider = changing.some(({ visibility }) => visibility === "private") || to === "public";
  const change = {
    suite,
    name,
    versions,
    from,
    to,
    shows: changing.length > 0 && isWider ? shownBy(changing, to, runs) : [],
    hides: changing.length > 0 ? hiddenBy(changing, to, runs) : [],
  };
  const isListed = to === "public" || from.includes("public") || runs.public > 0;
  return ok({ change, owner: owned.value[0]?.owner ?? account.owner, isListed });
}

/**
 * Changes the visibility of a dataset, or of one version, and of everything that shows its samples: runs that more
 * people could see become as visible as the dataset. Idempotent.
 */
export async function changeDatasetVisibility(
  platform: Platform,
  { change: { suite, name, versions, to }, isListed }: PlannedChange,
  entry: AuditRecord,
): Promise<void> {
  if (versions.length === 0) return;
  const its = { suite, name, versions, isListed };
  const changed = await platform.datasets.changeVisibility(its, to, platform.now(), entry);
  if (isListed) await refreshBoards(platform, changed);
}

/** What others will see that they could not see before. */
function shownBy(
  versions: readonly OwnedVersion[],
  to: DatasetVisibility,
  { total, private: unseen }: RunsOnDataset,
): string[] {
  const who = to === "public" ? "everybody" : "all who have the whole version";
  const samples = versions.reduce((sum, one) => sum + one.samples, 0);
  const seen = total - unseen;
  return [
    `${who}: all ${samples} samples with their expected answers, to read and to download, of versions: ${versions.length}`,
    ...(to === "public" ? ["lists, snapshot, feed and a page of its own"] : []),
    ...(seen > 0 ? [`samples and answers of the runs on it that others can read: ${seen}`] : []),
  ];
}

function hiddenBy(
  versions: readonly OwnedVersion[],
  to: DatasetVisibility,
  runs: RunsOnDataset,
): string[] {
  if (to === "public") return [];
  const isOut = versions.some(({ visibility }) => visibility === "public") || runs.public > 0;
  const narrowed = to === "private" ? runs.total - runs.private : runs.public;
  const others = to === "private" ? runs.foreign : runs.foreignPublic;
  const losing = to === "private" ? ", which keep their figures and lose the samples" : "";
  const foreign = others > 0 ? ` Of these, ${others} belong to other accounts${losing}` : "";
  return [
    ...(isOut
      ? ["lists, boards, snapshot and exports, at once; pages of the site, with their next build"]
      : []),
    ...(to === "private" ? ["its address, for all but its account"] : []),
    ...(narrowed > 0
      ? [`boards and lists with the runs on it, which become ${to}: ${narrowed}.${foreign}`]
      : []),
  ];
}
