import { and, asc, desc, eq, gt, inArray, isNotNull, lt, or, type SQL, sql } from "drizzle-orm";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import type { Dataset, ListedDataset } from "#shared/contracts/datasets/dataset.ts";
import { ownersOf, type Reader } from "../keys/account.ts";
import { isOneOf, prepared, versionPrefix } from "../platform/sql.ts";
import { countItems, datasetItem } from "../publication/store.ts";
import { LEFT_MS } from "./leftover-store.ts";
import { datasets } from "./schema.ts";

/** A stored version; `bytes`: size of its rows as stored. */
export type DatasetRecord = Dataset & { owner: string; bytes: number };

/** How many datasets an owner has. */
export interface OwnedDatasets {
  names: number;
  versions: number;
  bytes: number;
}

/** Maximum of each for some owners; null: no limit. */
export type DatasetLimits = { [what in keyof OwnedDatasets]: number | null } & {
  /** Owners whose datasets are counted together. */
  owners: string[];
};

/** Which versions to list: all that are in public lists, or all of one owner. */
export interface DatasetQuery {
  suite: string | null;
  name: string | null;
  /** Prefix of the versions. */
  version: string | null;
  ownedBy: string | null;
  /** With an owner: also versions of all other owners. */
  anyOwner?: boolean;
  /** Position of the previous page's last entry. */
  after: readonly [suite: string, name: string, createdAt: number, version: string] | null;
  limit: number;
}

/** Hex digits of a full version, a SHA-256: whoever knows it has the content or got it from somebody who has. */
const VERSION_LENGTH = 64;

export function datasetReads(d1: D1Database) {
  const db = drizzle(d1);
  return {
    ...datasetLists(db),

    /**
     * Newest version of the name, or the one that starts with `version`; with a reader, only versions it may use. Names
     * can be guessed, so an unlisted version is visible only to its owner, to admins, and to callers that give its full
     * version; a private one, and any of a banned account, only to its owner and admins.
     */
    async find(
      suite: string,
      name: string,
      version: string | null,
      reader?: Reader,
    ): Promise<(Dataset & { owner: string }) | null> {
      const rows = await db
        .select()
        .from(datasets)
        .where(
          and(
            eq(datasets.suite, suite),
            eq(datasets.name, name),
            versionPrefix(datasets.version, version),
            isUsable(version, reader),
          ),
        )
        .orderBy(desc(datasets.createdAt))
        .limit(1);
      return rows[0] ? toDataset(rows[0]) : null;
    },

    /** The versions that correct this one, directly or through others; empty if there are none. */
    async correctionsOf(suite: string, name: string, version: string): Promise<Dataset[]> {
      const named = and(eq(datasets.suite, suite), eq(datasets.name, name));
      const all = await db
        .select()
        .from(datasets)
        .where(and(named, isNotNull(datasets.corrects)));
      const found: Dataset[] = [];
      for (;;) {
        const last = found.at(-1)?.version ?? version;
        const next = all.find(({ corrects }) => corrects?.version === last);
        if (next === undefined) return found;
        found.push(toDataset(next));
      }
    },

    /** Whether everybody may know that a version exists: it is public, or private with a public run on it. */
    async isShown({ suite, name, version }: Pick<Dataset, "suite" | "name" | "version">) {
      const named = and(
        eq(datasets.suite, suite),
        eq(datasets.name, name),
        eq(datasets.version, version),
      );
      return (await db.$count(datasets, and(named, isListed))) > 0;
    },

    countVersions: (suite: string, name: string): Promise<number> =>
      db.$count(datasets, and(eq(datasets.suite, suite), eq(datasets.name, name))),

    async owned(owners: readonly string[]): Promise<OwnedDatasets> {
      const [row] = await db
        .select({
          names: sql<number>`count(DISTINCT ${datasets.suite} || '/' || ${datasets.name})`,
          versions: sql<number>`count(*)`,
          bytes: sql<number>`coalesce(sum(${datasets.bytes}), 0)`,
        })
        .from(datasets)
        .where(isOneOf(datasets.owner, owners));
      return row ?? { names: 0, versions: 0, bytes: 0 };
    },
  };
}

