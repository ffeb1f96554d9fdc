import { createHash } from "node:crypto";
import { rowText } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";

/** The service takes no row that is nested deeper, and reading it may take forever. */
const MAX_DEPTH = 128;

/**
 * The version that the service gives a dataset of these rows, worked out row by row: SHA-256 of the
 * rows as the service stores them, one a line. A row that the service would not take counts as it stands in the file.
 */
export class DatasetVersion {
  readonly #hash = createHash("sha256");
  #rows = 0;

  add(row: Json, bytes: Buffer): void {
    if (this.#rows++ > 0) this.#hash.update("\n");
    this.#hash.update(isDeeper(row, MAX_DEPTH) ? bytes : rowText(row));
  }

  /** In hex; nothing can be added afterwards. */
  digest(): string {
    return this.#hash.digest("hex");
  }
}

function isDeeper(value: Json, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((part) => isDeeper(part, depth - 1));
}
