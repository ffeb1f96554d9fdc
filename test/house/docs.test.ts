import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { deployCommand } from "../../cli/deploy/deploy-options.ts";
import { accountNeeds, freePlanLimits } from "../../cli/deploy/free-plan.ts";
import { root } from "../../cli/local/root.ts";
import { checkedOn, defaultModelTable } from "../../shared/judges/default-models.ts";
import { allFiles } from "./product-files.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const oneLine = (text: string) => text.replaceAll(/\s+/g, " ");

const texts = ["README.md", "CONTRIBUTING.md", ...globSync("docs/**/*.md", { cwd: root })];

/** The text of all sources without tests; interpolations are replaced by "…". */
const sources = globSync("{api,cli,shared}/**/*.{ts,mjs}", { cwd: root })
  .filter((path) => !path.includes(".test."))
  .map((path) => read(path))
  .join("\n")
  .replaceAll(/\$\{[^}]*\}/g, "…");

describe.for(texts)("%s", (path) => {
  it("links only existing files", () => {
    for (const [, to = ""] of read(path).matchAll(/\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)/g)) {
      expect(existsSync(join(root, dirname(path), to)), to).toBe(true);
    }
  });
});

describe.for([...texts, ...globSync("{shared,simulator}/**/README.md", { cwd: root })])(
  "%s",
  (path) => {
    it("names only existing source files", () => {
      const paths = allFiles().map((file) => `/${file}`);
      for (const [, file = ""] of read(path).matchAll(/`([\w./[\]-]+\.(?:tsx?|astro|mjs))`/g)) {
        expect(
          paths.some((known) => known.endsWith(`/${file}`)),
          file,
        ).toBe(true);
      }
    });
  },
);

const withoutCommand = ["architecture", "concepts", "glossary"];
const guides = globSync("docs/*.md", { cwd: root }).filter(
  (path) => !withoutCommand.some((name) => path.endsWith(`${name}.md`)),
);

it.for(guides)("%s shows its first command within the first ten lines", (path) => {
  const [start = ""] = read(path).split(/^```(?:console|sh)$/m);
  expect(start.split("\n").length).toBeLessThan(11);
});

it.for(texts)("%s continues no sentence after a block of code", (path) => {
  expect(read(path).match(/^```\n\n[a-z].*/gm)).toBe(null);
});

