import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Comparison, comparisonSchema } from "#shared/contracts/comparison.ts";
import { contentHash } from "#shared/contracts/content-hash.ts";
import type { ComparisonRequest } from "./comparison-request.ts";

const fileOf = (dir: string, { runs }: ComparisonRequest): string =>
  join(dir, `comparison-${contentHash(runs).slice(0, 32)}.json`);

export async function keptComparison(
  dir: string,
  request: ComparisonRequest,
): Promise<Comparison | null> {
  try {
    return comparisonSchema.parse(JSON.parse(await readFile(fileOf(dir, request), "utf8")));
  } catch {
    // Missing, cut short by a killed build, or of an older contract: fetched again.
    return null;
  }
}

export async function keepComparison(
  dir: string,
  request: ComparisonRequest,
  comparison: Comparison,
): Promise<void> {
  await mkdir(dir, { recursive: true });
  const file = fileOf(dir, request);
  await writeFile(`${file}.part`, JSON.stringify(comparison));
  await rename(`${file}.part`, file);
}
