import { readFileSync, statSync } from "node:fs";
import { parseEnv } from "node:util";
import { BadInput } from "../errors.ts";

/** Variables that only a file `.env` set. */
const setByFile = new Set<string>();

/**
 * Adds the variables of a file `.env` to `env`, except those that `env` has. Does nothing without such a file, or where
 * it is a folder, as environments of Python are.
 */
export function loadEnvFile(path: string, env: NodeJS.ProcessEnv): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== false) return;
  for (const [name, value] of Object.entries(parseEnv(readFileSync(path, "utf8")))) {
    if (env[name] !== undefined) continue;
    env[name] = value;
    setByFile.add(name);
  }
}

/**
 * Throws BadInput if a file `.env` sets the address but not the key: the folder may be from someone else, and a
 * key of the environment must not be sent to an address from such a file.
 */
export function refuseForeignAddress(address: string, key: string): void {
  if (!setByFile.has(address) || setByFile.has(key)) return;
  throw new BadInput(
    `${key} of the environment is not sent to the address that .env names as ${address}: set ${address} in the environment too, or put both into .env`,
  );
}
