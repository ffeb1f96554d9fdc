import { crc32, deflateRawSync, zstdCompressSync } from "node:zlib";

const methods = { stored: 0, deflate: 8, zstd: 93 } as const;

/** An entry of a zip archive; `size` and `checksum` override the real values. */
export interface ZipEntry {
  name: string;
  text: string;
  method?: keyof typeof methods | number;
  size?: number;
  checksum?: number;
}

/** A zip archive with the entries in this order; names may repeat. Source: PKWARE APPNOTE.TXT 6.3.10. */
export function zipFile(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { name, text, method = "zstd" } = entry;
    const number = typeof method === "number" ? method : methods[method];
    const content = Buffer.from(text);
    const packed =
      number === 8 ? deflateRawSync(content) : number === 93 ? zstdCompressSync(content) : content;
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(0x800, 2);
    shared.writeUInt16LE(number, 4);
    shared.writeUInt32LE(entry.checksum ?? crc32(content), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(entry.size ?? content.length, 18);
    shared.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), shared, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    const made = Buffer.from([20, 0]);
    directory.push(
      Buffer.concat([Buffer.from("PK\u0001\u0002"), made, shared, rest, Buffer.from(name)]),
    );
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, central, Buffer.from("PK\u0005\u0006"), end]);
}
