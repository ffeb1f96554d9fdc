import type {
  Correction,
  Dataset,
  DatasetCheck,
  DatasetVisibility,
  RowNote,
} from "#shared/contracts/datasets/dataset.ts";
import type { RowMapping } from "#shared/contracts/datasets/row-mapping.ts";
import type { VersionDraw } from "#shared/contracts/datasets/version-draw.ts";
import type { Json } from "#shared/contracts/json.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { allowanceOf, datasetLimitsOf } from "../keys/allowance.ts";
import type { Platform } from "../platform/platform.ts";
import { type CorrectionFault, checkCorrection } from "./check-correction.ts";
import { linesOf, lineText, MAX_NOTES, parsedRows, type ReadRows, readRows } from "./read-rows.ts";
import { nameRefusal, ownerOfName } from "./service.ts";
import type { StreamFile } from "./stream-store.ts";
import type { DatasetLimits, DatasetRecord, OwnedDatasets } from "./version-store.ts";
import { INDEPENDENT, withClusters } from "./with-clusters.ts";

export interface NewDataset {
  suite: Suite;
  name: string;
  /** Missing: the visibility of the name's newest version; a new name is unlisted. */
  visibility?: DatasetVisibility | undefined;
  license?: string | undefined;
  source?: string | undefined;
  mapping?: RowMapping | undefined;
  /**
   * For a version drawn from a stream: how, the invalid rows, what is kept of the stream's file, and the previous
   * number of versions.
   */
  drawn?:
    | { stream: VersionDraw; refused: readonly RowNote[]; file: StreamFile; after: number }
    | undefined;
  /** The version that it corrects (at least its first digits), and the reason. */
  corrects?: { version: string; reason: string } | undefined;
  owner: string;
  /** May use any name, and add versions to datasets of other owners. */
  anyOwner: boolean;
  /** Which samples share a source: `independent`, `likely`, or the name of a tag; missing: not stated. */
  clusters?: string | undefined;
  /** JSONL in UTF-8. */
  file: Uint8Array;
  allowPartial: boolean;
}

type NewVersion = NewDataset & { visibility: DatasetVisibility };

export type DatasetRefusal =
  | { kind: "malformed"; rows: RowNote[]; count: number }
  | { kind: "name"; detail: string }
  | { kind: "limit"; detail: string }
  | { kind: "overtaken"; detail: string }
  | { kind: "busy" }
  | { kind: "visibility"; visibility: DatasetVisibility }
  | { kind: "clusters"; detail: string }
  | ({ kind: "correction" } & CorrectionFault);

/**
 * Registers a dataset version. Reports malformed rows by line and reason; the others are stored only with
 * `allowPartial`. Equal content under the same name is the same version.
 */
export async function registerDataset(
  platform: Platform,
  input: NewDataset,
): Promise<Result<Dataset, DatasetRefusal>> {
  const newest = await platform.datasets.find(input.suite.id, input.name, null);
  const owner = newest?.owner ?? ownerOfName(input.name) ?? input.owner;
  const detail =
    newest?.owner === input.owner ? null : await nameRefusal(platform, input, newest === null);
  if (detail !== null) return err({ kind: "name", detail });
  const usable = usableRows(input);
  if (!usable.ok) return usable;
  const read = usable.value;
  const visibility = input.visibility ?? newest?.visibility ?? "unlisted";
  const dataset = recordOf({ ...input, visibility }, read, owner, platform.now());
  const known = await platform.datasets.find(dataset.suite, dataset.name, dataset.version);
  if (known) return storedVersion(platform, known, input);
  const correction = await correctionBy(platform, { ...input, visibility }, newest, read);
  if (!correction.ok) return correction;
  if (correction.value !== null) {
    dataset.corrects = correction.value;
    if (newest?.stream !== undefined) dataset.stream = newest.stream;
  }
  const limits = input.anyOwner ? null : datasetLimitsOf(await allowanceOf(platform, owner));
  const over = await limitRefusal(platform, dataset, newest !== null, limits);
  if (over !== null) return err({ kind: "limit", detail: over });
  return stored(platform, input, { dataset, limits }, read);
}

async function stored(
  platform: Platform,
  { drawn }: NewDataset,
  { dataset, limits }: { dataset: DatasetRecord; limits: DatasetLimits | null },
  read: ReadRows,
): Promise<Result<Dataset, DatasetRefusal>> {
  const { datasets } = platform;
  const { suite, name, version, owner } = dataset;
  if (drawn) await datasets.putFile(suite, name, version, drawn.file);
  const put = await datasets.put(dataset, { heads: read.heads }, parsedRows(read.lines), {
    limits,
    after: drawn?.after ?? null,
    now: platform.now(),
  });
  if (put === "stored") {
    const { bytes: _, ...shown } = dataset;
    return ok(shown);
  }
  if (drawn) await datasets.forgetFiles(suite, name, [version]);
  if (put === "busy") return err({ kind: "busy" });
  const details = {
    overtaken: `another version of "${name}" was added at the same time: try again`,
    "over-limit": `"${owner}" has reached its limit of datasets: delete one that is not needed`,
  };
  return err({ kind: put === "overtaken" ? put : "limit", detail: details[put] });
}

