import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The folder of the package that a bundled file belongs to, such as `node_modules/@noble/hashes`; null for own files.
 * The path may start outside the project: bundlers write it relative to a folder of their choice.
 */
export const packageOf = (file: string): string | null =>
  /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? null;

/** Copyright lines, which differ between packages with the same licence text. */
const isHolder = /^\s*(?:copyright|\(c\)|©)/i;

/**
 * The licences of packages, by their folders within `root`: each text once, below the packages that it applies to and
 * their copyright lines. Throws if a package states no licence.
 */
export function licences(root: string, packages: ReadonlySet<string>): string {
  const byText = new Map<string, { text: string; names: string[] }>();
  for (const path of [...packages].toSorted()) {
    const folder = join(root, path);
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    ) as { name: string; version: string; license?: string };
    const texts = readdirSync(folder)
      .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
      .toSorted()
      .map((file) => readFileSync(join(folder, file), "utf8").trim());
    if (license === undefined && texts.length === 0) {
      throw new Error(`${name}: no licence found in ${folder}`);
    }
    const text = texts.length > 0 ? texts.join("\n\n") : `Licence: ${license}`;
    const lines = text.split("\n");
    const holders = lines.filter((line) => isHolder.test(line)).map((line) => line.trim());
    const rest = lines
      .filter((line) => !isHolder.test(line))
      .join("\n")
      .trim();
    const key = rest.replaceAll(/\s+/g, " ");
    const same = byText.get(key) ?? { text: rest, names: [] };
    same.names.push([`${name} ${version}`, ...holders].join("\n  "));
    byText.set(key, same);
  }
  const parts = [...byText.values()].map(({ text, names }) => `${names.join("\n")}\n\n${text}\n`);
  return `This package includes parts of the packages below.\n\n${parts.join(`\n${"-".repeat(80)}\n\n`)}`;
}
