import type { Dataset, DatasetVisibility } from "#shared/contracts/datasets/dataset.ts";
import type { RowMapping } from "#shared/contracts/datasets/row-mapping.ts";
import type { Draw } from "#shared/contracts/datasets/version-draw.ts";
import type { Json } from "#shared/contracts/json.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { rowMapper } from "#shared/measures/datasets/row-mapper.ts";
import type { FinishMessage } from "../platform/messages.ts";
import type { Platform } from "../platform/platform.ts";
import { removeAnswersOf } from "../runs/clean-up.ts";
import { type DrawnRows, drawRows } from "./draw-rows.ts";
import { linesOf } from "./read-rows.ts";
import { type DatasetRefusal, registerDataset } from "./register-dataset.ts";
import { nameRefusal } from "./service.ts";
import type { StreamFile } from "./stream-store.ts";

export interface StreamedRows {
  suite: Suite;
  name: string;
  visibility: DatasetVisibility;
  owner: string;
  anyOwner: boolean;
  draw: Draw;
  /** Null: the rows have the suite's format. */
  mapping: RowMapping | null;
  /** The mapping that was applied before; stored with the version, like `mapping`. */
  kept?: RowMapping | undefined;
  /** JSON Lines in UTF-8. */
  file: Uint8Array;
  /** The file's address and ETag; null if unknown. */
  source: StreamFile["source"];
}

export type StreamRefusal =
  | DatasetRefusal
  | { kind: "nothing-new"; detail: string }
  | { kind: "unusable"; detail: string };

/**
 * Adds a version to a stream: its anchor, and samples drawn from rows that the last file did not have. The first
 * version also draws the anchor. Deletes rows that are no longer kept. A refusal stores nothing; repeating the call
 * with the same file after a crash draws the same version. Of two concurrent draws, the second is refused as overtaken.
 */
export async function addStreamVersion(
  platform: Platform,
  input: StreamedRows,
): Promise<Result<Dataset, StreamRefusal>> {
  const { suite, name, draw } = input;
  // Counted before the newest version is read, so that a version in between makes the draw overtaken.
  const after = await platform.datasets.countVersions(suite.id, name);
  const newest = await platform.datasets.find(suite.id, name, null);
  const refusal =
    newest?.owner === input.owner ? null : await nameRefusal(platform, input, newest === null);
  if (refusal !== null) return err({ kind: "name", detail: refusal });
  const anchor = await anchorOf(platform, newest, draw.anchor);
  const drawn = await drawnFrom(platform, input, anchor);
  if (!drawn.ok) return drawn;
  const { rows, read, known, refused, keys } = drawn.value;
  const file = new TextEncoder().encode(
    [...anchor.map((row) => JSON.stringify(row)), ...rows].join("\n"),
  );
  const registered = await registerDataset(platform, {
    suite,
    name,
    visibility: input.visibility,
    owner: input.owner,
    anyOwner: input.anyOwner,
    mapping: input.mapping ?? input.kept,
    file,
    allowPartial: false,
    drawn: {
      refused,
      after,
      file: { seen: [...keys], source: input.source },
      stream: {
        read,
        known,
        refused: refused.length,
        drawn: rows.length,
        anchor: Math.min(draw.anchor, anchor.length + rows.length),
        keepVersions: draw.keepVersions,
      },
    },
  });
  if (!registered.ok) return registered;
  await platform.queues.finish(oldVersions(suite.id, name, draw.keepVersions));
  return registered;
}

/**
 * The first rows of the newest version: its anchor, and if a larger one is requested, more of its samples, which are a
 * random choice, too. Empty if the dataset is not a stream yet.
 */
async function anchorOf(
  { datasets }: Pick<Platform, "datasets">,
  newest: Dataset | null,
  wanted: number,
): Promise<Json[]> {
  if (newest?.stream === undefined) return [];
  const count = Math.min(wanted, newest.samples);
  const places = Array.from({ length: count }, (_, place) => place);
  return Promise.all(places.map((at) => datasets.row(newest.suite, newest.version, at)));
}