/** Except variables that only the local runtime sets. */
const secretsOfService = (): string[] =>
  [...read("api/platform/env.d.ts").matchAll(/^ {2}([A-Z_]+)\?: string/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => !["LANE_REQUESTS", "INVOCATION_CALLS"].includes(name));

it("docs/configuration.md names every variable and secret of the service", () => {
  const text = read("docs/configuration.md");
  const [, vars = ""] = /\[vars\]\n(.*?)\n\[\[/s.exec(read("wrangler.toml")) ?? [];
  const names = [...vars.matchAll(/^([A-Z_]+) = /gm), ["", "JUDGES"]].map(([, name]) => name);
  const secrets = secretsOfService();
  expect([names.length, secrets.length].every((count) => count > 4)).toBe(true);
  for (const name of [...names, ...secrets]) expect(text).toContain(`\`${name}\``);
  const known = new Set([...names, ...secrets]);
  const bindings =
    /^(ANSWERS|ENDPOINTS|LANE_REQUESTS|INVOCATION_CALLS|DB|RESULTS|SITE|FINISH|WEBHOOKS|LIMIT_\w+)$/;
  const reads = globSync("api/{index,platform/platform}.ts", { cwd: root }).flatMap((path) =>
    [...read(path).matchAll(/\benv\.([A-Z_]+)|envOf\(c\)\.([A-Z_]+)/g)].map(
      ([, a, b]) => a ?? b ?? "",
    ),
  );
  const settings = new Set([...reads.filter((name) => !bindings.test(name)), "JUDGES"]);
  expect(settings).toEqual(known);
});

it("npm run deploy --help and the workflows name every secret and every setting of the site", () => {
  const { environment = {}, flags } = deployCommand;
  const help = [
    ...Object.keys(environment),
    ...Object.values(flags).flatMap((flag) => ("env" in flag ? flag.env : [])),
  ].join();
  const secrets = secretsOfService();
  const ofSite = read("site/src/data/settings.ts").matchAll(/"?\b(ASSAY_[A-Z_]+)"?/g);
  // Set by `npm run deploy`, or only for sites that it does not build.
  const others = /^ASSAY_(PUBLIC_ORIGIN|SITE_ORIGIN|SNAPSHOT_DIR|CACHE_DIR|SITE_FILES_MAX)$/;
  const settings = [...new Set([...ofSite].map(([, name = ""]) => name))];
  const needed = settings.filter((name) => !others.test(name));
  expect([secrets.length > 4, needed.length]).toEqual([true, 7]);
  const configuration = read("docs/configuration.md");
  for (const name of settings) expect(configuration).toContain(`\`${name}\``);
  for (const name of [...needed, ...secrets]) {
    expect(help.split(/, ?/)).toContain(name);
  }
  const workflows = ["deploy", "site"].map((name) => read(`.github/workflows/${name}.yml`));
  for (const name of needed.filter((one) => one !== "ASSAY_ORIGIN")) {
    for (const text of workflows) expect(text).toContain(`${name}: \${{ vars.${name} }}`);
  }
});

it("docs/deployment.md lists the requirements of an account and the limits of the Free plan", () => {
  const text = oneLine(read("docs/deployment.md")).replaceAll("`", "");
  for (const line of [...freePlanLimits, ...accountNeeds]) expect(text).toContain(line);
});

it("docs/troubleshooting.md quotes only messages that exist in the sources", () => {
  const quoted = [...read("docs/troubleshooting.md").matchAll(/^\| `([^`]+)`/gm)];
  expect(quoted.length).toBeGreaterThan(20);
  const said = oneLine(sources);
  for (const [, text = ""] of quoted) {
    for (const part of text.split("…")) {
      const words = part.trim().replace(/^[):"]+ ?|["(]+$/g, "");
      // A boolean, because toContain() would print all sources on failure.
      if (words.length > 5) expect(said.includes(words), `${text}: "${words}"`).toBe(true);
    }
  }
});

it("docs/judging.md lists the current default judges", () => {
  const guide = read("docs/judging.md");
  for (const { label, model, ends } of Object.values(defaultModelTable)) {
    const row = guide.split("\n").find((line) => line.includes(`\`${model}\``));
    expect(row, model).toContain(`| ${label} (`);
    expect(row).toContain(ends ?? "none announced");
  }
  expect(guide).toContain(checkedOn);
});

it("prices are per million tokens in docs, examples, pages, suites and commands", () => {
  // The API is excluded: it keeps older names as aliases.
  const paths = globSync(
    "{docs/**/*.md,examples/**/*,site/src/**/*.{astro,tsx,ts},shared/{measures,suites}/**/*.{ts,md},cli/**/*.ts}",
    { cwd: root, withFileTypes: true },
  ).flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
  expect(paths.length).toBeGreaterThan(500);
  const perThousand =
    /price\w* ?(?:·|\*|\/|÷|per) ?(?:1,?000(?!,)|1k)|(?:prices?|USD) per (?:1,?000|1k|thousand) (?:input |output )?tokens/i;
  const wrong = paths.filter((path) => perThousand.test(readFileSync(path, "utf8")));
  expect(wrong).toEqual([]);
});

it("every file in docs/spec that the code cites exists", () => {
  const cited = globSync("{api,cli,shared,site/src}/**/*.{ts,tsx,astro}", { cwd: root }).flatMap(
    (path) => read(path).match(/docs\/spec\/[\w-]+\.md/g) ?? [],
  );
  expect(cited.length).toBeGreaterThan(300);
  for (const path of new Set(cited)) expect(existsSync(join(root, path)), path).toBe(true);
});
