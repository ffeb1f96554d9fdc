import type { RemovedRuns } from "#shared/contracts/boards/parity.ts";
import { mayRead, type Reader, readerOf } from "../keys/account.ts";
import { isReadableBy } from "../runs/access.ts";
import type { RunRecord } from "../runs/schema.ts";
import type { ParityRecord, ParityRunRecord, Seen } from "./schema.ts";

/** A shown run of a parity, with its number among all runs that its account ever added for the host. */
export interface NamedRun {
  run: RunRecord;
  named: ParityRunRecord;
  attempt: number;
  attempts: number;
  isLatest: boolean;
}

/** Whether everybody may see a run in lists. */
export const isPublicRun = (run: Seen): boolean =>
  run.visibility === "public" && isReadableBy(run, readerOf(null));

/**
 * A public parity shows public runs. A parity with a private reference is private to its owner's account, and also
 * shows the account's own runs.
 */
export const isShownIn = (parity: Pick<ParityRecord, "owner">, isPublic: boolean) => (run: Seen) =>
  isPublicRun(run) ||
  (!isPublic && isReadableBy(run, { owner: parity.owner, anyOwner: false }) && !run.hiddenReason);

/** Whether the reader may see a parity with this reference, by its account or by a link. */
export function isParityReadable(
  parity: Pick<ParityRecord, "name" | "owner" | "createdAt">,
  reference: Seen | null,
  reader: Reader,
): boolean {
  if (reference === null) return false;
  if (isPublicRun(reference)) return true;
  if (!isShownIn(parity, false)(reference)) return false;
  const { owner, thing, madeAt } = reader.opened ?? { thing: null, madeAt: 0 };
  const isNamed = thing !== null && "parity" in thing && thing.parity === parity.name;
  // The link must not open an earlier parity of the same name.
  const isLinked = isNamed && owner === parity.owner && madeAt >= parity.createdAt;
  return isLinked || mayRead(reader, parity.owner);
}

/**
 * The contents of a parity: its reference, its hosts in the order in which they were added, and the number of removed
 * runs. Null if the reference was withdrawn. `read`: the runs that exist.
 */
export function parityRows(
  { referenceId, owner }: Pick<ParityRecord, "referenceId" | "owner">,
  added: readonly ParityRunRecord[],
  read: readonly RunRecord[],
): { reference: NamedRun; hosts: NamedRun[]; removed: RemovedRuns[] } | null {
  const byId = new Map(read.map((run) => [run.id, run]));
  const base = byId.get(referenceId);
  const mayShow = isShownIn({ owner }, base !== undefined && isPublicRun(base));
  const isShown = ({ runId, removedBy }: ParityRunRecord) => {
    const run = byId.get(runId);
    return removedBy === null && run !== undefined && mayShow(run);
  };
  const others = added.filter(({ runId }) => runId !== referenceId);
  const named = added.find(({ runId }) => runId === referenceId);
  if (named === undefined || !isShown(named)) return null;
  const groups = Map.groupBy(others, ({ addedBy, label }) => `${addedBy} ${label}`);
  const rows = [...groups.values()].flatMap((its) => {
    const shown = its.filter(isShown);
    const isFinished = ({ runId }: ParityRunRecord) => byId.get(runId)!.status === "finished";
    const latest = shown.findLast(isFinished) ?? shown.at(-1);
    return shown.map((one) => ({
      run: byId.get(one.runId)!,
      named: one,
      attempt: its.indexOf(one) + 1,
      attempts: its.length,
      isLatest: one === latest,
    }));
  });
  return {
    reference: { run: byId.get(referenceId)!, named, attempt: 1, attempts: 1, isLatest: true },
    hosts: rows.sort((a, b) => others.indexOf(a.named) - others.indexOf(b.named)),
    removed: removedRuns(
      others.filter((one) => !isShown(one)),
      byId,
    ),
  };
}

/**
 * The label of a run that somebody else removed is hidden, because it may be the reason; so is the label of a private
 * run.
 */
function removedRuns(
  gone: readonly ParityRunRecord[],
  byId: ReadonlyMap<string, RunRecord>,
): RemovedRuns[] {
  const entries = gone.map(({ runId, addedBy, label, removedBy }) => {
    const run = byId.get(runId);
    const isHidden = (run?.hiddenReason ?? null) !== null || run?.visibility === "private";
    const isOwn = removedBy === null ? !isHidden : removedBy === addedBy;
    return { addedBy, label: isOwn ? label : null, removedBy };
  });
  const alike = Map.groupBy(entries, (one) => JSON.stringify(one));
  return [...alike.values()].map((its) => ({ ...its[0]!, runs: its.length }));
}
