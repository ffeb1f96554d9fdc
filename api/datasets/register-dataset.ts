import { bounds, cutText, holdsMoreValues } from "#shared/contracts/bounds.ts";
import { LinesHash, rowText } from "#shared/contracts/content-hash.ts";
import type {
  Correction,
  Dataset,
  DatasetVisibility,
  RowNote,
} from "#shared/contracts/datasets/dataset.ts";
import type { Json } from "#shared/contracts/json.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { rowFlaw } from "#shared/contracts/text/well-formed.ts";
import type { Platform } from "../platform/platform.ts";
import { placeBeyond } from "../security/json-depth.ts";
import { type CorrectionFault, checkCorrection } from "./check-correction.ts";
import { nameRefusal, ownerOfName } from "./service.ts";
import type { DatasetIndex } from "./store.ts";
import type { DatasetLimits, DatasetRecord, OwnedDatasets } from "./version-store.ts";

/** The upload, and whether to skip malformed rows. */
export interface NewDataset {
  suite: Suite;
  name: string;
  visibility: DatasetVisibility;
  license?: string | undefined;
  source?: string | undefined;
  /** The version that it corrects (at least its first digits), and why. */
  corrects?: { version: string; reason: string } | undefined;
  owner: string;
  /** May use any name, and add versions to datasets of other owners. */
  anyOwner: boolean;
  /** JSONL in UTF-8. */
  file: Uint8Array;
  allowPartial: boolean;
}

/** Why a dataset was not stored. */
export type DatasetRefusal =
  | { kind: "malformed"; rows: RowNote[] }
  | { kind: "name"; detail: string }
  | { kind: "limit"; detail: string }
  | { kind: "busy" }
  | { kind: "visibility"; visibility: DatasetVisibility }
  | ({ kind: "correction" } & CorrectionFault);

/** Maximum number of notes kept for one dataset: a broken file has one for each line. */
const MAX_NOTES = 500;

/** Twice the depth of the deepest real schemas; hashing, scoring and writing recurse over rows. */
const MAX_DEPTH = 128;

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
  const detail = newest?.owner === input.owner ? null : await nameRefusal(platform, input, newest);
  if (detail !== null) return err({ kind: "name", detail });
  const read = readRows(input.suite, input.file);
  if (read.heads.length === 0 || (read.malformed.length > 0 && !input.allowPartial)) {
    return err({ kind: "malformed", rows: read.malformed.slice(0, MAX_NOTES) });
  }
  const dataset: DatasetRecord = {
    suite: input.suite.id,
    name: input.name,
    version: read.version,
    samples: read.heads.length,
    malformed: read.malformed.slice(0, MAX_NOTES),
    warnings: read.warnings.slice(0, MAX_NOTES),
    visibility: input.visibility,
    ...(input.license === undefined ? {} : { license: input.license }),
    ...(input.source === undefined ? {} : { source: input.source }),
    createdAt: new Date(platform.now()).toISOString(),
    owner,
    bytes: read.bytes,
  };
  const known = await platform.datasets.find(dataset.suite, dataset.name, dataset.version);
  if (known) return storedVersion(known, input);
  const correction = await correctionBy(platform, input, newest, read);
  if (!correction.ok) return correction;
  if (correction.value !== null) dataset.corrects = correction.value;
  const limits = input.anyOwner ? null : platform.settings.ownerLimits.datasets;
  const over = await limitRefusal(platform, dataset, newest !== null, limits);
  if (over !== null) return err({ kind: "limit", detail: over });
  const rows = parsedRows(read.lines);
  const put = await platform.datasets.put(
    dataset,
    { heads: read.heads },
    rows,
    limits,
    platform.now(),
  );
  if (put === "busy") return err({ kind: "busy" });
  if (put === "over-limit") {
    const detail = `"${owner}" has reached its limit of datasets: delete one that is not needed`;
    return err({ kind: "limit", detail });
  }
  const { bytes: _, ...stored } = dataset;
  return ok(stored);
}

