import { isJsonObject, type Json, type JsonObject } from "../../../../contracts/json.ts";
import { isTooDeep } from "../../../../measures/json-output/nesting.ts";
import { Budget } from "../../world/functions.ts";
import { object, structured } from "./simulated.ts";

/** A folder is an object with its entries; a file is its text. */
export type Folder = JsonObject;

const nameless = /[|/\\?%*:"><]/;

/** Whether a name is invalid for files and folders. */
export const isWrongName = (name: string): boolean => nameless.test(name);

/** A folder from BFCL's configuration. */
export function folderOf(contents: JsonObject): Folder {
  const entries = Object.entries(contents).map(([name, given]): [string, Json] => {
    const { type, content = "", contents: inner = {} } = object(given);
    return [name, type === "directory" ? folderOf(object(inner)) : structured(content)];
  });
  return Object.fromEntries(entries);
}

/** Maximum depth of folders: more than any task needs, and few enough for recursion. */
const mostLevels = 100;
/** Maximum parts visited by all calls, as a budget counts them: the largest world 160 times, in about a second. */
const mostSeen = 2_000_000;

/** Folders and files, and the current folder. */
export class FileTree {
  /** Limits the parts that all calls add, because each copy of a folder could double it. */
  readonly #added = new Budget();
  /** Limits the parts that walks through folders visit. */
  readonly seen = new Budget(mostSeen);
  readonly #root: { name: string; folder: Folder };
  #path: { name: string; folder: Folder }[];

  constructor(name: string, folder: Folder) {
    this.#root = { name, folder };
    this.#path = [this.#root];
  }

  get here(): Folder {
    return this.#path.at(-1)!.folder;
  }

  get names(): string[] {
    return this.#path.map(({ name }) => name);
  }

  get isAtRoot(): boolean {
    return this.#path.length === 1;
  }

  /** An entry of the current folder. */
  entry(name: Json | undefined): Json | undefined {
    return typeof name === "string" && Object.hasOwn(this.here, name) ? this.here[name] : undefined;
  }

  /** The text of a file in the current folder; null if there is none. */
  file(name: Json | undefined): string | null {
    const its = this.entry(name);
    return isJsonObject(its) || its === undefined ? null : textIn(its);
  }

  /** A deep copy for the current folder or one in it. Throws once calls add too much. */
  copy(item: Json): Json {
    this.checkDepth(item);
    return this.#added.copy(item);
  }

  /** Throws if a folder would be nested too deeply in a subfolder of the current folder. */
  checkDepth(item: Json): void {
    if (isTooDeep(item, Math.max(0, mostLevels - this.#path.length)))
      throw new Error(`folders are nested deeper than ${mostLevels}`);
  }

  up(): void {
    this.#path = this.#path.slice(0, -1);
  }

  /** The folders from the root to the folder at a path; null if there is no such folder. */
  folderAt(path: string): { name: string; folder: Folder }[] | null {
    if (path === ".") return this.#path;
    const found = path.startsWith("/") ? [this.#root] : [...this.#path];
    for (const name of path.split("/").filter((part) => part !== "" && part !== ".")) {
      const { folder } = found.at(-1)!;
      const its = Object.hasOwn(folder, name) ? folder[name] : undefined;
      if (!isJsonObject(its)) return null;
      found.push({ name, folder: its });
    }
    return found;
  }

  enter(path: { name: string; folder: Folder }[]): void {
    this.#path = path;
  }
}

/** The text of a file; throws if a call wrote another value. */
function textIn(content: Json): string {
  if (typeof content === "string") return content;
  throw new Error("the content of the file is no text");
}

/** Line ends as in Python's `splitlines`. */
const lineEnds = new RegExp(
  `\\r\\n|[\\n\\r\\v\\f${[0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029].map((code) => String.fromCharCode(code)).join("")}]`,
);

/** Like Python's `splitlines`: no empty line at the end. */
export function linesOf(content: string): string[] {
  const lines = content.split(lineEnds);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Paths below a folder whose last part contains a text. Throws `ExpressionError` if the budget is spent. */
export function pathsIn(folder: Folder, base: string, part: string, budget: Budget): string[] {
  return Object.entries(folder).flatMap(([name, its]) => {
    const path = `${base}/${name}`;
    budget.spend(1 + path.length / 8);
    const below = isJsonObject(its) ? pathsIn(its, path, part, budget) : [];
    return name.includes(part) ? [path, ...below] : below;
  });
}

/** Bytes of all files in UTF-8. Throws `ExpressionError` if the budget is spent. */
export function bytesIn(its: Json, budget: Budget): number {
  budget.spend(1);
  if (isJsonObject(its)) {
    return Object.values(its).reduce((sum: number, one) => sum + bytesIn(one, budget), 0);
  }
  const content = textIn(its);
  budget.spend(content.length / 8);
  return Array.from(content).reduce((sum, char) => {
    const code = char.codePointAt(0)!;
    return sum + (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);
  }, 0);
}

/** A number of bytes with a readable unit. */
export function shortSize(bytes: number): string {
  let size = bytes;
  for (const unit of ["B", "KB", "MB", "GB", "TB"]) {
    if (size < 1024) return `${size.toFixed(2)} ${unit}`;
    size /= 1024;
  }
  return `${size.toFixed(2)} PB`;
}
