import { closeSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { crc32, inflateRawSync, zstdDecompressSync } from "node:zlib";
import { type Entry, fromFdPromise, type ZipFile } from "yauzl";
import { asObject, isJsonObject, type Json, type JsonObject } from "#shared/contracts/json.ts";
import { BadInput } from "../errors.ts";
import { openInput } from "../files/open-file.ts";
import { parsePython } from "./read-document.ts";

/** An entry takes about a kilobyte of memory; a chunked sample has about ten entries. */
const MAX_ENTRIES = 500_000;

/** Maximum size of a sample, and of its attachments. Inspect starts a new zstd frame after 200 MB. */
const MAX_BYTES = 200 << 20;

const sampleName = /^samples\/.+_epoch_(\d+)(?:\.json|\/sample\.json)$/s;

/** A sample of a log, and the name of its entry. */
export interface ArchivedSample {
  name: string;
  sample: Json;
}

/**
 * Samples of a log in the format `.eval`, in the order of epochs: a zip archive with `samples/<id>_epoch_<n>.json`, or
 * for a chunked sample `samples/<id>_epoch_<n>/sample.json` with its metadata, attachments and messages in separate
 * entries. The last entry with a name counts. Entries are stored, deflated or compressed with zstd. Throws BadInput.
 * Source: UKGovernmentBEIS/inspect_ai, log/_recorders/eval.py and log/_recorders/chunked/format.py at 499e615.
 */
export async function* archivedSamples(path: string): AsyncGenerator<ArchivedSample> {
  const { fd } = openInput(path);
  try {
    const { entries, read } = await openArchive(fd, path);
    const chunks = chunksIn(entries.keys());
    const names = [...entries.keys()].filter((name) => sampleName.test(name));
    for (const name of names.toSorted((a, b) => epochOf(a) - epochOf(b))) {
      const sample = await read(name);
      if (!name.endsWith("/sample.json") || !isJsonObject(sample)) {
        yield { name, sample };
        continue;
      }
      const folder = name.slice(0, -"sample.json".length);
      const sequence = async (subfolder: string) => {
        const parts = chunks.get(`${folder}${subfolder}`) ?? [];
        const sizes = parts.map((chunk) => entries.get(chunk.name)!.uncompressedSize);
        const bytes = sizes.reduce((sum, size) => sum + size, 0);
        if (bytes > MAX_BYTES) throw tooLarge(`${path}: ${folder}${subfolder}`);
        return sequenceOf(parts, read);
      };
      const metadata = `${folder}metadata.json`;
      yield {
        name,
        sample: {
          ...sample,
          attachments: await sequence("attachments"),
          messages: messagesOf(sample["message_refs"], await sequence("messages")),
          metadata: entries.has(metadata) ? await read(metadata) : {},
        },
      };
    }
  } finally {
    closeSync(fd);
  }
}

/** The header of a log; for an interrupted log, the header from its start. Throws BadInput. */
export async function archivedHeader(path: string): Promise<JsonObject> {
  const { fd } = openInput(path);
  try {
    const { entries, read } = await openArchive(fd, path);
    if (entries.has("header.json")) return asObject(await read("header.json"));
    return { ...asObject(await read("_journal/start.json")), status: "started" };
  } finally {
    closeSync(fd);
  }
}

async function openArchive(fd: number, path: string) {
  const zip = await fromFdPromise(fd, { decodeStrings: false, autoClose: false }).catch((error) => {
    throw new BadInput(`${path}: not a complete zip archive: ${(error as Error).message}`);
  });
  const entries = await entriesOf(zip, path);
  if (!entries.has("header.json") && !entries.has("_journal/start.json")) {
    throw new BadInput(
      `${path}: not a log of Inspect: it has neither header.json nor _journal/start.json`,
    );
  }
  const read = async (name: string): Promise<Json> => {
    const bytes = await contentOf(zip, entries.get(name)!, `${path}: ${name}`);
    return parsePython(bytes.toString(), `${path}: ${name}`);
  };
  return { entries, read };
}

const epochOf = (name: string): number => Number(sampleName.exec(name)?.[1]);

async function entriesOf(zip: ZipFile, path: string): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  if (zip.entryCount > MAX_ENTRIES) {
    throw new BadInput(`${path}: it has more than ${MAX_ENTRIES} entries`);
  }
  try {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileNameRaw.toString(), entry);
  } catch (error) {
    throw new BadInput(`${path}: a broken zip archive: ${(error as Error).message}`);
  }
  return entries;
}

