import { z } from "zod";
import type { Json, JsonObject } from "#shared/contracts/json.ts";
import { suggestion } from "#shared/contracts/text/suggestion.ts";
import { BadInput } from "../errors.ts";
import type { HubAccess } from "./ask-hub.ts";
import { type DatasetPages, datasetPages, type PageCache } from "./dataset-pages.ts";

/** Maximum rows of the dataset viewer in one call. */
const PAGE_ROWS = 100;

/** The service's limit for answers; takes a thousand calls. */
const MAX_ROWS = 100_000;

const pageSchema = z.object({
  rows: z.array(
    z.object({
      row_idx: z.int().nonnegative(),
      row: z.record(z.string(), z.custom<Json>()),
      truncated_cells: z.array(z.string()).default([]),
    }),
  ),
  num_rows_total: z.int().nonnegative(),
  partial: z.boolean().default(false),
});
type Page = z.infer<typeof pageSchema>;

const splitsSchema = z.object({
  splits: z.array(z.object({ config: z.string(), split: z.string() })),
});

/** The part of a dataset to read, if chosen. */
interface SplitChoice {
  config: string | null;
  split: string | null;
  /** Whether the only config or split is used even if it has another name. */
  takesOnly?: boolean;
}

export interface HubTask extends SplitChoice {
  /** `owner/name`. */
  dataset: string;
  /** A commit's SHA or its first digits; null for the newest commit. */
  revision: string | null;
  access: HubAccess;
  cache: PageCache;
  /** Called after each page. */
  onProgress(done: number, total: number): void;
}

/** Source of rows, including the commit. */
export interface HubSource {
  dataset: string;
  config: string;
  split: string;
  revision: string;
}

/**
 * Reads all rows of a split, at one commit, in their order. `parts`: number of splits in all configurations. Throws
 * BadInput if rows are missing or cut.
 */
export async function readHubRows(
  task: HubTask,
): Promise<{ source: HubSource; parts: number; rows: JsonObject[] }> {
  const { dataset, revision, access, cache } = task;
  const pages = await datasetPages(access, dataset, revision, cache);
  const { parts, ...part } = await chooseSplit(pages, dataset, task);
  const rows: JsonObject[] = [];
  for (let total = 1; rows.length < total; ) {
    const page = await readPage(pages, { dataset, ...part, offset: rows.length });
    total = page.num_rows_total;
    rows.push(...page.rows.map(({ row }) => row));
    task.onProgress(rows.length, total);
  }
  await pages.confirm();
  return { source: { dataset, ...part, revision: pages.sha }, parts, rows };
}

/** The requested part of a dataset, or the only one. Throws BadInput that lists the parts. */
async function chooseSplit(
  pages: DatasetPages,
  dataset: string,
  { config, split, takesOnly = false }: SplitChoice,
): Promise<{ config: string; split: string; parts: number }> {
  const path = `/splits?${new URLSearchParams({ dataset })}`;
  const { splits } = await pages.read({ key: ["splits"], path, schema: splitsSchema });
  const configs = [...new Set(splits.map((one) => one.config))];
  const chosen = oneOf(
    dataset,
    "config",
    takesOnly && configs.length === 1 ? null : config,
    configs,
  );
  const names = splits.filter((one) => one.config === chosen).map((one) => one.split);
  const wanted = takesOnly && names.length === 1 ? null : split;
  return { config: chosen, split: oneOf(dataset, "split", wanted, names), parts: splits.length };
}

function oneOf(
  dataset: string,
  what: "config" | "split",
  wanted: string | null,
  there: readonly string[],
): string {
  const [only, ...others] = there;
  if (only === undefined) throw new BadInput(`hf:${dataset}: it has no readable ${what}`);
  if (wanted === null && others.length === 0) return only;
  const list = there.join(", ");
  if (wanted === null)
    throw new BadInput(
      `hf:${dataset}: choose one with --${what}: ${list}; in a config file with dataset.${what}`,
    );
  if (there.includes(wanted)) return wanted;
  const hint = suggestion(wanted, there) || `; choose ${list}`;
  throw new BadInput(`hf:${dataset}: there is no ${what} "${wanted}"${hint}`);
}

function readPage(
  pages: DatasetPages,
  { dataset, config, split, offset }: Omit<HubSource, "revision"> & { offset: number },
): Promise<Page> {
  const query = { dataset, config, split, offset: `${offset}`, length: `${PAGE_ROWS}` };
  const path = `/rows?${new URLSearchParams(query)}`;
  const check = (page: Page) => refuseUnfit(dataset, page, offset);
  return pages.read({ key: [config, split, `${offset}`], path, schema: pageSchema, check });
}

function refuseUnfit(dataset: string, page: Page, offset: number): void {
  const { rows, num_rows_total: total, partial } = page;
  const refuse = (why: string): never => {
    throw new BadInput(`hf:${dataset}: ${why}`);
  };
  const instead = "download its files and import those";
  if (partial) {
    refuse(`the dataset viewer has only the first ${total} rows of this large dataset: ${instead}`);
  }
  if (total === 0) refuse("the split has no row");
  if (total > MAX_ROWS) refuse(`it has ${total} rows, more than ${MAX_ROWS}: ${instead}`);
  const cut = rows.find((row) => row.truncated_cells.length > 0);
  if (cut !== undefined) {
    const names = cut.truncated_cells.join(", ");
    refuse(`row ${cut.row_idx}: the dataset viewer cut off ${names}: ${instead}`);
  }
  const isWhole =
    rows.length === Math.min(PAGE_ROWS, total - offset) &&
    rows.every(({ row_idx: at }, i) => at === offset + i);
  if (!isWhole) refuse(`the dataset viewer left out rows from ${offset} on: try again later`);
}
