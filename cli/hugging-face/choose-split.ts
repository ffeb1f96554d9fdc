import { z } from "zod";
import { BadInput } from "../bad-input.ts";
import { suggestion } from "../suggestion.ts";
import type { DatasetPages } from "./dataset-pages.ts";

const splitsSchema = z.object({
  splits: z.array(z.object({ config: z.string(), split: z.string() })),
});

/** What may be left open of a part of a dataset. */
export interface SplitChoice {
  config: string | null;
  split: string | null;
}

/** The part that is wanted of a dataset, or the only one there is. Throws BadInput, with what there is. */
export async function chooseSplit(
  pages: DatasetPages,
  dataset: string,
  { config, split }: SplitChoice,
): Promise<{ config: string; split: string }> {
  const path = `/splits?${new URLSearchParams({ dataset })}`;
  const { splits } = await pages.read({ key: ["splits"], path, schema: splitsSchema });
  const configs = [...new Set(splits.map((one) => one.config))];
  const chosen = oneOf(dataset, "config", config, configs);
  const names = splits.filter((one) => one.config === chosen).map((one) => one.split);
  return { config: chosen, split: oneOf(dataset, "split", split, names) };
}

function oneOf(
  dataset: string,
  what: "config" | "split",
  wanted: string | null,
  there: readonly string[],
): string {
  const [only, ...others] = there;
  if (only === undefined) throw new BadInput(`hf:${dataset}: it has no ${what} that can be read`);
  if (wanted === null && others.length === 0) return only;
  const list = there.join(", ");
  if (wanted === null) throw new BadInput(`hf:${dataset}: choose one with --${what}: ${list}`);
  if (there.includes(wanted)) return wanted;
  const hint = suggestion(wanted, there) || `; there is ${list}`;
  throw new BadInput(`hf:${dataset}: there is no ${what} "${wanted}"${hint}`);
}
