import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { ownerFolder, writeOwnerFile } from "../files/owner-only.ts";

/** Maximum bytes of a stored answer. Longer answers are rare and would displace many others. */
const MAX_ANSWER_BYTES = 1 << 20;
/** Maximum bytes of all answers; the least recently used ones are deleted first. */
const MAX_BYTES = 512 << 20;
/** Share that remains after a deletion, so that not every new answer causes one. */
const KEPT_SHARE = 0.9;
/** A file takes at least a block of the disk. */
const BLOCK_BYTES = 4_096;

const keyPattern = /^[0-9a-f]{64}$/;

/** Stored answers by the hash of their request. */
export type AnswerFiles = ReturnType<typeof answerFiles>;

/**
 * Answers in a folder, one file each, named by the SHA-256 of the request. Only the owner can read them. Above the size
 * limit, the least recently used answers are deleted. Other files in the folder are not touched.
 */
export function answerFiles(folder: string, maxBytes = MAX_BYTES) {
  /** Sizes by key, the least recently used first; null until the first use. */
  let sizes: Map<string, number> | null = null;
  let total = 0;
  const known = (): Map<string, number> => {
    if (sizes === null) {
      sizes = sizesIn(folder);
      for (const bytes of sizes.values()) total += bytes;
    }
    return sizes;
  };
  const pathOf = (key: string) => join(folder, key.slice(0, 2), `${key}.json`);
  const forget = (key: string) => {
    const bytes = known().get(key) ?? 0;
    known().delete(key);
    total -= bytes;
  };
  const use = (key: string, bytes: number) => {
    forget(key);
    known().set(key, bytes);
    total += bytes;
  };
  const deleteOld = () => {
    if (total <= maxBytes) return;
    for (const key of known().keys()) {
      if (total <= KEPT_SHARE * maxBytes) return;
      rmSync(pathOf(key), { force: true });
      forget(key);
    }
  };
  return {
    /** Null if no answer is stored. */
    read(key: string): string | null {
      if (!keyPattern.test(key)) return null;
      try {
        const text = readFileSync(pathOf(key), "utf8");
        const now = new Date();
        utimesSync(pathOf(key), now, now);
        use(key, diskBytes(Buffer.byteLength(text)));
        return text;
      } catch {
        return null;
      }
    },
    /** False if the answer can't be stored. */
    write(key: string, text: string): boolean {
      const bytes = Buffer.byteLength(text);
      if (!keyPattern.test(key) || bytes > MAX_ANSWER_BYTES) return false;
      try {
        ownerFolder(folder);
        ownerFolder(join(folder, key.slice(0, 2)));
        const part = `${pathOf(key)}.${process.pid}.part`;
        writeOwnerFile(part, text);
        renameSync(part, pathOf(key));
        use(key, diskBytes(bytes));
        deleteOld();
        return true;
      } catch {
        return false;
      }
    },
  };
}

const diskBytes = (bytes: number): number => BLOCK_BYTES * Math.ceil(bytes / BLOCK_BYTES);

/** Sizes of stored answers in bytes, the least recently used first. */
function sizesIn(folder: string): Map<string, number> {
  const found = names(folder)
    .filter((name) => /^[0-9a-f]{2}$/.test(name))
    .flatMap((part) => names(join(folder, part)).map((name) => join(folder, part, name)))
    .flatMap((path) => {
      const [, key] = /([0-9a-f]{64})\.json$/.exec(path) ?? [];
      const stats = statSync(path, { throwIfNoEntry: false });
      return key === undefined || !stats ? [] : [{ key, size: stats.size, at: stats.mtimeMs }];
    });
  return new Map(found.sort((a, b) => a.at - b.at).map(({ key, size }) => [key, diskBytes(size)]));
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
