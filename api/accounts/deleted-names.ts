import { nameSkeleton } from "#shared/contracts/text/slug.ts";
import type { Platform } from "../platform/platform.ts";

/** The hash by which a deleted name is known. Without the master secret it is of no use to find the name. */
export const deletedHash = ({ sealer }: Pick<Platform, "sealer">, name: string): string =>
  sealer.pseudonym(textOf(name));

const textOf = (name: string): string => `name ${nameSkeleton(name)}`;

/** The text of a person at a provider whose keyed hash a deletion keeps. */
export const identityText = (provider: string, subject: string): string =>
  `identity ${provider}\n${subject}`;

/** Whether the name, or one that looks like it, was that of a deleted account, or names one. */
export const isDeletedName = async (
  { sealer, deletions }: Pick<Platform, "sealer" | "deletions">,
  name: string,
): Promise<boolean> =>
  /^deleted(-|$)/.test(name) || (await deletions.isKnown(sealer.pseudonyms(textOf(name))));
