import { Buffer } from "node:buffer";
import {
  type Dataset,
  datasetSchema,
  type ListedDataset,
  listedDatasetSchema,
} from "#shared/contracts/dataset.ts";
import { usageSchema } from "#shared/contracts/usage.ts";
import { BadInput } from "../bad-input.ts";
import { everyPage } from "../remote/every-page.ts";
import type { ServiceClient } from "../remote/service-client.ts";

/** A version of a dataset; what it is made visible as where it is uploaded. */
type Version = Pick<Dataset, "suite" | "name" | "version" | "visibility">;

interface Upload {
  mayUpload: boolean;
  /** Say what would be in the way, and upload nothing. */
  isDry: boolean;
  tell?: (line: string) => void;
}

/**
 * The reference of a dataset at a service that has the same samples, by the hash of their content; uploaded
 * there where that is wanted. Throws BadInput where the service lacks it.
 */
export async function publishedDataset(
  here: ServiceClient,
  there: ServiceClient,
  { suite, name, version, visibility }: Version,
  { mayUpload, isDry, tell = () => {} }: Upload,
): Promise<string> {
  const same = await listed(there, { suite, version });
  const known = same.find((one) => one.name === name) ?? same[0];
  const reference = `${known?.name ?? name}@${version}`;
  if (known !== undefined || (isDry && mayUpload)) return reference;
  if (!mayUpload) {
    throw new BadInput(
      `${there.origin} has no dataset with the samples of ${name} (version ${version.slice(0, 12)}): give --push-dataset to upload it there, for everybody to read unless --unlisted is given`,
    );
  }
  const own = new URLSearchParams({ suite, dataset: `${name}@${version}` });
  const rows = await new Response(await here.download(`/v1/dataset.jsonl?${own}`)).arrayBuffer();
  const { owner } = (await there.get("/v1/usage", usageSchema.pick({ owner: true }))).value;
  // Names of an account's datasets begin with it.
  const named = name.startsWith(`${owner}/`) ? name : `${owner}/${name.split("/").at(-1)}`;
  const query = new URLSearchParams({ suite, name: named, visibility });
  const { value } = await there.upload(`/v1/datasets?${query}`, Buffer.from(rows), datasetSchema);
  if (value.version !== version) {
    throw new BadInput(
      `${there.origin} makes version ${value.version.slice(0, 12)} of ${name}, not ${version.slice(0, 12)}: is it a service of this version?`,
    );
  }
  tell(`uploaded the dataset ${value.name} to ${there.origin}, ${value.visibility}`);
  return `${value.name}@${version}`;
}

/** What a service lists by a name, or name@version; null where it lists none. */
export async function namedDataset(
  service: ServiceClient,
  suite: string,
  reference: string,
): Promise<ListedDataset | null> {
  const [name = "", version = ""] = reference.split("@");
  const all = await listed(service, { suite, name });
  return all.find((one) => one.version.startsWith(version)) ?? null;
}

const listed = (service: ServiceClient, query: Record<string, string>): Promise<ListedDataset[]> =>
  everyPage(service, `/v1/datasets?${new URLSearchParams(query)}`, "datasets", listedDatasetSchema);
