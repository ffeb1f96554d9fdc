import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../cli/local/root.ts";

const isCode = (file: string): boolean => /\.(tsx?|astro|mjs|css|sql|toml)$/.test(file);
const isGenerated = (file: string): boolean =>
  /\.gen\.|\.d\.ts$|^migrations\/|worker-configuration/.test(file);
const isTest = (file: string): boolean =>
  /^(test|examples)\/|\.test\.tsx?$|__fixtures__/.test(file);

/** Every file of the repository, by its path from the root. */
export const allFiles = (): string[] =>
  execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((file) => file !== "" && existsSync(join(root, file)));

/** Files of product code: no tests, generated files or data. */
export const productFiles = (): string[] =>
  allFiles().filter((file) => isCode(file) && !isGenerated(file) && !isTest(file));

/** Markdown for readers, without the specification, which is a copy, and the changelog, which is history. */
export const texts = (): string[] =>
  allFiles().filter(
    (file) =>
      /\.md$/.test(file) &&
      !/^(docs\/spec|test|examples)\/|__fixtures__|^CHANGELOG|^LICEN|stock\.md$/.test(file),
  );
