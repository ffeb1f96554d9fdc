import { z } from "zod";
import { askHub } from "./ask-hub.ts";
import { hubAccess } from "./hub-access.ts";
import type { HubSource } from "./read-hub-rows.ts";

const cardSchema = z.object({
  cardData: z.object({ license: z.union([z.string(), z.array(z.string())]) }),
});

/** What the card of a dataset says of its licence at a commit; null where it says nothing. Throws BadInput. */
export async function cardLicense({ dataset, revision }: HubSource): Promise<string | null> {
  const { body } = await askHub(hubAccess().hub, `/api/datasets/${dataset}/revision/${revision}`);
  const card = cardSchema.safeParse(body);
  if (!card.success) return null;
  return spdxId([card.data.cardData.license].flat().join(", ")) || null;
}

/** Cards write ids in lower case. */
const spdxId = (license: string): string =>
  license
    .replace(/^(apache|mit|bsd|cc0|cc|gpl|lgpl|mpl)\b/, (name) => known[name] ?? name)
    .replace(/^CC-(by[a-z-]*)/, (_, terms: string) => `CC-${terms.toUpperCase()}`);

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

/** The page of a dataset on Hugging Face, at the commit. */
export const hubPage = ({ dataset, revision }: HubSource): string =>
  `https://huggingface.co/datasets/${dataset}/tree/${revision}`;