/** States usage, limit and what to do; null if one more version fits. */
async function limitRefusal(
  platform: Platform,
  { owner, bytes }: DatasetRecord,
  isKnownName: boolean,
  limits: DatasetLimits | null,
): Promise<string | null> {
  if (limits === null) return null;
  const owned = await platform.datasets.owned(owner);
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

/** The stored version, if its visibility and the version that it corrects are those of the upload. */
function storedVersion(known: Dataset, input: NewDataset): Result<Dataset, DatasetRefusal> {
  const { visibility } = known;
  if (visibility !== input.visibility) return err({ kind: "visibility", visibility });
  const { name, corrects } = input;
  if (corrects !== undefined && !known.corrects?.version.startsWith(corrects.version)) {
    const detail = `this version of "${name}" already exists, but not as a correction of "${corrects.version}"; a version never changes. To undo a correction, also change something that is not scored, such as a tag, in one sample`;
    return err({ kind: "correction", detail, rows: [] });
  }
  return ok(known);
}

/** What the rows correct; null if they are not a correction. */
async function correctionBy(
  platform: Platform,
  { suite, name, visibility, corrects }: NewDataset,
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
  const ids = visibility === "private" ? [] : checked.value.ids;
  return ok({ ...checked.value, ids, reason: corrects.reason });
}

/** A file whose rows were read one by one; keeps the byte ranges of valid rows. */
interface ReadRows {
  heads: DatasetIndex["heads"];
  lines: Uint8Array[];
  malformed: RowNote[];
  warnings: RowNote[];
  /** Size of the rows as stored. */
  bytes: number;
  /** SHA-256 of the rows as stored, one per line. */
  version: string;
}

function readRows(suite: Suite, file: Uint8Array): ReadRows {
  const usable: Uint8Array[] = [];
  const hash = new LinesHash();
  const heads: DatasetIndex["heads"] = [];
  const malformed: RowNote[] = [];
  const warnings: RowNote[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  for (const { number: line, bytes: raw } of linesOf(file)) {
    const row = parsed(lineText(raw));
    const checked = row.ok ? checkRow(suite, row.value) : row;
    if (!checked.ok) {
      malformed.push(rowNote(line, row.ok ? idOf(row.value) : null, checked.error));
      continue;
    }
    const head = suite.sampleHead(checked.value.sample);
    if (seen.has(head.id)) {
      malformed.push(rowNote(line, head.id, `duplicate id "${head.id}"`));
      continue;
    }
    seen.add(head.id);
    usable.push(raw);
    hash.add(checked.value.text);
    bytes += new TextEncoder().encode(checked.value.text).length + 1;
    heads.push(head);
    for (const reason of checked.value.warnings) warnings.push(rowNote(line, head.id, reason));
  }
  return { heads, lines: usable, malformed, warnings, bytes, version: hash.digest() };
}

/** The reason quotes the row. */
const rowNote = (line: number, id: string | null, reason: string): RowNote => ({
  line,
  id: id && cutText(id, bounds.name),
  reason: cutText(reason, bounds.message),
});

/** Parses rows again, one by one: all of them with their compiled checks would not fit in memory. */
function* parsedRows(lines: readonly Uint8Array[]): Generator<Json> {
  for (const bytes of lines) yield JSON.parse(lineText(bytes)) as Json;
}

function checkRow(suite: Suite, row: Json) {
  const flaw = rowFlaw(row);
  if (flaw !== null) return err(flaw);
  const checked = suite.checkSample(row);
  return checked.ok ? ok({ ...checked.value, text: rowText(row) }) : checked;
}

function parsed(text: string): Result<Json, string> {
  const deep = placeBeyond(text, MAX_DEPTH);
  if (deep !== null) return err(`${deep} nests arrays and objects deeper than ${MAX_DEPTH}`);
  if (holdsMoreValues(text, bounds.answerValues)) {
    return err(`it contains more than ${bounds.answerValues} values`);
  }
  try {
    return ok(JSON.parse(text) as Json);
  } catch (error) {
    return err(`the line is not JSON: ${(error as Error).message}`);
  }
}

function idOf(row: unknown): string | null {
  const id = (row as { id?: unknown } | null)?.id;
  return typeof id === "string" ? id : null;
}

/** A line of a file: its number (from 1) and its bytes. */
interface TextLine {
  number: number;
  bytes: Uint8Array;
}

const NEW_LINE = 0x0a;

/**
 * Lines of a UTF-8 file, one by one and without a copy: decoded, a large file would take a multiple of its size. Skips
 * lines with only white space.
 */
export function* linesOf(file: Uint8Array): Generator<TextLine> {
  let start = 0;
  for (let number = 1; start < file.length; number++) {
    const found = file.indexOf(NEW_LINE, start);
    const end = found < 0 ? file.length : found;
    const bytes = file.subarray(start, end);
    if (bytes.some((byte) => byte > 0x20)) yield { number, bytes };
    start = end + 1;
  }
}

/** The text of a line, without a byte order mark. */
export const lineText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
