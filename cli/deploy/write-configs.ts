import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../local/root.ts";
import {
  apiConfig,
  type ConfigSettings,
  siteConfig,
  type WranglerConfig,
} from "./worker-configs.ts";

/** The generated files of a deployment, and the folder that holds its pages. */
export interface ConfigFiles {
  api: string;
  site: string;
  pages: string;
}

/** Writes the configurations of a deployment; they contain no secret. */
export async function writeConfigs(folder: string, settings: ConfigSettings): Promise<ConfigFiles> {
  const committed = await committedConfigs();
  const pages = join(folder, "site");
  mkdirSync(pages, { recursive: true });
  const write = (name: string, config: WranglerConfig) => {
    const path = join(folder, name);
    writeFileSync(path, `${JSON.stringify(config, null, 2)}\n`);
    return path;
  };
  return {
    api: write("api.json", apiConfig(committed.api, settings)),
    site: write("site.json", siteConfig(committed.site, settings)),
    pages,
  };
}

/** The committed configurations of the Worker and of its site. */
export async function committedConfigs(): Promise<{ api: WranglerConfig; site: WranglerConfig }> {
  // Imported here, because loading takes seconds.
  const { experimental_readRawConfig: readRawConfig } = await import("wrangler");
  const read = (...path: string[]) =>
    readRawConfig({ config: join(root, ...path) }).rawConfig as unknown as WranglerConfig;
  return { api: read("wrangler.toml"), site: read("site", "wrangler.toml") };
}

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Assay</title>
<p>The site is being set up; the API at <a href="/v1/openapi.json">/v1/openapi.json</a> is available.</p></html>
`;

/** Placeholder until the site is built from the service, which must exist first. */
export function writePlaceholderPages(folder: string): void {
  const [index, missing] = [join(folder, "index.html"), join(folder, "404.html")];
  if (!existsSync(index)) writeFileSync(index, page);
  if (!existsSync(missing)) writeFileSync(missing, page);
}
