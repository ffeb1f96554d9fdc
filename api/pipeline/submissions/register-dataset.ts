import { canonicalJson, textHash } from "#shared/contracts/content-hash.ts";
import type { Dataset, RowNote, Visibility } from "#shared/contracts/dataset.ts";
import { pointerOf } from "#shared/contracts/field-errors.ts";
import type { Json } from "#shared/contracts/json.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { illFormedPath } from "#shared/contracts/well-formed.ts";
import { placeBeyond } from "../../security/json-depth.ts";
import type { DatasetIndex, Ports } from "../ports.ts";

/** What to register, and whether rows that can't be used may be left out. */
export interface NewDataset {
  suite: Suite;
  name: string;
  visibility: Visibility;
  owner: string;
  /** May add versions to datasets of other owners. */
  anyOwner: boolean;
  jsonl: string;
  allowPartial: boolean;
}

/** Why a dataset was not stored. */
export type DatasetRefusal =
  | { kind: "malformed"; rows: RowNote[] }
  | { kind: "foreign"; owner: string }
  | { kind: "visibility"; visibility: Visibility };

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
  const read = readRows(input.suite, input.jsonl);
  if (read.rows.length === 0 || (read.malformed.length > 0 && !input.allowPartial)) {
    return err({ kind: "malformed", rows: read.malformed.slice(0, MAX_NOTES) });
  }
  const dataset: Dataset & { owner: string } = {
    suite: input.suite.id,
    name: input.name,
    version: textHash(read.rows.map((row) => canonicalJson(row)).join("\n")),
    samples: read.rows.length,
    malformed: read.malformed.slice(0, MAX_NOTES),
    warnings: read.warnings.slice(0, MAX_NOTES),
    visibility: input.visibility,
    createdAt: new Date(ports.now()).toISOString(),
    owner: input.owner,
  };
  const known = await ports.datasets.find(dataset.suite, dataset.name, dataset.version);
  if (known && known.visibility !== input.visibility) {
    return err({ kind: "visibility", visibility: known.visibility });
  }
  if (known) return ok(known);
  await ports.datasets.put(dataset, { heads: read.heads }, read.rows);
  return ok(dataset);
}

function readRows(suite: Suite, jsonl: string) {
  const rows: Json[] = [];
  const heads: DatasetIndex["heads"] = [];
  const malformed: RowNote[] = [];
  const warnings: RowNote[] = [];
  const seen = new Set<string>();
  const lines = jsonl.replace(/^\uFEFF/, "").split(/\r?\n/);
  for (const [i, text] of lines.entries()) {
    if (text.trim() === "") continue;
    const line = i + 1;
    const row = parsed(text);
    const checked = row.ok ? checkRow(suite, row.value) : row;
    if (!checked.ok) {
      malformed.push({ line, id: row.ok ? idOf(row.value) : null, reason: checked.error });
      continue;
    }
    const head = suite.sampleHead(checked.value.sample);
    if (seen.has(head.id)) {
      malformed.push({ line, id: head.id, reason: `the id "${head.id}" stands twice` });
      continue;
    }
    seen.add(head.id);
    // Read once more: what a suite prepares of a row that it checks lives as long as that row does.
    rows.push(JSON.parse(text) as Json);
    heads.push(head);
    for (const reason of checked.value.warnings) warnings.push({ line, id: head.id, reason });
  }
  return { rows, heads, malformed, warnings };
}

function checkRow(suite: Suite, row: Json): ReturnType<Suite["checkSample"]> {
  const illFormed = illFormedPath(row);
  if (illFormed === null) return suite.checkSample(row);
  return err(`${pointerOf(illFormed)} holds half of a surrogate pair, which is no Unicode text`);
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
