import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../cli/local/root.ts";
import type { JsonObject } from "../../../shared/contracts/json.ts";

const stock = join(root, "shared", "suites", "extraction", "stock.jsonl");

/** `count` samples that are all different, so that the simulator tells them apart. */
export function numberedSamples(count: number): JsonObject[] {
  const lines = readFileSync(stock, "utf8").trim().split("\n");
  const rows = lines.map((line) => JSON.parse(line) as JsonObject);
  return Array.from({ length: count }, (_, i) => {
    const row = rows[i % rows.length] ?? {};
    return { ...row, id: `sample-${i}`, text: `${row["text"]}\n\nCopy ${i}.` };
  });
}
