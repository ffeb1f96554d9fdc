import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { err, ok, type Result } from "../../contracts/result.ts";

/** A file of a folder of samples, its path with forward slashes. */
export interface SampleFile {
  path: string;
  text: string;
}

/**
 * Rows of a file: of one JSON array, or of JSON Lines; which of them follows from the text. Blank lines are
 * left out. The error names the line.
 * Source: specification of the memory suite, sample.
 * @example readRows('[{"id": "a"}]') // { ok: true, value: [{ id: "a" }] }
 */
export function readRows(text: string): Result<Json[], string> {
  const plain = text.replace(/^\ufeff/, "");
  return plain.trimStart().startsWith("[") ? rowsOfArray(plain) : rowsOfLines(plain);
}

function rowsOfArray(text: string): Result<Json[], string> {
  const parsed = parse(text);
  if (!parsed.ok) return err(`the array is no JSON: ${parsed.error}`);
  return Array.isArray(parsed.value) ? ok(parsed.value) : err("the file holds no array");
}

function rowsOfLines(text: string): Result<Json[], string> {
  const rows: Json[] = [];
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const parsed = parse(line);
    if (!parsed.ok) return err(`line ${i + 1} is no JSON: ${parsed.error}`);
    rows.push(parsed.value);
  }
  return ok(rows);
}

/** The layout of a folder; the folder's name is the sample's id. */
const samplePath = /^(?:.*\/)?samples\/([^/]+)\/sample\.json$/;

/**
 * Rows of a folder `samples/<id>/sample.json`, in the order of their ids; other files are left aside. A
 * sample without an id gets its folder's name, and one with another id is an error, as is a folder without
 * any sample.
 * Source: specification of the memory suite, sample.
 * @example readFolder([{ path: "samples/a/sample.json", text: "{}" }]) // { ok: true, value: [{ id: "a" }] }
 */
export function readFolder(files: readonly SampleFile[]): Result<JsonObject[], string> {
  const rows: JsonObject[] = [];
  for (const { path, text } of files) {
    const folder = samplePath.exec(path)?.[1];
    if (folder === undefined) continue;
    const parsed = parse(text.replace(/^\ufeff/, ""));
    if (!parsed.ok) return err(`${path} is no JSON: ${parsed.error}`);
    if (!isJsonObject(parsed.value)) return err(`${path} holds no JSON object`);
    const { id = folder, ...rest } = parsed.value;
    if (id !== folder) return err(`${path} has the id ${JSON.stringify(id)}, not its folder's`);
    rows.push({ id, ...rest });
  }
  if (rows.length === 0) return err("there is no samples/<id>/sample.json");
  return ok(rows.sort((a, b) => (String(a["id"]) < String(b["id"]) ? -1 : 1)));
}

function parse(text: string): Result<Json, string> {
  try {
    return ok(JSON.parse(text) as Json);
  } catch (error) {
    return err((error as Error).message);
  }
}
