import type { Dataset, ListedDataset } from "#shared/contracts/dataset.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { SampleHead } from "#shared/contracts/suite.ts";

/** A dataset's samples in order, without their bodies. */
export interface DatasetIndex {
  heads: (SampleHead & { tags: Record<string, string> })[];
}

/** Where the objects of a version are, whatever names and owners it has. */
export const datasetFolder = (suite: string, version: string): string =>
  `datasets/${suite}/${version}`;

/** Who looks for something; `anyOwner`: as if it were everybody's. */
export interface Reader {
  owner: string;
  anyOwner: boolean;
}

/** A version as it is stored; `bytes`: of its rows as they are stored. */
export type DatasetRecord = Dataset & { owner: string; bytes: number };

/** What an owner has of datasets. */
export interface OwnedDatasets {
  names: number;
  versions: number;
  bytes: number;
}

/** The most of each that an owner may have; null: no limit. */
export type DatasetLimits = { [what in keyof OwnedDatasets]: number | null };

/** Which versions to list: those that are not unlisted, or all of one owner. */
export interface DatasetQuery {
  suite: string | null;
  name: string | null;
  /** The first digits of their versions. */
  version: string | null;
  ownedBy: string | null;
  /** Place of the last one of the page before. */
  after: readonly [suite: string, name: string, createdAt: number, version: string] | null;
  limit: number;
}

export interface DatasetStore {
  /**
   * Stores rows in chunks; the same version twice is a no-op. `busy` while objects of the version, which
   * nobody had any more, are being removed.
   */
  put(
    dataset: DatasetRecord,
    index: DatasetIndex,
    rows: Iterable<Json>,
    limits: DatasetLimits | null,
    now: number,
  ): Promise<"stored" | "over-limit" | "busy">;
  /**
   * Newest version of the name, or the one whose version starts with `version`; with a reader, of
   * those that it may use. Names can be guessed, so an unlisted version is there for its owner,
   * admins, and whoever knows all of its version; a private one for its owner and admins alone.
   */
  find(
    suite: string,
    name: string,
    version: string | null,
    reader?: Reader,
  ): Promise<(Dataset & { owner: string }) | null>;
  /** Those that are public or private, with their notes. */
  list(suite: string | null): Promise<Dataset[]>;
  /** By suite and name, of each name the newest version first. */
  page(query: DatasetQuery): Promise<ListedDataset[]>;
  /** All versions of a name, newest first. */
  versions(
    suite: string,
    name: string,
  ): Promise<
    { version: string; owner: string; visibility: Dataset["visibility"]; corrects: string | null }[]
  >;
  /** The version that corrects this one, that which corrects it, and so on to the newest; empty: it stands. */
  correctionsOf(suite: string, name: string, version: string): Promise<Dataset[]>;
  owned(owner: string): Promise<OwnedDatasets>;
  /** Takes versions from a name; their objects stay until no dataset and no run has them. */
  remove(suite: string, name: string, versions: readonly string[], now: number): Promise<void>;
  /** Versions whose objects nothing refers to any more; nobody stores them again until they are forgotten. */
  claimLeftovers(now: number, limit: number): Promise<{ suite: string; version: string }[]>;
  /** Once its objects are gone, with the boards that it had. */
  forgetLeftover(suite: string, version: string): Promise<void>;
  index(suite: string, version: string): Promise<DatasetIndex>;
  /** The row at a position, checked on upload. */
  row(suite: string, version: string, position: number): Promise<Json>;
}
