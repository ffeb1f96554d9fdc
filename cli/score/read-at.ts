import { readSync } from "node:fs";

/** Bytes read ahead where the file is read in order. */
const AHEAD_BYTES = 1 << 20;

/** A read this close behind the last one is taken as reading in order. */
const NEAR_BYTES = 4096;

/**
 * Reads pieces of an open file by place. Pieces in the order of the file come from large reads, any
 * other costs one read of its own length. A piece is only valid until the next one is read.
 */
export function pieceReader(fd: number): (offset: number, length: number) => Buffer {
  let buffer = Buffer.allocUnsafe(AHEAD_BYTES);
  let held = { from: 0, to: 0 };
  let lastEnd = 0;
  return (offset, length) => {
    const inOrder = offset >= lastEnd && offset - lastEnd <= NEAR_BYTES;
    lastEnd = offset + length;
    if (offset < held.from || lastEnd > held.to) {
      const wanted = inOrder ? Math.max(length, AHEAD_BYTES) : length;
      if (wanted > buffer.length) buffer = Buffer.allocUnsafe(wanted);
      held = { from: offset, to: offset + readFully(fd, buffer, offset, wanted) };
    }
    return buffer.subarray(offset - held.from, Math.min(lastEnd, held.to) - held.from);
  };
}

/** A read may give less than was asked for before the file ends. */
function readFully(fd: number, buffer: Buffer, offset: number, wanted: number): number {
  let total = 0;
  while (total < wanted) {
    const read = readSync(fd, buffer, total, wanted - total, offset + total);
    if (read === 0) break;
    total += read;
  }
  return total;
}
