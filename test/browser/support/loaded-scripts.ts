import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import type { PageTag } from "./page-tags.ts";

/** A module, as it is served. */
interface LoadedScript {
  path: string;
  text: string;
}

/** Modules that a page of a built site loads or may load later: those it names and all that these import. */
export async function loadedScripts(
  dist: string,
  tags: readonly PageTag[],
): Promise<LoadedScript[]> {
  const loaded = new Map<string, LoadedScript>();
  const left = tags.flatMap(({ name, attributes }) => {
    const isPreloaded = name === "link" && attributes.get("rel") === "modulepreload";
    return attributes.get(isPreloaded ? "href" : name === "script" ? "src" : "") ?? [];
  });
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (loaded.has(path)) continue;
    const text = await readFile(join(dist, path), "utf8");
    loaded.set(path, { path, text });
    left.push(...importsOf(path, text));
  }
  return [...loaded.values()];
}

/** `import … from "./x.js"`, `import "./x.js"` and `import("./x.js")`, as the bundler writes them. */
function importsOf(path: string, text: string): string[] {
  const found = text.matchAll(/\b(?:from|import)\s*\(?\s*["'`](\.{1,2}\/[^"'`]+)["'`]/g);
  return [...found].map(([, name = ""]) => posix.join(posix.dirname(path), name));
}
