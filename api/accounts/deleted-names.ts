import { nameSkeleton } from "#shared/contracts/text/slug.ts";
import type { Platform } from "../platform/platform.ts";

/** Hash that identifies a deleted name. Without the master secret it can't be used to find the name. */
export const deletedHash = ({ sealer }: Pick<Platform, "sealer">, name: string): string =>
  sealer.pseudonym(textOf(name));

const textOf = (name: string): string => `name ${nameSkeleton(name)}`;

/** The text that identifies a person at a provider; a deletion keeps its keyed hash. */
export const identityText = (provider: string, subject: string): string =>
  `identity ${provider}\n${subject}`;

/** Whether the name, or a similar one, belonged to a deleted account, or has the form of the name that replaces it. */
export const isDeletedName = async (
  { sealer, deletions }: Pick<Platform, "sealer" | "deletions">,
  name: string,
): Promise<boolean> =>
  /^deleted(-|$)/.test(name) || (await deletions.isKnown(sealer.pseudonyms(textOf(name))));