const ofNoBanned = sql`NOT EXISTS (SELECT 1 FROM bans b WHERE b.owner = ${datasets.owner})`;

/** SQL: in public lists are public versions, and private ones with public runs. */
export const isListed = sql`${ofNoBanned} AND (${datasets.visibility} = 'public' OR ${datasets.visibility} = 'private' AND EXISTS (
  SELECT 1 FROM runs r WHERE r.suite = ${datasets.suite} AND r.dataset_version = ${datasets.version}
    AND r.dataset_name = ${datasets.name} AND r.visibility = 'public'
    AND r.hidden_reason IS NULL AND r.deleted_at IS NULL))`;

const datasetLists = (db: DrizzleD1Database) => ({
  /** Listed versions, with their notes. */
  async list(suite: string | null): Promise<Dataset[]> {
    const rows = await db
      .select()
      .from(datasets)
      .where(and(isListed, suite === null ? undefined : eq(datasets.suite, suite)))
      .orderBy(datasets.suite, datasets.name, desc(datasets.createdAt));
    return rows.map(toDataset);
  },

  /** By suite and name; newest version of each name first. */
  async page(query: DatasetQuery): Promise<ListedDataset[]> {
    const rows = await db
      .select(listed)
      .from(datasets)
      .where(and(...listedBy(query), after(query.after)))
      .orderBy(
        asc(datasets.suite),
        asc(datasets.name),
        desc(datasets.createdAt),
        asc(datasets.version),
      )
      .limit(query.limit);
    return rows
      .map(({ createdAt, ...rest }) => ({
        ...withoutNulls(rest),
        createdAt: new Date(createdAt).toISOString(),
      }))
      .map((one) => (query.ownedBy === null ? withoutIds(one) : one));
  },

  versions: (
    suite: string,
    name: string,
  ): Promise<
    {
      version: string;
      samples: number;
      owner: string;
      visibility: Dataset["visibility"];
      corrects: string | null;
    }[]
  > =>
    db
      .select({
        version: datasets.version,
        samples: datasets.samples,
        owner: datasets.owner,
        visibility: datasets.visibility,
        corrects: sql<string | null>`${datasets.corrects} ->> 'version'`,
      })
      .from(datasets)
      .where(and(eq(datasets.suite, suite), eq(datasets.name, name)))
      .orderBy(desc(datasets.createdAt)),
});

/** A version as others see it: without samples and sample ids if it is private. */
export const withoutIds = <T extends Pick<Dataset, "visibility" | "corrects">>(its: T): T =>
  its.visibility === "private" && its.corrects
    ? { ...its, corrects: { ...its.corrects, ids: [] } }
    : its;

/** The columns of a list. SQL counts the notes on rows. */
const listed = {
  suite: datasets.suite,
  name: datasets.name,
  version: datasets.version,
  samples: datasets.samples,
  malformedCount: sql<number>`json_array_length(${datasets.malformed})`,
  warningCount: sql<number>`json_array_length(${datasets.warnings})`,
  visibility: datasets.visibility,
  license: datasets.license,
  source: datasets.source,
  corrects: datasets.corrects,
  likelyClusters: datasets.likelyClusters,
  stream: datasets.stream,
  createdAt: datasets.createdAt,
};

const listedBy = ({
  suite,
  name,
  version,
  ownedBy,
  anyOwner,
}: DatasetQuery): (SQL | undefined)[] => [
  suite === null ? undefined : eq(datasets.suite, suite),
  name === null ? undefined : eq(datasets.name, name),
  versionPrefix(datasets.version, version),
  ownedBy === null ? isListed : anyOwner ? undefined : eq(datasets.owner, ownedBy),
];

