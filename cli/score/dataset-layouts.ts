import { isJsonObject, type Json, type JsonObject } from "#shared/contracts/json.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";

/** A file of a folder of samples, its path with forward slashes. */
interface SampleFile {
  path: string;
  text: string;
}

/**
 * Rows of one JSON array.
 * Source: docs/spec/memory.md, sample.
 * @example readArray('[{"id": "a"}]') // { ok: true, value: [{ id: "a" }] }
 */
export function readArray(text: string): Result<Json[], string> {
  const parsed = parse(text);
  if (!parsed.ok) return err(`the array is not JSON: ${parsed.error}`);
  return Array.isArray(parsed.value) ? ok(parsed.value) : err("it holds no array");
}

/** The layout of a folder; the folder's name is the sample's id. */
const samplePath = /^(?:.*\/)?samples\/([^/]+)\/sample\.json$/;

/**
 * Rows of a folder `samples/<id>/sample.json`, in the order of their ids; other files are left aside. A
 * sample without an id gets its folder's name, and one with another id is an error, as is a folder without
 * any sample.
 * Source: docs/spec/memory.md, sample.
 * @example readFolder([{ path: "samples/a/sample.json", text: "{}" }]) // { ok: true, value: [{ id: "a" }] }
 */
export function readFolder(files: readonly SampleFile[]): Result<JsonObject[], string> {
  const rows = new Map<string, JsonObject>();
  for (const { path, text } of files) {
    const folder = samplePath.exec(path)?.[1];
    if (folder === undefined) continue;
    const parsed = parse(text);
    if (!parsed.ok) return err(`${path} is not JSON: ${parsed.error}`);
    if (!isJsonObject(parsed.value)) return err(`${path} holds no JSON object`);
    const { id = folder, ...rest } = parsed.value;
    if (id !== folder) return err(`${path} has the id ${JSON.stringify(id)}, not its folder's`);
    rows.set(folder, { id, ...rest });
  }
  if (rows.size === 0) return err("it is a folder without any samples/<id>/sample.json");
  return ok([...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row));
}

function parse(text: string): Result<Json, string> {
  try {
    return ok(JSON.parse(text.replace(/^\ufeff/, "")) as Json);
  } catch (error) {
    return err((error as Error).message);
  }
}
