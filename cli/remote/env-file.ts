import { readFileSync, statSync } from "node:fs";
import { parseEnv } from "node:util";
import { BadInput } from "../errors.ts";

/** Variables that a file `.env` has set. */
const setByFile = new Set<string>();

/**
 * Adds the variables of a file `.env` to `env`, except variables that `env` already has. Does nothing without the file,
 * or if it is a folder, such as a Python environment.
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
 * Throws BadInput if a file `.env` sets the address but not the key. The folder may be from someone else, and a
 * key from the environment must not be sent to an address from their file.
 */
export function refuseForeignAddress(address: string, key: string): void {
  if (!setByFile.has(address) || setByFile.has(key)) return;
  throw new BadInput(
    `${key} of the environment is not sent to the address that .env names as ${address}: set ${address} in the environment too, or put both into .env`,
  );
}
