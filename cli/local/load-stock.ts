import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { datasetSchema } from "#shared/contracts/datasets/dataset.ts";
import { suites } from "#shared/suites/registry.ts";
import { type ServiceClient, serviceClient } from "../remote/service-client.ts";
import { root } from "./root.ts";

/** Name of each suite's stock dataset. */
export const stockName = "stock";

/** Loads the stock datasets and returns their versions by suite; repeated loading changes nothing. */
export async function loadStock(service: ServiceClient): Promise<Map<string, string>> {
  const versions = new Map<string, string>();
  for (const { id: suite } of suites) {
    const jsonl = stockFile(suite)!;
    const query = new URLSearchParams({ suite, name: stockName, visibility: "public" });
    const value = await service.upload(`/v1/datasets?${query}`, jsonl, datasetSchema);
    versions.set(suite, value.version);
  }
  return versions;
}

/** A service of this machine; it requires no key unless it is set up to. */
export const localClient = (origin: string, apiKey: string | null = null): ServiceClient =>
  serviceClient({ origin, apiKey }, "admin");

/** The stock dataset of a suite as JSON Lines, unpacked from the installed package; null if the suite has none. */
export function stockFile(suite: string): Buffer | null {
  const path = join(root, "shared", "suites", suite, "stock.jsonl");
  if (existsSync(path)) return readFileSync(path);
  return existsSync(`${path}.br`) ? brotliDecompressSync(readFileSync(`${path}.br`)) : null;
}