/** An entry with some of a chunked sample's attachments or messages. */
interface Chunk {
  name: string;
  /** Number of its first item. */
  start: number;
}

/** The chunks of attachments and of messages, by their folder. */
function chunksIn(names: Iterable<string>): Map<string, Chunk[]> {
  const chunks = new Map<string, Chunk[]>();
  for (const name of names) {
    const [, folder = "", start] =
      /^(samples\/.+\/(?:attachments|messages))\/(\d+)\.json$/s.exec(name) ?? [];
    if (start === undefined) continue;
    const list = chunks.get(folder) ?? [];
    list.push({ name, start: Number(start) });
    chunks.set(folder, list);
  }
  return chunks;
}

/** All attachments or messages of a chunked sample, by number. */
async function sequenceOf(
  chunks: readonly Chunk[],
  read: (name: string) => Promise<Json>,
): Promise<JsonObject> {
  const items: JsonObject = {};
  for (const { name, start } of chunks) {
    const all = await read(name);
    for (const [i, item] of (Array.isArray(all) ? all : []).entries()) items[`${start + i}`] = item;
  }
  return items;
}

/** Maximum messages per sample. */
const MOST_MESSAGES = 100_000;

/** A sample's messages in these ranges, without their ends. */
function messagesOf(ranges: Json | undefined, known: JsonObject): Json[] {
  const messages: Json[] = [];
  for (const range of Array.isArray(ranges) ? ranges : []) {
    const [from, to] = (Array.isArray(range) ? range : []).map(Number);
    for (let at = from ?? 0; at < (to ?? 0) && messages.length < MOST_MESSAGES; at++) {
      const message = known[`${at}`];
      if (message === undefined) break;
      messages.push(message);
    }
  }
  return messages;
}

async function contentOf(zip: ZipFile, entry: Entry, place: string): Promise<Buffer> {
  const { compressionMethod, compressedSize, uncompressedSize } = entry;
  if (Math.max(compressedSize, uncompressedSize) > MAX_BYTES) throw tooLarge(place);
  if (entry.isEncrypted()) throw new BadInput(`${place}: it is encrypted`);
  try {
    const packed = await buffer(await zip.openReadStreamPromise(entry, { decodeFileData: false }));
    const bytes = unpacked(compressionMethod, packed, uncompressedSize);
    if (bytes === null) {
      throw new BadInput(
        `${place}: it is compressed by method ${compressionMethod} of zip, which is not supported`,
      );
    }
    if (bytes.length === uncompressedSize && crc32(bytes) === entry.crc32) return bytes;
    throw new Error("its size or checksum is wrong");
  } catch (error) {
    if (error instanceof BadInput) throw error;
    throw new BadInput(`${place}: it is damaged: ${(error as Error).message}`);
  }
}

/** Unpacks at most `size` bytes, since a small entry can unpack to any size; null for an unknown method. */
function unpacked(method: number, packed: Buffer, size: number): Buffer | null {
  const bounded = { maxOutputLength: Math.max(1, size) };
  if (method === 0) return packed;
  if (method === 8) return inflateRawSync(packed, bounded);
  return method === 93 ? zstdDecompressSync(packed, bounded) : null;
}

const tooLarge = (place: string): BadInput =>
  new BadInput(`${place}: it is larger than ${MAX_BYTES >> 20} MB`);
