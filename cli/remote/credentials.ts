import { lstatSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { parsedJson } from "#shared/contracts/json.ts";
import { BadInput } from "../errors.ts";
import { ownerFolder, writeOwnerFile } from "../files/owner-only.ts";
import type { ServiceAccess } from "./service-access.ts";

/** A key that `assay login` stored. */
const credentialSchema = z.object({ owner: z.string(), keyId: z.string(), key: z.string() });
export type Credential = z.infer<typeof credentialSchema>;

/** Keys by the origin of their service. */
const fileSchema = z.record(z.string(), credentialSchema);

/** The file: in `XDG_CONFIG_HOME`, by default `~/.config`. */
export const credentialsFile = (): string =>
  join(
    process.env["XDG_CONFIG_HOME"]?.trim() || join(homedir(), ".config"),
    "assay",
    "credentials.json",
  );

/** The stored key of a service, which is sent only to its origin; null without a key. */
export const credentialOf = (origin: string): Credential | null => readAll()[origin] ?? null;

/** Stores the key of a service, or removes it (null). Only the file's owner can read it. */
export function storeCredential(origin: string, credential: Credential | null): void {
  const { [origin]: _, ...others } = readAll();
  const all = credential === null ? others : { ...others, [origin]: credential };
  const file = credentialsFile();
  ownerFolder(dirname(file));
  writeOwnerFile(file, `${JSON.stringify(all, null, 2)}\n`);
}

/** Permissions of the group and others. */
const OTHERS = 0o077;

/** Throws BadInput for a file that others can read or that another user owns, because they know its keys. */
function readAll(): z.infer<typeof fileSchema> {
  const file = credentialsFile();
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return {};
  const isOthers = process.getuid !== undefined && found.uid !== process.getuid();
  // Windows has no such permissions.
  const isOpen = process.platform !== "win32" && (found.mode & OTHERS) !== 0;
  if (!found.isFile() || isOthers) {
    throw new BadInput(`${file} does not belong to you: remove it, and run assay login again`);
  }
  if (isOpen) {
    throw new BadInput(
      `others can read the keys in ${file}: revoke them at /account/ of their services, then remove the file and run assay login again, or run chmod 600 ${file} if nobody else uses this machine`,
    );
  }
  const read = fileSchema.safeParse(parsedJson(readFileSync(file, "utf8")));
  if (read.success) return read.data;
  throw new BadInput(`${file} is damaged: remove it, and run assay login again`);
}

/** Adds the stored key of the service, unless the access has a key from the environment. */
export const withStoredKey = (access: ServiceAccess): ServiceAccess =>
  access.apiKey === null ? { ...access, apiKey: credentialOf(access.origin)?.key ?? null } : access;
