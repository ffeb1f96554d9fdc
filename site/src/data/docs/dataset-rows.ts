import { LinesHash, rowText } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";

/** Facts about a dataset's rows. */
export interface DatasetRows {
  /** The version that the API computes for the same rows. */
  version: string;
  /** For each tag, the number of samples with each value. */
  tags: { name: string; values: { value: string; samples: number }[] }[];
  example: Json;
}

/** Facts about the rows of a dataset; at least one row, each with an id. */
export function readRows(jsonl: string): DatasetRows {
  const lines = jsonl.split("\n").filter((line) => line !== "");
  const hash = new LinesHash();
  const counts = new Map<string, Map<string, number>>();
  for (const line of lines) {
    const row = JSON.parse(line) as { tags?: Record<string, string> };
    hash.add(rowText(row as Json));
    for (const [name, value] of Object.entries(row.tags ?? {})) {
      const of = counts.get(name) ?? new Map<string, number>();
      counts.set(name, of.set(value, (of.get(value) ?? 0) + 1));
    }
  }
  const shortest = lines.reduce((best, line) => (line.length < best.length ? line : best));
  return { version: hash.digest(), tags: [...counts].map(tagOf), example: JSON.parse(shortest) };
}

function tagOf([name, values]: [string, Map<string, number>]): DatasetRows["tags"][number] {
  const counted = [...values].map(([value, samples]) => ({ value, samples }));
  return {
    name,
    values: counted.sort((a, b) => b.samples - a.samples || a.value.localeCompare(b.value)),
  };
}
