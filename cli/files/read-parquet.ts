import { closeSync, fstatSync, readSync } from "node:fs";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import {
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  snappyUncompress,
} from "hyparquet";
import type { JsonObject } from "#shared/contracts/json.ts";
import { parquetRow } from "#shared/measures/datasets/parquet-row.ts";
import { BadInput } from "../errors.ts";
import { type OpenFile, openInput } from "./open-file.ts";

/** Same limit as for datasets from Hugging Face's viewer and for answers of a submission. */
const MAX_ROWS = 100_000;
/** Maximum values per row group, including values in lists, since each is an object in memory. */
const MAX_VALUES = 20_000_000;
/** Maximum bytes of a file, and of all its unpacked pages. */
const MAX_BYTES = 1 << 30;

/** Whether a file is Parquet, by its first bytes. Throws BadInput. */
export function isParquet(path: string): boolean {
  const { fd } = openInput(path);
  try {
    const start = Buffer.alloc(4);
    readSync(fd, start);
    return start.toString("latin1") === "PAR1";
  } finally {
    closeSync(fd);
  }
}

/**
 * Rows of a Parquet file as JSON, one row group in memory at a time: a null cell is null, a time is ISO 8601 text, an
 * integer beyond 2^53 is text. Throws BadInput, also for a column of bytes that are not text.
 */
export async function* parquetRows(path: string): AsyncGenerator<JsonObject> {
  const file = openInput(path);
  try {
    const byteLength = fstatSync(file.fd).size;
    if (byteLength > MAX_BYTES)
      throw new BadInput(`${path}: it is larger than ${MAX_BYTES >> 30} GB`);
    const source = { byteLength, slice: sliceOf(file, byteLength) };
    const compressors = boundedCompressors();
    const metadata = await guarded(path, () => parquetMetadataAsync(source));
    checkSize(path, metadata);
    let rowStart = 0;
    for (const { num_rows } of metadata.row_groups) {
      const rowEnd = rowStart + Number(num_rows);
      const rows = await guarded(path, () =>
        parquetReadObjects({
          file: source,
          metadata,
          rowStart,
          rowEnd,
          compressors,
          rowFormat: "object",
          utf8: false,
        }),
      );
      for (const [i, row] of rows.entries()) yield jsonRow(row, `${path}: row ${rowStart + i + 1}`);
      rowStart = rowEnd;
    }
  } finally {
    closeSync(file.fd);
  }
}

function sliceOf({ fd, name }: OpenFile, size: number) {
  return (start: number, end: number = size): ArrayBuffer => {
    if (!(start >= 0 && start <= end && end <= size)) throw new BadInput(`${name}: it is cut off`);
    const length = end - start;
    const bytes = new Uint8Array(length);
    for (let read = 0; read < length; ) {
      const count = readSync(fd, bytes, read, length - read, start + read);
      if (count === 0) throw new BadInput(`${name}: it is cut off`);
      read += count;
    }
    return bytes.buffer;
  };
}

/** Throws BadInput for more rows, or more values in lists, than the limits. */
function checkSize(path: string, { num_rows, row_groups }: FileMetaData): void {
  const rows = row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
  if (rows !== Number(num_rows)) {
    throw new BadInput(`${path}: its row groups have ${rows} of ${num_rows} rows`);
  }
  if (rows > MAX_ROWS) {
    throw new BadInput(`${path}: it has ${rows} rows; at most ${MAX_ROWS} are read`);
  }
  for (const { columns } of row_groups) {
    const values = columns.map(({ meta_data }) => Number(meta_data?.num_values ?? 0));
    if (values.reduce((sum, count) => sum + count, 0) <= MAX_VALUES) continue;
    throw new BadInput(
      `${path}: a row group has more than ${MAX_VALUES} values: write smaller row groups`,
    );
  }
}

/** Decompressors that enforce the limit on unpacked bytes, whatever size the file states. */
function boundedCompressors(): Compressors {
  let left = MAX_BYTES;
  const bounded =
    (unpack: (input: Uint8Array, size: number) => Uint8Array) =>
    (input: Uint8Array, size: number): Uint8Array => {
      left -= size;
      if (left < 0) throw new RangeError("it unpacks to too many bytes");
      return unpack(input, size);
    };
  const most = (size: number) => ({ maxOutputLength: Math.max(1, size) });
  return {
    SNAPPY: bounded((input, size) => {
      const output = new Uint8Array(size);
      snappyUncompress(input, output);
      return output;
    }),
    GZIP: bounded((input, size) => gunzipSync(input, most(size))),
    BROTLI: bounded((input, size) => brotliDecompressSync(input, most(size))),
    ZSTD: bounded((input, size) => zstdDecompressSync(input, most(size))),
  };
}

/** Converts any error of the reader to BadInput about the file's content. */
async function guarded<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof BadInput) throw error;
    throw new BadInput(`${path}: it can't be read as Parquet: ${(error as Error).message}`);
  }
}

function jsonRow(row: object, place: string): JsonObject {
  const read = parquetRow(row);
  if (read.ok) return read.value;
  throw new BadInput(`${place}: ${read.error}`);
}