/** Condition for entries after a position of the list. */
function after(place: DatasetQuery["after"]): SQL | undefined {
  if (place === null) return undefined;
  const [suite, name, createdAt, version] = place;
  const sameName = and(eq(datasets.suite, suite), eq(datasets.name, name));
  return or(
    gt(datasets.suite, suite),
    and(eq(datasets.suite, suite), gt(datasets.name, name)),
    and(sameName, lt(datasets.createdAt, createdAt)),
    and(sameName, eq(datasets.createdAt, createdAt), gt(datasets.version, version)),
  );
}

function isUsable(version: string | null, reader: Reader | undefined): SQL | undefined {
  if (reader === undefined || reader.anyOwner) return undefined;
  const named =
    version?.length === VERSION_LENGTH ? eq(datasets.visibility, "unlisted") : undefined;
  const open = and(ofNoBanned, or(eq(datasets.visibility, "public"), named));
  return or(open, inArray(datasets.owner, ownersOf(reader)));
}

function toDataset(row: typeof datasets.$inferSelect): Dataset & { owner: string } {
  const { createdAt, bytes: _, ...rest } = row;
  return { ...withoutNulls(rest), createdAt: new Date(createdAt).toISOString() };
}

/** Columns without a value are fields that are missing. */
type WithoutNulls<T> = {
  [K in keyof T as null extends T[K] ? never : K]: T[K];
} & { [K in keyof T as null extends T[K] ? K : never]?: NonNullable<T[K]> };

const withoutNulls = <T extends object>(row: T): WithoutNulls<T> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as WithoutNulls<T>;

const COUNT = "(SELECT count(*) FROM datasets WHERE suite = ?1 AND name = ?2)";

const COUNTED = "owner IN (SELECT value FROM json_each(?21))";

/**
 * The insert itself checks limits, and the number of versions that a draw was based on. So concurrent uploads can't
 * exceed the limits together, and one of two concurrent draws fails.
 */
const INSERT = `
  INSERT INTO datasets (suite, name, version, owner, samples, malformed, warnings, visibility, license,
    source, corrects, created_at, bytes, likely_clusters, mapping, stream)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?17, ?18, ?19
  WHERE (?14 IS NULL OR EXISTS (SELECT 1 FROM datasets WHERE suite = ?1 AND name = ?2) OR
      (SELECT count(*) FROM (SELECT DISTINCT suite, name FROM datasets WHERE ${COUNTED})) < ?14)
    AND (?15 IS NULL OR (SELECT count(*) FROM datasets WHERE ${COUNTED}) < ?15)
    AND (?16 IS NULL OR (SELECT coalesce(sum(bytes), 0) FROM datasets WHERE ${COUNTED}) + ?13 <= ?16)
    AND (?20 IS NULL OR ${COUNT} = ?20)
  ON CONFLICT DO NOTHING`;

const ANSWER_CLUSTERS = `
  UPDATE datasets SET likely_clusters = NULL WHERE suite = ?1 AND name = ?2 AND version = ?3`;
/** Adds the dataset's question about clusters to its boards. */
const ASK_ON_BOARDS = `
  UPDATE boards SET likely_clusters = (SELECT likely_clusters FROM datasets
    WHERE suite = ?1 AND name = ?2 AND version = ?3)
  WHERE suite = ?1 AND dataset_name = ?2 AND dataset_version = ?3`;

const SETTLE = `
  DELETE FROM dataset_leftovers WHERE suite = ?1 AND version = ?2 AND claimed_at IS NULL AND due_at = ?3
    AND EXISTS (SELECT 1 FROM datasets WHERE suite = ?1 AND version = ?2)`;

const REMOVE = `
  DELETE FROM datasets WHERE suite = ?1 AND name = ?2 AND version IN (SELECT value FROM json_each(?3))
  RETURNING version`;

const LEAVE = `
  INSERT INTO dataset_leftovers (suite, version, due_at) SELECT ?1, value, ?3 FROM json_each(?2) WHERE true
  ON CONFLICT (suite, version) DO UPDATE SET due_at = excluded.due_at`;

