import { datasetSchema } from "#shared/contracts/datasets/dataset.ts";
import { suites } from "#shared/suites/registry.ts";
import { importDataset } from "../dataset/import-dataset.ts";
import { stockFile, stockName } from "../local/load-stock.ts";
import { userCache } from "../local/state-folder.ts";
import { serviceAccess } from "../remote/service-access.ts";
import { type ServiceClient, serviceClient } from "../remote/service-client.ts";

/** Data of a deployment's first extraction board: 484 documents with a schema each, Apache-2.0. */
export const FIRST_SOURCE = "hf:paraloq/json_data_extraction";
export const FIRST_NAME = "paraloq";
export const FIRST_SUITE = "extraction";

/** The service with the operator's secret, or an API key with the scope `admin`. */
export const adminClient = (origin: string, key: string, variable: string): ServiceClient =>
  serviceClient(serviceAccess(origin, key, "--origin", variable), "admin");

/** Uploads the stock datasets of the suites; existing ones do not change. Throws BadInput. */
export async function loadStock(service: ServiceClient): Promise<void> {
  for (const { id } of suites) {
    const jsonl = stockFile(id)!;
    const query = new URLSearchParams({ suite: id, name: stockName, visibility: "public" });
    await service.upload(`/v1/datasets?${query}`, jsonl, datasetSchema);
  }
}

/** Imports the first board's data at a commit, by default the newest; returns the commit. Throws BadInput. */
export async function loadFirstDataset(
  service: ServiceClient,
  revision: string | null,
  print: (line: string) => void,
): Promise<string> {
  const suite = suites.find(({ id }) => id === FIRST_SUITE)!;
  const { hub, checked } = await importDataset({
    source: FIRST_SOURCE,
    suite,
    config: null,
    split: null,
    revision,
    out: null,
    stdout: process.stdout,
    cacheFolder: userCache("hugging-face"),
    onProgress: () => {},
    upload: {
      service,
      name: FIRST_NAME,
      visibility: "public",
      license: null,
      correction: null,
      clusters: null,
    },
  });
  const left = checked.malformed.count;
  print(
    `  ${FIRST_NAME}: ${checked.samples} samples at commit ${hub!.revision}${left === 0 ? "" : `; ${left} that can't be used were left out`}`,
  );
  return hub!.revision;
}
