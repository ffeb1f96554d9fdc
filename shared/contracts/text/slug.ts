import { z } from "zod";
import { textHash } from "../content-hash.ts";
import { type InferenceSettings, settingsSlug } from "../submissions/inference-settings.ts";

const part = "[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?";

/** An account's public name, the first part of its models' slugs. */
export const ownerSchema = z
  .string()
  .max(64)
  .regex(new RegExp(`^${part}$`), {
    error: "must be lower case, letters, digits and . _ - between them",
  });

/** An account's name, a slash, and the name of one of its models, datasets or other items. */
export const slugPattern = new RegExp(`^${part}/${part}$`);

/** A model's public name, `owner/model`, in lower case. */
export const slugSchema = z
  .string()
  .max(129)
  .regex(slugPattern, {
    error: "must be owner/model in lower case, letters, digits and . _ - between them",
  })
  .meta({ description: "owner/model", example: "acme/extract-7b" });

/**
 * A part of a slug, from a display name or a login. Empty if the name has no ASCII letter or digit.
 * @example slugPart("Llama 3.1 (8B)") // "llama-3.1-8b"
 */
export function slugPart(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .slice(0, MOST_PART)
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, "");
}

/** Maximum length of a part of a slug, and digits of a hash in it. */
const MOST_PART = 64;
const HASH = 8;

/** Two hyphens followed by what looks like settings: reserved for a model's actual settings. */
const likeSettings =
  /(?<!-)--(?=[a-z0-9.-]*(effort|thinking|temperature|top-p|seed|tokens|calls|settings))/g;

/**
 * The slug of a model: the given one, or one made from owner and name; inference settings follow after two hyphens.
 * Models with other settings, or with a name that looks like settings, have other slugs.
 * @example modelSlug({ name: "Llama 3.1" }, "acme") // "acme/llama-3.1"
 * @example modelSlug({ name: "GPT", endpoint: { settings: { reasoningEffort: "high" } } }, "acme") // "acme/gpt--high-effort"
 */
export function modelSlug(
  {
    slug,
    name,
    endpoint,
  }: {
    slug?: string | undefined;
    name: string;
    endpoint?: { settings?: InferenceSettings | undefined } | undefined;
  },
  owner: string,
): string {
  const own = slug ?? `${owner}/${slugPart(name)}`;
  const end = settingsSlug(endpoint?.settings);
  if (own.endsWith("/") || (end !== "" && own.endsWith(`--${end}`))) return own;
  const plain = own.replace(likeSettings, "-");
  if (end === "") return plain;
  const [account, model = ""] = plain.split("/");
  const room = MOST_PART - 2 - end.length;
  if (model.length <= room) return `${account}/${model}--${end}`;
  // A hash distinguishes long names that differ only at their ends.
  const hash = textHash(model).slice(0, HASH);
  const cut = model.slice(0, room - 1 - HASH).replace(/[^a-z0-9]+$/, "");
  return `${account}/${cut}-${hash}--${end}`;
}

/** Characters that look alike in lower-case ASCII names; longer sequences first. */
const lookAlikes: readonly [shape: RegExp, sameAs: string][] = [
  [/rn/g, "m"],
  [/vv/g, "w"],
  [/0/g, "o"],
  [/[1i]/g, "l"],
  [/3/g, "e"],
  [/5/g, "s"],
];

/**
 * The appearance of a name: names with the same skeleton are easily confused. Ignores compatibility variants (NFKC),
 * case, separators and invisible characters. Linear; empty for a name without a letter or digit.
 * Source: Unicode UTS #39, skeletons of confusables, for the letters and digits that names may have.
 * @example nameSkeleton("St0ck") === nameSkeleton("stock") // true
 */
export function nameSkeleton(name: string): string {
  const plain = name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
  return lookAlikes.reduce((text, [shape, sameAs]) => text.replace(shape, sameAs), plain);
}
