import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The version of this package. */
export function version(): string {
  const text = readFileSync(join(root, "package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

/**
 * The revision of this code: the clone's commit, with -dirty if files differ, otherwise the package's version.
 * @example codeRevision() // "e14220f0…", or "v0.1.0" where it was installed as a package
 */
export function codeRevision(): string {
  // A package installed within another clone is not part of its commits.
  const top = git("rev-parse", "--show-prefix");
  const commit =
    top === "" ? git("describe", "--always", "--dirty", "--abbrev=40", "--exclude=*") : null;
  return commit ?? `v${packageVersion()}`;
}

function git(...args: string[]): string | null {
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return String(version);
}
