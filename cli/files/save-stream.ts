import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { writeProblem } from "./open-file.ts";

/**
 * Writes a stream to a file, compressed if its name ends in .gz, and returns the number of bytes received. An
 * incomplete download never has the file's name. Throws BadInput if it can't be written.
 */
export async function saveStream(body: Readable, path: string): Promise<number> {
  const part = `${path}.part`;
  let bytes = 0;
  body.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  try {
    const packing: Transform[] = path.endsWith(".gz") ? [createGzip()] : [];
    await pipeline([body, ...packing, createWriteStream(part)]);
    await rename(part, path);
    return bytes;
  } catch (error) {
    await rm(part, { force: true });
    throw writeProblem(path, error);
  }
}
