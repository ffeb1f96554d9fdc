import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../cli/local/root.ts";

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts", "*.astro"], {
  cwd: root,
  encoding: "utf8",
})
  .trim()
  .split("\n")
  .filter((file) => existsSync(join(root, file)))
  .filter((file) => !file.includes(".test.") && !file.includes("__fixtures__"));

const source = (file: string) => readFileSync(join(root, file), "utf8");

/** The imports of a file: paths from the root, or package names. */
function importsOf(file: string): string[] {
  const specifiers = [...source(file).matchAll(/(?:from|import)\s*\(?"([^"]+)"/g)];
  return specifiers.map(([, specifier = ""]) => {
    if (specifier.startsWith("#shared/")) return specifier.slice(1);
    return specifier.startsWith(".") ? normalize(join(dirname(file), specifier)) : specifier;
  });
}

/** For each folder, the imports that are forbidden in it. */
const rules: [folder: string, forbidden: RegExp][] = [
  ["shared/", /^(api|site|cli|test|simulator)\/|^node:|^cloudflare:|^drizzle-orm|^hono|^openai/],
  ["shared/contracts/", /^shared\/(?!contracts\/)/],
  ["shared/measures/", /^shared\/(?!contracts\/|measures\/|stats\/)/],
  ["shared/judges/", /^shared\/(?!contracts\/|judges\/|measures\/|stats\/)/],
  ["shared/protocols/", /^shared\/(?!contracts\/|protocols\/)/],
  ["shared/stats/", /^shared\/(?!contracts\/|stats\/)/],
  ["api/", /^(site|cli|test|simulator)\//],
  ["site/", /^(api|cli|test|simulator)\//],
  ["cli/", /^(api|site|test)\//],
];

it.each(rules)("%s imports nothing that matches %s", (folder, forbidden) => {
  const broken = files
    .filter((file) => file.startsWith(folder))
    .flatMap((file) => importsOf(file).map((imported) => ({ file, imported })))
    .filter(({ imported }) => forbidden.test(imported));
  expect(broken).toEqual([]);
});

const route = /^api\/(http\/|[a-z]+\/([a-z-]+-)?routes\.ts)/;
const store = /^api\/[a-z]+\/([a-z-]+-)?(store|schema|sql)\.ts/;
const entry = /^api\/(index|app|[a-z]+\/openapi)\.ts/;

/** Layers of `api` and their forbidden imports: routes → services → stores. */
const layers: [what: string, is: (file: string) => boolean, forbidden: RegExp][] = [
  ["a route", (file) => route.test(file), /^drizzle-orm|^openai|^api\/providers\/|store\.ts$/],
  ["a store", (file) => store.test(file), /^hono|^@hono|^api\/http\/|routes\.ts$/],
  [
    "a service",
    (file) => !route.test(file) && !store.test(file) && !entry.test(file),
    /^drizzle-orm|^hono|^@hono|^api\/http\/|routes\.ts$/,
  ],
];

it.each(layers)("%s of api does not import what belongs to another layer", (_, is, forbidden) => {
  const broken = files
    .filter((file) => file.startsWith("api/") && is(file))
    .flatMap((file) => importsOf(file).map((imported) => ({ file, imported })))
    .filter(({ imported }) => forbidden.test(imported));
  expect(broken).toEqual([]);
});

it("a suite imports no other suite", () => {
  const suiteOf = (path: string) => /^shared\/suites\/([a-z]+)\//.exec(path)?.[1];
  const broken = files
    .filter((file) => suiteOf(file) !== undefined)
    .flatMap((file) => importsOf(file).map((imported) => ({ file, imported })))
    .filter(({ file, imported }) => suiteOf(imported) && suiteOf(imported) !== suiteOf(file));
  expect(broken).toEqual([]);
});

it("shared uses neither the clock nor unseeded randomness", () => {
  const broken = files.filter(
    (file) =>
      file.startsWith("shared/") && /Math\.random\(|Date\.now\(|new Date\(\)/.test(source(file)),
  );
  expect(broken).toEqual([]);
});

it("no common code branches on a suite's id", () => {
  const ids = /===?\s*"(extraction|slots|tools|quality|memory)"/;
  const broken = files.filter((file) => /^(api|site\/src)\//.test(file) && ids.test(source(file)));
  expect(broken).toEqual([]);
});
