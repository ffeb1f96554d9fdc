import {
  closeSync,
  createWriteStream,
  existsSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import type { Readable, Transform, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { BadInput } from "../errors.ts";
import { onTermination } from "./on-termination.ts";
import { isSameFile, writeProblem } from "./open-file.ts";

/** Characters buffered before they are written. */
const BATCH_CHARS = 1 << 18;

/** A file of lines that gets its name only when it is complete; until then it is `<path>.part`. */
export interface OutputFile {
  /** `end`: the terminator, by default a line break. */
  add(line: string, end?: string): void;
  /** Renames the complete file. */
  complete(): void;
  /** Keeps the previous file. */
  abandon(): void;
}

/** Opens an output file. Throws BadInput if it can't be written, or is one of the `inputs`. */
export function openOutput(path: string, inputs: readonly string[]): OutputFile {
  if (inputs.some((input) => isSameFile(input, path))) {
    throw new BadInput(`${path} is one of the input files; choose another path`);
  }
  const { target, part, direct } = partOf(path);
  const guarded = <T>(action: () => T): T => {
    try {
      return action();
    } catch (error) {
      throw writeProblem(path, error);
    }
  };
  const fd = guarded(() => openSync(part, direct ? "a" : "w"));
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(fd);
    isOpen = false;
  };
  const { add, flush } = batched((text) => guarded(() => writeFully(fd, Buffer.from(text))));
  return {
    add,
    complete() {
      flush();
      close();
      if (!direct) guarded(() => renameSync(part, target));
    },
    abandon() {
      close();
      if (!direct) rmSync(part, { force: true });
    },
  };
}

/**
 * The target of a path, and the file to write. Devices, pipes and redirected standard output are appended to directly.
 */
function partOf(path: string): { target: string; part: string; direct: boolean } {
  const isOpened = /^\/(dev\/(std(out|err)$|fd\/)|proc\/)/.test(path);
  const direct = existsSync(path) && (isOpened || !statSync(path).isFile());
  // The real path of an unnamed pipe, such as /dev/stdout, does not exist.
  const target = existsSync(path) && !direct ? realpathSync(path) : path;
  return { target, direct, part: direct ? target : `${target}.part` };
}

function writeFully(fd: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(fd, bytes, written);
  }
}

/** Buffers lines and writes many at once. */
function batched(write: (text: string) => void): Pick<OutputFile, "add"> & { flush: () => void } {
  let batch = "";
  const flush = () => {
    if (batch !== "") write(batch);
    batch = "";
  };
  const add = (line: string, end = "\n") => {
    batch += `${line}${end}`;
    if (batch.length >= BATCH_CHARS) flush();
  };
  return { add, flush };
}

/** Writes lines to a stream at once; there is no file to rename or keep. */
function streamOutput(stream: Writable): OutputFile {
  const { add, flush } = batched((text) => void stream.write(text));
  return { add, complete: flush, abandon: () => {} };
}

/** Writes a text to a file, which appears only when it is complete. Throws BadInput. */
export function writeWhole(path: string, text: string): void {
  const output = openOutput(path, []);
  try {
    output.add(text, "");
    output.complete();
  } catch (error) {
    output.abandon();
    throw error;
  }
}

/**
 * Lets `write` fill `<path>.part`, which is renamed when complete and deleted if writing fails or the
 * command is stopped. A device or pipe is appended to directly. Throws BadInput if the path can't be written.
 */
export async function withPart<T>(
  path: string,
  write: (part: string, flags: "a" | "w") => Promise<T>,
): Promise<T> {
  const { target, part, direct } = partOf(path);
  const remove = () => {
    if (!direct) rmSync(part, { force: true });
  };
  const release = onTermination(remove);
  try {
    const written = await write(part, direct ? "a" : "w");
    if (!direct) renameSync(part, target);
    return written;
  } catch (error) {
    remove();
    throw writeProblem(path, error);
  } finally {
    release();
  }
}

/** Destination of an output: a file, `-` for `stdout`, null for none. */
export interface OutputPlace {
  out: string | null;
  stdout: Writable;
}

/** Opens an output for `write`; the file appears only when it is complete. Throws BadInput for one of the `inputs`. */
export async function withOutput<T>(
  { out, stdout }: OutputPlace,
  inputs: readonly string[],
  write: (output: OutputFile | null) => T | Promise<T>,
): Promise<T> {
  // Listens before the file exists: a signal in between would leave it behind.
  let output: OutputFile | null = null;
  const release = onTermination(() => output?.abandon());
  try {
    if (out !== null) output = out === "-" ? streamOutput(stdout) : openOutput(out, inputs);
    const written = await write(output);
    output?.complete();
    return written;
  } catch (error) {
    output?.abandon();
    throw error;
  } finally {
    release();
  }
}

/** Refuses `-` as the file of a flag together with --json, because both write to standard output. */
export function refuseStdout(flag: string, file: string | null | undefined): void {
  if (file !== "-") return;
  throw new BadInput(`--${flag} - and --json both print to standard output: write one to a file`);
}

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

/** Prints a stream. A listener of standard output reports write errors. */
export async function printStream(body: Readable, stdout: Writable): Promise<void> {
  await pipeline(body, stdout, { end: false }).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall !== "write") throw error;
  });
}
