import { isUtf8 } from "node:buffer";
import { closeSync, fstatSync, readFileSync } from "node:fs";
import { isJsonObject, type Json, type JsonObject } from "#shared/contracts/json.ts";
import { BadInput } from "../errors.ts";
import { openInput } from "../files/open-file.ts";
import { refuseNonText } from "../files/refuse-non-text.ts";

/** A document is read at once; a string can have at most twice this size. */
const MAX_BYTES = 256 << 20;

/** A file that is one JSON object. Throws BadInput. */
export function readDocument(path: string): JsonObject {
  const { fd } = openInput(path);
  try {
    if (fstatSync(fd).size > MAX_BYTES) {
      throw new BadInput(`${path}: it is larger than ${MAX_BYTES >> 20} MB`);
    }
    const bytes = readFileSync(fd);
    refuseNonText(path, bytes);
    if (!isUtf8(bytes)) throw new BadInput(`${path}: not UTF-8 text`);
    const value = parsePython(bytes.toString().replace(/^\ufeff/, ""), path);
    if (isJsonObject(value)) return value;
    throw new BadInput(`${path}: it is not a JSON object`);
  } finally {
    closeSync(fd);
  }
}

/** JSON written by Python, in which numbers may be NaN or Infinity: read as null. Throws BadInput with `place`. */
export function parsePython(text: string, place: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    let isString = false;
    const mended = text.replace(/\\[\s\S]?|"|-?\b(?:NaN|Infinity)\b/g, (found) => {
      if (found === '"') isString = !isString;
      return isString || /^["\\]/.test(found) ? found : "null";
    });
    try {
      return JSON.parse(mended) as Json;
    } catch {
      throw new BadInput(`${place}: not JSON: ${(error as Error).message}`);
    }
  }
}