/** What an upload would store, and which rows are invalid. */
export function checkDataset({ suite, file }: Pick<NewDataset, "suite" | "file">): DatasetCheck {
  const { version, heads, likely, ...notes } = readRows(suite, linesOf(file));
  return {
    suite: suite.id,
    version,
    samples: heads.length,
    malformed: notes.malformed,
    malformedCount: notes.malformedCount,
    warnings: notes.warnings,
    ...(likely !== null && { likelyClusters: likely }),
  };
}

/** The rows to store; malformed ones are left out only with `allowPartial`. */
function usableRows({ suite, file, allowPartial, clusters }: NewDataset) {
  const read = readRows(suite, linesOf(file));
  if (read.heads.length === 0 || (read.malformedCount > 0 && !allowPartial)) {
    const { malformed: rows, malformedCount: count } = read;
    return err({ kind: "malformed" as const, rows, count });
  }
  const tagged = withClusters(suite, read, clusters);
  return tagged.ok ? tagged : err({ kind: "clusters" as const, detail: tagged.error });
}

const recordOf = (
  { suite, name, visibility, license, source, mapping, drawn }: NewVersion,
  read: ReadRows,
  owner: string,
  now: number,
): DatasetRecord => ({
  suite: suite.id,
  name,
  version: read.version,
  samples: read.heads.length,
  malformed: [...(drawn?.refused ?? []), ...read.malformed].slice(0, MAX_NOTES),
  warnings: read.warnings,
  visibility,
  ...(license !== undefined && { license }),
  ...(source !== undefined && { source }),
  ...(mapping !== undefined && { mapping }),
  ...(drawn !== undefined && { stream: drawn.stream }),
  ...(read.likely !== null && { likelyClusters: read.likely }),
  createdAt: new Date(now).toISOString(),
  owner,
  bytes: read.bytes,
});

/** An error that states usage, limit and what to do; null if one more version fits. */
async function limitRefusal(
  platform: Platform,
  { owner, bytes }: DatasetRecord,
  isKnownName: boolean,
  limits: DatasetLimits | null,
): Promise<string | null> {
  if (limits === null) return null;
  const owned = await platform.datasets.owned(limits.owners);
  const wanted = { names: isKnownName ? 0 : 1, versions: 1, bytes };
  const units = { names: "datasets", versions: "dataset versions", bytes: "bytes of rows" };
  for (const [what, unit] of Object.entries(units)) {
    const [used, more] = [owned[what as keyof OwnedDatasets], wanted[what as keyof OwnedDatasets]];
    const allowed = limits[what as keyof OwnedDatasets];
    if (allowed === null || used + more <= allowed || more === 0) continue;
    return `"${owner}" has ${used} of ${allowed} ${unit}, and this upload adds ${more}: delete datasets that are not needed (DELETE /v1/datasets/{suite}/{name}), or ask the operator for a higher limit; GET /v1/usage lists all limits`;
  }
  return null;
}

/**
 * The stored version if it has the upload's visibility and corrects the same version; without likely clusters if the
 * upload says that its samples are independent.
 */
async function storedVersion(
  platform: Platform,
  known: Dataset,
  input: NewDataset,
): Promise<Result<Dataset, DatasetRefusal>> {
  const { visibility } = known;
  if (visibility !== (input.visibility ?? visibility))
    return err({ kind: "visibility", visibility });
  const { name, corrects } = input;
  if (corrects !== undefined && !known.corrects?.version.startsWith(corrects.version)) {
    const detail = `this version of "${name}" already exists, but not as a correction of "${corrects.version}"; a version never changes. To undo a correction, also change something that is not scored, such as a tag, in one sample`;
    return err({ kind: "correction", detail, rows: [] });
  }
  if (known.likelyClusters === undefined || input.clusters !== INDEPENDENT) return ok(known);
  await platform.datasets.answerClusters(known);
  await platform.publications.markChanged();
  const { likelyClusters: _, ...answered } = known;
  return ok(answered);
}

/** The version that the rows correct; null if they are no correction. */
async function correctionBy(
  platform: Platform,
  { suite, name, visibility, corrects }: NewVersion,
  newest: Dataset | null,
  read: ReadRows,
): Promise<Result<Correction | null, DatasetRefusal>> {
  if (corrects === undefined) return ok(null);
  const refused = (detail: string) => err({ kind: "correction" as const, detail, rows: [] });
  if (newest === null) return refused(`there is no dataset "${name}" to correct`);
  if (!newest.version.startsWith(corrects.version)) {
    return refused(
      `"${corrects.version}" is not the newest version of "${name}"; only the newest, ${newest.version}, can be corrected`,
    );
  }
  if (newest.visibility !== visibility) {
    return refused(`the version is ${newest.visibility}, so its correction must be, too`);
  }
  const { heads, lines } = read;
  const row = (position: number) => JSON.parse(lineText(lines[position]!)) as Json;
  const checked = await checkCorrection(platform, suite, newest, { index: { heads }, row });
  if (!checked.ok) return err({ kind: "correction", ...checked.error });
  return ok({ ...checked.value, reason: corrects.reason });
}
