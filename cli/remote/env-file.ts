import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { BadInput } from "../errors.ts";

/** Variables that a file `.env` set, which the environment did not have. */
const setByFile = new Set<string>();

/**
 * Takes the variables of a file `.env` into `env`, except those that `env` has. Does nothing where there is no such
 * file.
 */
export function loadEnvFile(path: string, env: NodeJS.ProcessEnv): void {
  if (!existsSync(path)) return;
  for (const [name, value] of Object.entries(parseEnv(readFileSync(path, "utf8")))) {
    if (env[name] !== undefined) continue;
    env[name] = value;
    setByFile.add(name);
  }
}

/**
 * Throws BadInput where a file `.env` names the address but not the key: the folder may be somebody else's, and a
 * key of the environment must not go to an address that such a file names.
 */
export function refuseForeignAddress(address: string, key: string): void {
  if (!setByFile.has(address) || setByFile.has(key)) return;
  throw new BadInput(
    `${key} of the environment is not sent to the address that .env names as ${address}: set ${address} in the environment too, or put both into .env`,
  );
}
