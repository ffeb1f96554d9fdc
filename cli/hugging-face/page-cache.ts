import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileProblem } from "../files/open-file.ts";

/** Replies that never change, because each belongs to a commit. */
export type PageCache = ReturnType<typeof pageCache>;

/** A cache in a folder. Only its owner can read it: a dataset may be private. */
export function pageCache(folder: string) {
  const pathOf = (key: readonly string[]) => `${join(folder, ...key.map(fileName))}.json`;
  return {
    /** Undefined if there is none, or an incomplete one. */
    read(key: readonly string[]): unknown {
      try {
        return JSON.parse(readFileSync(pathOf(key), "utf8"));
      } catch {
        return undefined;
      }
    },
    write(key: readonly string[], value: unknown): void {
      const path = pathOf(key);
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        const part = `${path}.${process.pid}.part`;
        writeFileSync(part, JSON.stringify(value), { mode: 0o600 });
        renameSync(part, path);
      } catch (error) {
        throw fileProblem(path, error);
      }
    },
  };
}

/** Names of configurations may contain anything, including `..`. */
const fileName = (part: string): string => encodeURIComponent(part).replace(/^\.+$/, "_$&");
