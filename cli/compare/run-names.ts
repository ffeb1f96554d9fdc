import { normalize, sep } from "node:path";

/**
 * What runs are called: their files without folder and `.jsonl`, with as many folders as tell them
 * apart; the paths themselves where folders do not. Paths of different files give different names.
 * @example runNames(["a/answers.jsonl", "b/answers.jsonl", "c.jsonl"]) // ["a/answers", "b/answers", "c"]
 */
export function runNames(paths: readonly string[]): string[] {
  const parts = paths.map(partsOf);
  const depths = paths.map(() => 1);
  for (;;) {
    const names = parts.map((all, i) => all.slice(-depths[i]!).join("/"));
    const shared = [...names.keys()].filter((i) => names.indexOf(names[i]!) !== i);
    if (shared.length === 0) return names;
    const alike = new Set(shared.map((i) => names[i]!));
    const longer = [...names.keys()].filter(
      (i) => alike.has(names[i]!) && depths[i]! < parts[i]!.length,
    );
    if (longer.length === 0) return [...paths];
    for (const i of longer) depths[i]!++;
  }
}

function partsOf(path: string): string[] {
  if (path === "-") return ["stdin"];
  const parts = normalize(path)
    .replace(/(?<=[^/\\])\.jsonl$/i, "")
    .split(sep);
  return parts.filter((part) => part !== "");
}
