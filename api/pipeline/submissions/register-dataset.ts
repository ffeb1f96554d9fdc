import { bounds, cutText } from "#shared/contracts/bounds.ts";
import { canonicalJson, LinesHash } from "#shared/contracts/content-hash.ts";
import type { Correction } from "#shared/contracts/correction.ts";
import type { Dataset, DatasetVisibility, RowNote } from "#shared/contracts/dataset.ts";
import type { Json } from "#shared/contracts/json.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { rowFlaw } from "#shared/contracts/well-formed.ts";
import { placeBeyond } from "../../security/json-depth.ts";
import { type CorrectionFault, checkCorrection } from "../datasets/check-correction.ts";
import type { DatasetIndex, Ports } from "../ports.ts";
import { linesOf, lineText } from "./text-lines.ts";

/** What to register, and whether rows that can't be used may be left out. */
export interface NewDataset {
  suite: Suite;
  name: string;
  visibility: DatasetVisibility;
  license?: string | undefined;
  source?: string | undefined;
  /** The version that it corrects, by its first digits at least, and why; left out: none. */
  corrects?: { version: string; reason: string } | undefined;
  owner: string;
  /** May add versions to datasets of other owners. */
  anyOwner: boolean;
  /** JSONL in UTF-8. */
  file: Uint8Array;
  allowPartial: boolean;
}

/** Why a dataset was not stored. */
export type DatasetRefusal =
  | { kind: "malformed"; rows: RowNote[] }
  | { kind: "foreign"; owner: string }
  | { kind: "visibility"; visibility: DatasetVisibility }
  | ({ kind: "correction" } & CorrectionFault);

/** Notes kept of one dataset: a broken file has as many as lines. */
const MAX_NOTES = 500;

/** Twice what the deepest of real schemas has; hashing, scoring and writing recurse over rows. */
const MAX_DEPTH = 128;

/**
 * Registers a dataset version. Malformed rows are reported by line and reason; the others are kept
 * only when `allowPartial`. The same content under the same name is the same version.
 */
export async function registerDataset(
  ports: Ports,
  input: NewDataset,
): Promise<Result<Dataset, DatasetRefusal>> {
  const newest = await ports.datasets.find(input.suite.id, input.name, null);
  if (newest && newest.owner !== input.owner && !input.anyOwner) {
    return err({ kind: "foreign", owner: newest.owner });
  }
  const read = readRows(input.suite, input.file);
  if (read.heads.length === 0 || (read.malformed.length > 0 && !input.allowPartial)) {
    return err({ kind: "malformed", rows: read.malformed.slice(0, MAX_NOTES) });
  }
  const dataset: Dataset & { owner: string } = {
    suite: input.suite.id,
    name: input.name,
    version: read.version,
    samples: read.heads.length,
    malformed: read.malformed.slice(0, MAX_NOTES),
    warnings: read.warnings.slice(0, MAX_NOTES),
    visibility: input.visibility,
    ...(input.license === undefined ? {} : { license: input.license }),
    ...(input.source === undefined ? {} : { source: input.source }),
    createdAt: new Date(ports.now()).toISOString(),
    owner: input.owner,
  };
  const known = await ports.datasets.find(dataset.suite, dataset.name, dataset.version);
  if (known && known.visibility !== input.visibility) {
    return err({ kind: "visibility", visibility: known.visibility });
  }
  if (known && isOtherwise(known, input)) {
    const detail = `this version of "${input.name}" is stored already, as no correction of "${input.corrects?.version}"; a version is never changed. To take a correction back, change what is not scored, as a tag, in one sample beside it`;
    return err({ kind: "correction", detail, rows: [] });
  }
  if (known) return ok(known);
  const correction = await correctionBy(ports, input, newest, read);
  if (!correction.ok) return correction;
  if (correction.value !== null) dataset.corrects = correction.value;
  await ports.datasets.put(dataset, { heads: read.heads }, parsedRows(read.lines));
  return ok(dataset);
}

