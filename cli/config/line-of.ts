import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter } from "yaml";
import { aliasesOf } from "./aliases.ts";
import type { KeyPath } from "./finding.ts";

/** The line of a value's key; where it does not stand in the file, that of what would hold it. */
export function lineOf(doc: Document, lines: LineCounter, path: KeyPath): number {
  let node: unknown = doc.contents;
  let offset = doc.contents?.range?.[0] ?? 0;
  for (const [depth, part] of path.entries()) {
    if (isAlias(node)) node = node.resolve(doc);
    if (isMap(node)) {
      const names = [String(part), ...aliasesOf(path.slice(0, depth), String(part))];
      const pair = node.items.find(({ key }) => isScalar(key) && names.includes(String(key.value)));
      if (pair === undefined) break;
      offset = isScalar(pair.key) ? (pair.key.range?.[0] ?? offset) : offset;
      node = pair.value;
    } else if (isSeq(node)) {
      const item = node.items[Number(part)] as { range?: [number, number, number] } | undefined;
      offset = item?.range?.[0] ?? offset;
      node = item;
    } else break;
  }
  return Math.max(1, lines.linePos(offset).line);
}
