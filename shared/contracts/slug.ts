import { z } from "zod";

const part = "[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?";

/** An account's public name, the first part of its models' slugs. */
export const ownerSchema = z
  .string()
  .max(64)
  .regex(new RegExp(`^${part}$`), {
    error: "must be lower case, letters, digits and . _ - between them",
  });

/** A model's public name, `owner/model`, in lower case. */
export const slugSchema = z
  .string()
  .max(129)
  .regex(new RegExp(`^${part}/${part}$`), {
    error: "must be owner/model in lower case, letters, digits and . _ - between them",
  })
  .meta({ description: "owner/model", example: "acme/extract-7b" });

/**
 * The model part of a slug made from a display name.
 * Empty where the name has no ASCII letter or digit.
 * @example modelPart("Llama 3.1 (8B)") // "llama-3.1-8b"
 */
export function modelPart(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .slice(0, 64)
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, "");
}
