import { BadInput } from "../errors.ts";

/** First bytes of files that users often pass instead of text, and what to do about them. */
const signatures: readonly [bytes: readonly number[], what: string][] = [
  [[0x1f, 0x8b], "gzip-compressed: unpack it first, for example with gunzip"],
  [[0x28, 0xb5, 0x2f, 0xfd], "zstd-compressed: unpack it first, for example with unzstd"],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], "xz-compressed: unpack it first, for example with unxz"],
  [[0x50, 0x4b, 0x03, 0x04], "a zip archive: unpack it first"],
  [
    [0x50, 0x41, 0x52, 0x31],
    "a Parquet file: assay dataset import reads samples from one, assay import parquet answers",
  ],
  [[0xff, 0xfe], "UTF-16 text: save it as UTF-8"],
  [[0xfe, 0xff], "UTF-16 text: save it as UTF-8"],
];

/** Bytes searched for characters that text does not contain. */
const LOOKED_AT = 4096;

/** Throws BadInput if a file with these first bytes is not UTF-8 text. */
export function refuseNonText(file: string, bytes: Buffer): void {
  const known = signatures.find(([start]) => start.every((byte, i) => bytes[i] === byte));
  const what = known?.[1] ?? nulText(bytes.subarray(0, LOOKED_AT));
  if (what !== null) throw new BadInput(`${file}: it is ${what}`);
}

/** UTF-16 without a byte order mark has a zero next to each letter; JSON text has no zeros. */
function nulText(bytes: Buffer): string | null {
  const at = bytes.indexOf(0);
  if (at < 0) return null;
  const isUtf16 = at < 2 && bytes[at + 2] === 0 && bytes[1 - at] !== 0;
  return isUtf16 ? "UTF-16 text: save it as UTF-8" : "a binary file, not JSON lines";
}
