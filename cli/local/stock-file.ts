import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { root } from "./root.ts";

/** The stock dataset of a suite as JSON Lines, compressed in an installed package; null if it has none. */
export function stockFile(suite: string): Buffer | null {
  const path = join(root, "shared", "suites", suite, "stock.jsonl");
  if (existsSync(path)) return readFileSync(path);
  return existsSync(`${path}.br`) ? brotliDecompressSync(readFileSync(`${path}.br`)) : null;
}
