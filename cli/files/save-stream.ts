import { createWriteStream } from "node:fs";
import type { Readable, Transform, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { withPart } from "./output-file.ts";

/**
 * Writes a stream to a file, compressed if its name ends in .gz, and returns the number of bytes received. An
 * incomplete download never has the file's name. Throws BadInput if it can't be written.
 */
export function saveStream(body: Readable, path: string): Promise<number> {
  let bytes = 0;
  body.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  const packing: Transform[] = path.endsWith(".gz") ? [createGzip()] : [];
  return withPart(path, async (part, flags) => {
    await pipeline([body, ...packing, createWriteStream(part, { flags })]);
    return bytes;
  });
}

/** Prints a stream. That standard output can't be written is reported by its own listener. */
export async function printStream(body: Readable, stdout: Writable): Promise<void> {
  await pipeline(body, stdout, { end: false }).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall !== "write") throw error;
  });
}