/** Boards are listed only while their dataset exists. */
const COUNT_BOARDS = `
  INSERT INTO snapshot_changes (kind, id)
  SELECT 'boards', id FROM boards WHERE suite = ?1 AND dataset_name = ?2
    AND dataset_version IN (SELECT value FROM json_each(?3))
  ON CONFLICT (kind, id) DO UPDATE SET changes = changes + 1`;

export function datasetWrites(d1: D1Database) {
  return {
    /**
     * `after`: the expected number of versions of the name, if it matters; `overtaken`: there are more by now.
     * `over-limit`: a limit of the owner would be exceeded.
     */
    async insert(
      dataset: DatasetRecord,
      limits: DatasetLimits | null,
      after: number | null,
      reservedAt: number,
    ): Promise<"stored" | "over-limit" | "overtaken"> {
      const { suite, name, version } = dataset;
      const [inserted] = await d1.batch([
        d1
          .prepare(INSERT)
          .bind(
            ...values(dataset),
            limits?.names ?? null,
            limits?.versions ?? null,
            limits?.bytes ?? null,
            jsonOrNull(dataset.likelyClusters),
            jsonOrNull(dataset.mapping),
            jsonOrNull(dataset.stream),
            after,
            JSON.stringify(limits?.owners ?? []),
          ),
        d1.prepare(SETTLE).bind(suite, version, reservedAt + LEFT_MS),
        d1.prepare(ASK_ON_BOARDS).bind(suite, name, version),
        prepared(d1, countItems(d1, "datasets", [datasetItem(dataset)])),
        d1.prepare(COUNT_BOARDS).bind(suite, name, JSON.stringify([version])),
      ]);
      if ((inserted?.meta.changes ?? 0) > 0) return "stored";
      const found = `SELECT ${COUNT} AS count, EXISTS (SELECT 1 FROM datasets
        WHERE suite = ?1 AND name = ?2 AND version = ?3) AS own`;
      const now = await d1.prepare(found).bind(suite, name, version).first();
      if (now?.["own"] === 1) return "stored";
      return after !== null && now?.["count"] !== after ? "overtaken" : "over-limit";
    },

    /** Records that the samples of a version share no sources. */
    async answerClusters({ suite, name, version }: Pick<Dataset, "suite" | "name" | "version">) {
      await d1.batch([
        d1.prepare(ANSWER_CLUSTERS).bind(suite, name, version),
        d1.prepare(ASK_ON_BOARDS).bind(suite, name, version),
        prepared(d1, countItems(d1, "datasets", [datasetItem({ suite, name, version })])),
        d1.prepare(COUNT_BOARDS).bind(suite, name, JSON.stringify([version])),
      ]);
    },

    /** Removes versions from a name; their objects stay until no dataset and no run uses them. */
    async remove(
      suite: string,
      name: string,
      versions: readonly string[],
      now: number,
    ): Promise<void> {
      const list = JSON.stringify(versions);
      await d1.batch([
        d1.prepare(LEAVE).bind(suite, list, now + LEFT_MS),
        d1.prepare(REMOVE).bind(suite, name, list),
        d1.prepare(COUNT_BOARDS).bind(suite, name, list),
        prepared(
          d1,
          countItems(
            d1,
            "datasets",
            versions.map((version) => datasetItem({ suite, name, version })),
          ),
        ),
      ]);
    },
  };
}

const jsonOrNull = (value: object | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value);

const values = ({ suite, name, version, owner, samples, ...rest }: DatasetRecord) => [
  suite,
  name,
  version,
  owner,
  samples,
  JSON.stringify(rest.malformed),
  JSON.stringify(rest.warnings),
  rest.visibility,
  rest.license ?? null,
  rest.source ?? null,
  jsonOrNull(rest.corrects),
  Date.parse(rest.createdAt),
  rest.bytes,
];
