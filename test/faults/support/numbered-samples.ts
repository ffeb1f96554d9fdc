import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../cli/local/root.ts";
import type { JsonObject } from "../../../shared/contracts/json.ts";

const stock = join(root, "shared", "suites", "extraction", "stock.jsonl");

/**
 * `count` different samples, so that the simulator can tell them apart, made from stock rows of at most `maxChars`
 * characters.
 */
export function numberedSamples(count: number, maxChars = Number.POSITIVE_INFINITY): JsonObject[] {
  const lines = readFileSync(stock, "utf8").trim().split("\n");
  const short = lines.filter(({ length }) => length <= maxChars);
  const rows = short.map((line) => JSON.parse(line) as JsonObject);
  return Array.from({ length: count }, (_, i) => {
    const row = rows[i % rows.length] ?? {};
    return { ...row, id: `sample-${i}`, text: `${row["text"]}\n\nCopy ${i}.` };
  });
}
