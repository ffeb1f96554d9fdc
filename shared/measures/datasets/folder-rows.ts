import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { err, ok, type Result } from "../../contracts/result.ts";

/** The layout of a folder; the folder's name is the sample's id. */
const samplePath = /^(?:.*\/)?samples\/([^/]+)\/sample\.json$/;

/** A file of a folder of samples, its path with forward slashes. */
interface SampleFile {
  path: string;
  text: string;
}

/**
 * Rows of a folder `samples/<id>/sample.json`, in the order of their ids; other files are ignored. A sample
 * without an id gets its folder's name; a different id is an error, and so is a folder without any sample.
 * Source: docs/spec/memory.md, sample.
 * @example readFolder([{ path: "samples/a/sample.json", text: "{}" }]) // { ok: true, value: [{ id: "a" }] }
 */
export function readFolder(files: readonly SampleFile[]): Result<JsonObject[], string> {
  const rows = new Map<string, JsonObject>();
  for (const { path, text } of files) {
    const folder = samplePath.exec(path)?.[1];
    if (folder === undefined) continue;
    const parsed = jsonText(text);
    if (!parsed.ok) return err(`${path} is not JSON: ${parsed.error}`);
    if (!isJsonObject(parsed.value)) return err(`${path} is not a JSON object`);
    const { id = folder, ...rest } = parsed.value;
    if (id !== folder) return err(`${path} has the id ${JSON.stringify(id)}, not its folder's`);
    rows.set(folder, { id, ...rest });
  }
  if (rows.size === 0) return err("the folder has no samples/<id>/sample.json");
  return ok([...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row));
}

/**
 * Parses a JSON text, which may begin with a byte order mark; the error says why it is invalid.
 * @example jsonText("\ufeff[]") // { ok: true, value: [] }
 */
export function jsonText(text: string): Result<Json, string> {
  try {
    return ok(JSON.parse(text.replace(/^\ufeff/, "")) as Json);
  } catch (error) {
    return err((error as Error).message);
  }
}

/** A variable part of a path, such as `{id}`, which becomes a field of the row. */
const part = /\{([A-Za-z_]\w*)\}/;

/** A row of a folder of documents. */
export interface DocumentRow {
  /** Values of the variable parts of the path. */
  parts: Record<string, string>;
  /** Paths of the row's files by field; missing files are omitted. */
  files: Record<string, string>;
}

/**
 * The rows of a folder of documents, in the order of `paths`: each file that matches the first field is a row; files
 * with the same variable parts become its other fields. The error says why there are no rows. A variable part contains
 * no slash. Linear in paths.
 * @example documentRows(["gold/a.json", "text/a.txt"], { gold: "gold/{id}.json", text: "text/{id}.txt" })
 * // { ok: true, value: [{ parts: { id: "a" }, files: { gold: "gold/a.json", text: "text/a.txt" } }] }
 */
export function documentRows(
  paths: readonly string[],
  fields: Readonly<Record<string, string>>,
): Result<DocumentRow[], string> {
  const [first = ""] = Object.values(fields);
  const pattern = patternOf(first);
  const there = new Set(paths);
  const rows = paths.flatMap((path): DocumentRow[] => {
    const parts = pattern.exec(path)?.groups;
    if (parts === undefined) return [];
    const files = Object.entries(fields)
      .map(([field, template]) => [field, filled(template, parts)] as const)
      .filter(([, its]) => there.has(its));
    return [{ parts: { ...parts }, files: Object.fromEntries(files) }];
  });
  return rows.length > 0 ? ok(rows) : err(`there is no file ${first} in it`);
}

/** A repeated variable part must have the same text. */
function patternOf(template: string): RegExp {
  const known = new Set<string>();
  const source = template.split(part).map((piece, i) => {
    if (i % 2 === 0) return piece.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    const isKnown = known.size === known.add(piece).size;
    return isKnown ? `\\k<${piece}>` : `(?<${piece}>[^/]+)`;
  });
  return new RegExp(`^${source.join("")}$`);
}

const filled = (template: string, parts: Readonly<Record<string, string>>): string =>
  template
    .split(part)
    .map((piece, i) => (i % 2 === 0 ? piece : (parts[piece] ?? `{${piece}}`)))
    .join("");
