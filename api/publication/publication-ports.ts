import type { SnapshotKind } from "#shared/contracts/snapshot.ts";
import type { publications, snapshotChanges, snapshotItems } from "./schema.ts";

/** The id of a dataset's version among items, whose ids are the things' own but for this. */
export const datasetItem = ({
  suite,
  name,
  version,
}: Record<"suite" | "name" | "version", string>): string => JSON.stringify([suite, name, version]);

/** A run, board, dataset or sweep that has changed, and how often. */
type SnapshotChange = typeof snapshotChanges.$inferSelect;

/** The same as it is listed. */
export type SnapshotItem = typeof snapshotItems.$inferSelect;

/** What is written at once when a snapshot is published. */
interface SnapshotCommit {
  /** Changes that are published, as they were read: one that changed since is published next. */
  changes: readonly SnapshotChange[];
  /** Items as they are listed from now on, and those that are not listed any more. */
  listed: readonly SnapshotItem[];
  unlisted: readonly Pick<SnapshotItem, "kind" | "page" | "id">[];
  /** Keys of objects that the snapshot names from now on, and of those that it names no more, to be deleted at `deleteAt`. */
  named: readonly string[];
  retired: readonly string[];
  deleteAt: number;
  /** Folders of what was withdrawn: what is retired there is deleted at once. */
  withdrawn: readonly string[];
  /** Null: the root stays as it is. */
  root: { hash: string; text: string } | null;
  /** Changes of results that are published with it. */
  published: number;
}

/** How far publication is, and what is published. */
export interface PublicationStore {
  markChanged(): Promise<void>;
  state(): Promise<Omit<typeof publications.$inferSelect, "target">>;
  /** Counts everything as changed, to be published in a format; where what is published `isLost`, it is forgotten. */
  countAll(format: string, isLost: boolean): Promise<void>;
  markHookCalled(changes: number, at: number): Promise<void>;
  /** What changed since it was published, the oldest runs first. */
  changed(limit: number): Promise<SnapshotChange[]>;
  /** Every page that lists something. */
  listedPages(): Promise<Pick<SnapshotItem, "kind" | "page">[]>;
  /** All items of a page, by id. */
  pageItems(kind: SnapshotKind, page: number): Promise<SnapshotItem[]>;
  /** All or nothing, by `writer`; false where another has written since `former`, or an object it names is being deleted. */
  commit(
    saved: SnapshotCommit,
    writer: string,
    state: { former: string | null; now: number },
  ): Promise<boolean>;
  /** Keys of objects whose time has come. */
  retired(now: number, limit: number): Promise<string[]>;
  /** Takes note that objects are deleted: who is publishing begins again, since it may have counted on them. */
  forgetRetired(keys: readonly string[], writer: string): Promise<void>;
}