/** Whether a version was stored as a correction of something else, or of nothing. */
const isOtherwise = ({ corrects: its }: Dataset, { corrects }: NewDataset): boolean =>
  corrects !== undefined && !its?.version.startsWith(corrects.version);

/** What the rows put right; null where they are not said to. */
async function correctionBy(
  ports: Ports,
  { suite, name, visibility, corrects }: NewDataset,
  newest: Dataset | null,
  read: ReadRows,
): Promise<Result<Correction | null, DatasetRefusal>> {
  if (corrects === undefined) return ok(null);
  const refused = (detail: string) => err({ kind: "correction" as const, detail, rows: [] });
  if (newest === null) return refused(`there is no dataset "${name}" to correct`);
  if (!newest.version.startsWith(corrects.version)) {
    return refused(
      `"${corrects.version}" is not the newest version of "${name}", and only that is corrected: ${newest.version}`,
    );
  }
  if (newest.visibility !== visibility) {
    return refused(`the version is ${newest.visibility}: what corrects it has to be so, too`);
  }
  const { heads, lines } = read;
  const row = (position: number) => JSON.parse(lineText(lines[position]!)) as Json;
  const checked = await checkCorrection(ports, suite, newest, { index: { heads }, row });
  if (!checked.ok) return err({ kind: "correction", ...checked.error });
  const ids = visibility === "private" ? [] : checked.value.ids;
  return ok({ ...checked.value, ids, reason: corrects.reason });
}

/** A file whose rows were read one by one: kept are the places of those that can be used. */
interface ReadRows {
  heads: DatasetIndex["heads"];
  lines: Uint8Array[];
  malformed: RowNote[];
  warnings: RowNote[];
  /** SHA-256 of the canonical JSON of the rows, a line each. */
  version: string;
}

function readRows(suite: Suite, file: Uint8Array): ReadRows {
  const usable: Uint8Array[] = [];
  const hash = new LinesHash();
  const heads: DatasetIndex["heads"] = [];
  const malformed: RowNote[] = [];
  const warnings: RowNote[] = [];
  const seen = new Set<string>();
  for (const { number: line, bytes } of linesOf(file)) {
    const row = parsed(lineText(bytes));
    const checked = row.ok ? checkRow(suite, row.value) : row;
    if (!checked.ok) {
      malformed.push(rowNote(line, row.ok ? idOf(row.value) : null, checked.error));
      continue;
    }
    const head = suite.sampleHead(checked.value.sample);
    if (seen.has(head.id)) {
      malformed.push(rowNote(line, head.id, `the id "${head.id}" stands twice`));
      continue;
    }
    seen.add(head.id);
    usable.push(bytes);
    hash.add(checked.value.text);
    heads.push(head);
    for (const reason of checked.value.warnings) warnings.push(rowNote(line, head.id, reason));
  }
  return { heads, lines: usable, malformed, warnings, version: hash.digest() };
}

/** Reasons quote the row. */
const rowNote = (line: number, id: string | null, reason: string): RowNote => ({
  line,
  id: id && cutText(id, bounds.name),
  reason: cutText(reason, bounds.message),
});

/** Rows again, one by one: all of them at once, with what their checks prepared, are too many. */
function* parsedRows(lines: readonly Uint8Array[]): Generator<Json> {
  for (const bytes of lines) yield JSON.parse(lineText(bytes)) as Json;
}

/** A row in canonical form, as it is hashed and stored: the order of keys in a file changes nothing. */
function checkRow(suite: Suite, row: Json) {
  const flaw = rowFlaw(row);
  if (flaw !== null) return err(flaw);
  const text = canonicalJson(row);
  const checked = suite.checkSample(JSON.parse(text) as Json);
  return checked.ok ? ok({ ...checked.value, text }) : checked;
}

function parsed(text: string): Result<Json, string> {
  const deep = placeBeyond(text, MAX_DEPTH);
  if (deep !== null) return err(`${deep} nests arrays and objects deeper than ${MAX_DEPTH}`);
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
