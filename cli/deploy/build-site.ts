import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { BadInput } from "../bad-input.ts";
import { root } from "../local/root.ts";
import { siteBuild } from "../local/site-build.ts";
import { secretNames } from "./secret-names.ts";

/** Builds the site from a service's results into `pages`. Throws BadInput that names the log. */
export async function buildSite(
  origin: string,
  pages: string,
  firstDataset: string | null,
): Promise<void> {
  const log = join(pages, "..", "site-build.log");
  const out = openSync(log, "w");
  const [node = "", ...args] = siteBuild(pages);
  const env: NodeJS.ProcessEnv = { ...process.env, ASTRO_TELEMETRY_DISABLED: "1" };
  for (const name of secretNames(process.env)) delete env[name];
  env["ASSAY_ORIGIN"] = origin;
  if (firstDataset !== null) env["ASSAY_FIRST_DATASETS"] ||= firstDataset;
  const child = spawn(node, args, { cwd: root, env, stdio: ["ignore", out, out] });
  const code = await new Promise<number | null>((resolve) => {
    child.on("exit", resolve);
    child.on("error", () => resolve(null));
  });
  closeSync(out);
  if (code !== 0) throw new BadInput(`The site could not be built; see ${log}.`);
}
