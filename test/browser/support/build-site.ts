import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = new URL("../../../", import.meta.url).pathname;

/** Builds the site into `outDir`, from the results in `snapshotDir`; none gives the empty site. */
export async function buildSite(outDir: string, snapshotDir?: string): Promise<void> {
  const env = {
    ...process.env,
    ASTRO_TELEMETRY_DISABLED: "1",
    ASSAY_ORIGIN: "",
    ASSAY_PUBLIC_ORIGIN: "https://api.assay.example",
    ASSAY_SNAPSHOT_DIR: snapshotDir ?? "",
    NODE_ENV: "production",
  };
  const astro = `${root}node_modules/astro/bin/astro.mjs`;
  await run(process.execPath, [astro, "build", "--root", "site", "--outDir", outDir], {
    cwd: root,
    env,
  });
}
