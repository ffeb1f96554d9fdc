import { closeSync } from "node:fs";
import { z } from "zod";
import { bounds } from "#shared/contracts/bounds.ts";
import { type Dataset, datasetSchema } from "#shared/contracts/datasets/dataset.ts";
import { longestMapping } from "#shared/contracts/datasets/row-mapping.ts";
import type { Json } from "#shared/contracts/json.ts";
import { BadInput } from "../errors.ts";
import { type OutputPlace, withOutput } from "../files/output-file.ts";
import { askHub, hubAccess } from "../hugging-face/ask-hub.ts";
import type { HubSource } from "../hugging-face/read-hub-rows.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { noUsableSample } from "../score/read-samples.ts";
import { type CheckedDataset, checkDataset } from "./check-dataset.ts";
import type { ImportMapping } from "./row-mapping.ts";
import { hubDataset, openSource, type SourceTask } from "./source-rows.ts";

/** Samples of a preview. */
const SHOWN = 3;

const cardSchema = z.object({
  cardData: z.object({ license: z.union([z.string(), z.array(z.string())]) }),
});

const known: Readonly<Record<string, string>> = {
  apache: "Apache",
  mit: "MIT",
  bsd: "BSD",
  cc0: "CC0",
  cc: "CC",
  gpl: "GPL",
  lgpl: "LGPL",
  mpl: "MPL",
};

/** Destination of an import. */
export interface DatasetUpload {
  service: ServiceClient;
  name: string;
  /** Null: the visibility of the name's newest version; unlisted for a new name. */
  visibility: string | null;
  /** Null: the license in the Hugging Face dataset card, if any. */
  license: string | null;
  /** The corrected version and the reason; null: not a correction. */
  correction: { corrects: string; correction: string } | null;
  /** Which samples share a source; null: not stated. */
  clusters: string | null;
}

/** What to import, and the destination. */
export interface DatasetImport extends SourceTask, OutputPlace {
  /** Null: no upload. */
  upload: DatasetUpload | null;
  /** Other input files, which must not be overwritten. */
  inputs?: readonly string[];
}

/** The result of an import. */
export interface ImportedDataset {
  checked: CheckedDataset;
  hub: HubSource | null;
  /** The stored dataset in the service's format; null without an upload. */
  uploaded: Dataset | null;
  /** The first samples, at most three. */
  first: Json[];
}

/** Imports the usable samples of a dataset; a file appears only when it is complete. Throws BadInput. */
export async function importDataset(task: DatasetImport): Promise<ImportedDataset> {
  const { upload } = task;
  const { file, suite, hub, parts } = await openSource(task);
  const inputs = [
    ...(hubDataset(task.source) === null ? [task.source] : []),
    ...(task.inputs ?? []),
  ];
  try {
    return await withOutput(task, inputs, async (output) => {
      const lines = new LineBytes();
      const first: Json[] = [];
      const checked = checkDataset(file, {
        suite,
        onSample: ({ row }) => {
          if (first.length < SHOWN) first.push(row);
          const line = JSON.stringify(row);
          output?.add(line);
          if (upload !== null) lines.add(line, file.name);
        },
      });
      const advice = task.mapping ? "" : "; --map FIELD=COLUMN takes rows of another shape";
      if (checked.samples === 0) throw noUsableSample(file, checked.malformed, advice);
      const source = hub === null ? null : { ...hub, isOnly: parts === 1 };
      const of = { suite: suite.id, hub: source, mapping: task.mapping ?? null };
      const uploaded = upload === null ? null : await send(upload, of, lines.all());
      return { checked, hub, uploaded, first };
    });
  } finally {
    closeSync(file.fd);
  }
}

/** Lines to send; throws as soon as there are too many. */
class LineBytes {
  readonly #lines: Buffer[] = [];
  #bytes = 0;

  add(line: string, file: string): void {
    const bytes = Buffer.from(`${line}\n`);
    this.#bytes += bytes.length;
    if (this.#bytes > bounds.bodyBytes) {
      const most = `${bounds.bodyBytes >> 20} MB`;
      throw new BadInput(`${file}: it is larger than ${most}, the limit of the service`);
    }
    this.#lines.push(bytes);
  }

  all = (): Buffer => Buffer.concat(this.#lines);
}

async function send(
  { service, name, visibility, license, correction, clusters }: DatasetUpload,
  { suite, hub, mapping }: { suite: string; hub: HubPart | null; mapping: ImportMapping | null },
  jsonl: Buffer,
): Promise<Dataset> {
  const level = visibility === null ? {} : { visibility };
  const query = new URLSearchParams({ suite, name, ...level, ...correction });
  const terms = license ?? (hub === null ? null : await cardLicense(hub));
  if (terms !== null) query.set("license", terms);
  if (clusters !== null) query.set("clusters", clusters);
  if (hub !== null) query.set("source", hubPage(hub));
  if (mapping !== null) query.set("mapping", keptMapping(mapping));
  return await service.upload(`/v1/datasets?${query}`, jsonl, datasetSchema);
}

/** A mapping in the service's stored form. Throws BadInput if it is too long. */
export function keptMapping({ text }: ImportMapping): string {
  const kept = JSON.stringify(text);
  if (kept.length <= longestMapping) return kept;
  throw new BadInput(
    `the mapping has ${kept.length} characters, more than the ${longestMapping} that a service keeps: put long lists into files`,
  );
}

/** The licence in a dataset card at a commit; null if the card states none. Throws BadInput. */
async function cardLicense({ dataset, revision }: HubSource): Promise<string | null> {
  const { body } = await askHub(hubAccess().hub, `/api/datasets/${dataset}/revision/${revision}`);
  const card = cardSchema.safeParse(body);
  if (!card.success) return null;
  return spdxId([card.data.cardData.license].flat().join(", ")) || null;
}

/** Dataset cards have license ids in lower case. */
const spdxId = (license: string): string =>
  license
    .replace(/^(apache|mit|bsd|cc0|cc|gpl|lgpl|mpl)\b/, (name) => known[name] ?? name)
    .replace(/^CC-(by[a-z-]*)/, (_, terms: string) => `CC-${terms.toUpperCase()}`);

/** A split, and whether it is the only split of its dataset. */
type HubPart = HubSource & { isOnly: boolean };

/** The page of a dataset on Hugging Face at the commit, with the split if there are several. */
const hubPage = ({ dataset, config, split, revision, isOnly }: HubPart): string =>
  `https://huggingface.co/datasets/${dataset}/tree/${revision}${isOnly ? "" : partOf({ config, split })}`;

/** The part of the address that names one of several splits. */
export const partOf = ({ config, split }: Pick<HubSource, "config" | "split">): string =>
  `#${encodeURIComponent(config)}/${encodeURIComponent(split)}`;
