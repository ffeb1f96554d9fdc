import type { Dataset } from "#shared/contracts/datasets/dataset.ts";
import { getJson } from "./api.ts";

export interface DatasetOption {
  /** Its name in requests; for the newest version, the name only. */
  ref: string;
  label: string;
  name: string;
  version: string;
}

type Listed = Pick<Dataset, "name" | "version" | "samples" | "visibility">;

/** Datasets per page, and maximum pages: a longer list would be useless. */
const pageEntries = 200;
const mostPages = 10;

/** The listed datasets of a suite, page by page; of a long list the first 2,000 versions. */
export async function listedDatasets(suite: string, signal?: AbortSignal): Promise<Listed[]> {
  const datasets: Listed[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < mostPages; page++) {
    const query = new URLSearchParams({ suite, limit: `${pageEntries}` });
    if (cursor !== null) query.set("cursor", cursor);
    const read: { datasets: Listed[]; nextCursor?: string | null } = await getJson(
      `/v1/datasets?${query}`,
      signal ? { signal } : {},
    );
    datasets.push(...read.datasets);
    cursor = read.nextCursor ?? null;
    if (cursor === null) break;
  }
  return datasets;
}

/** Characters of a version that identify it in requests. */
const versionLength = 12;

/**
 * Dataset versions as choices; in `datasets`, the newest version of a name comes first. A name without a version means
 * the newest version that everybody may use, so a private one is named with its version.
 */
export function datasetOptions(datasets: readonly Listed[]): DatasetOption[] {
  const seen = new Set<string>();
  return datasets.map(({ name, version, samples, visibility }) => {
    const isPrivate = visibility === "private";
    const isNewest = !isPrivate && !seen.has(name);
    if (!isPrivate) seen.add(name);
    const short = version.slice(0, versionLength);
    const count = `${samples} ${isPrivate ? "hidden " : ""}${samples === 1 ? "sample" : "samples"}`;
    return isNewest
      ? { ref: name, label: `${name} (${count})`, name, version }
      : { ref: `${name}@${short}`, label: `${name}, version ${short} (${count})`, name, version };
  });
}

/** The name of a version in requests: that in the list, or else name and version. */
export const datasetRef = (
  options: readonly DatasetOption[],
  { name, version }: Pick<DatasetOption, "name" | "version">,
): string =>
  options.find((option) => option.name === name && option.version === version)?.ref ??
  `${name}@${version.slice(0, versionLength)}`;