/** The field that becomes the row's id; null if an expression does, or nothing. */
function idFieldOf(mapping: StreamedRows["mapping"]): string | null {
  const { id } = mapping?.map ?? {};
  const keepsAll = mapping === null || Object.keys(mapping.map).length === 0;
  if (id === undefined) return keepsAll ? "id" : null;
  return /^[a-z_]\w*$/i.test(id) ? id : null;
}

async function drawnFrom(
  platform: Platform,
  { suite, name, draw, mapping, file }: StreamedRows,
  anchor: readonly Json[],
): Promise<Result<DrawnRows, StreamRefusal>> {
  const mapper = mapping === null ? ok(null) : rowMapper(mapping, { files: {}, fixed: {} });
  if (!mapper.ok)
    return err({ kind: "unusable", detail: `its mapping is invalid: ${mapper.error}` });
  const before = await platform.datasets.lastFile(suite.id, name);
  const date = new Date(platform.now()).toISOString().slice(0, "2026-01-01".length);
  const drawn = await drawRows(linesOf(file), {
    suite,
    mapper: mapper.value,
    idField: idFieldOf(mapping),
    seed: `${suite.id}/${name} ${date}`,
    wanted: draw.samplesPerVersion + draw.anchor - anchor.length,
    seen: new Set(before?.seen),
    taken: new Set(anchor.map((row) => idOf(suite, row))),
  });
  if (!drawn.ok) return err({ kind: "unusable", detail: drawn.error });
  const { rows, read, known, refused } = drawn.value;
  if (rows.length > 0) return ok(drawn.value);
  if (read === 0) return err({ kind: "unusable", detail: "it has no rows" });
  if (known === read) {
    const its = read === 1 ? "its only row" : `all of its ${read} rows`;
    return err({ kind: "nothing-new", detail: `nothing is new: the file before had ${its}` });
  }
  const fresh = read - known;
  const none = fresh === 1 ? "its only new row does not fit" : `none of its ${fresh} new rows fits`;
  const [first] = refused;
  const reason = `line ${first?.line}: ${first?.reason}`;
  return err({ kind: "unusable", detail: `${none} the suite ${suite.id}; ${reason}` });
}

function idOf(suite: Suite, row: Json): string {
  const checked = suite.checkSample(row);
  return checked.ok ? suite.sampleHead(checked.value.sample).id : "";
}

type OldVersions = Extract<FinishMessage, { kind: "old-versions" }>;
const oldVersions = (suite: string, name: string, keep: number): OldVersions => ({
  v: 1,
  kind: "old-versions",
  suite,
  name,
  keep,
});

/**
 * Deletes the rows, except the anchor, of a stream's versions beyond the `keep` newest, and the answers to them.
 * Scores, counts and sample ids stay. A version with an active run or another name waits for the next version. Can be
 * repeated and interrupted; another message continues, because an invocation has few queries.
 */
export async function forgetOldVersions(
  platform: Platform,
  { suite, name, keep }: OldVersions,
): Promise<void> {
  const { datasets } = platform;
  const [oldest] = await datasets.versionsBeyond(suite, name, keep, 1);
  if (oldest === undefined) return;
  const { version, samples, anchor } = oldest;
  if (await removeAnswersOf(platform, await platform.cleanup.withAnswersOn(suite, version))) {
    if (!(await datasets.claimRows(suite, name, version, platform.now()))) return;
    const bytes = await datasets.keepFirst(suite, version, { count: anchor, of: samples });
    await datasets.forgetFiles(suite, name, [version]);
    await datasets.markRowsDeleted({ suite, name, version, bytes }, platform.now());
    await platform.publications.markChanged();
  }
  await platform.queues.finish(oldVersions(suite, name, keep));
}

/** Why there is no new version, as a sentence without its full stop. */
export function streamRefusalText(refusal: StreamRefusal): string {
  if ("detail" in refusal) return refusal.detail;
  if (refusal.kind === "visibility") return `this version is already ${refusal.visibility}`;
  if (refusal.kind === "busy") {
    return "unused rows of this version are being deleted: try again in a minute";
  }
  const [first] = refusal.rows;
  return `row ${first?.line}: ${first?.reason}`;
}
