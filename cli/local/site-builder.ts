import { spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { replaceFiles } from "./replace-files.ts";
import { root } from "./root.ts";

interface BuilderOptions {
  origin: string;
  folder: string;
  enabled: boolean;
}

const placeholder = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Assay</title>
<meta http-equiv="refresh" content="3"><p>The site is being built; this page asks again in three
seconds.</p></html>`;

/**
 * Rebuilds the site whenever the service asks: builds one at a time, the newest request wins, and
 * the new files take the place of the old ones only once they are complete.
 */
export function siteBuilder({ origin, folder, enabled }: BuilderOptions) {
  const served = join(root, "site", "dist");
  const log = join(folder, "site-build.log");
  let wanted = false;
  let building: Promise<void> | null = null;
  let failed = false;
  let stopped = false;

  if (!existsSync(join(served, "index.html"))) {
    mkdirSync(served, { recursive: true });
    writeFileSync(join(served, "index.html"), placeholder);
  }

  const run = async () => {
    while (wanted) {
      wanted = false;
      failed = !(await build(origin, join(folder, "site-build"), served, log));
      if (!failed && !stopped) await untilServed(origin, served);
    }
    building = null;
  };

  const request = () => {
    if (!enabled) return;
    wanted = true;
    building ??= run();
  };

  return {
    request,
    /** Serves the rebuild hook on this machine alone. */
    listen: (port: number) =>
      new Promise<Server>((resolve) => {
        const server = createServer((incoming, response) => {
          incoming.resume();
          if (incoming.method === "POST") request();
          response.writeHead(incoming.method === "POST" ? 202 : 405).end();
        });
        server.listen(port, "127.0.0.1", () => resolve(server));
      }),
    /** Resolves when no build is under way: false when the last one failed. */
    async settled(): Promise<boolean> {
      while (building) await building;
      return !failed;
    },
    async stop() {
      stopped = true;
      wanted = false;
      await building;
    },
    log,
  };
}

async function build(origin: string, to: string, served: string, log: string): Promise<boolean> {
  rmSync(to, { recursive: true, force: true });
  const out = openSync(log, "w");
  const astro = join(root, "node_modules", ".bin", "astro");
  const child = spawn(astro, ["build", "--root", "site", "--outDir", to], {
    cwd: root,
    env: { ...process.env, ASSAY_ORIGIN: origin, ASTRO_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", out, out],
  });
  const code = await new Promise<number | null>((resolve) => {
    child.on("exit", resolve);
    child.on("error", () => resolve(null));
  });
  closeSync(out);
  if (code !== 0) return false;
  replaceFiles(to, served);
  writeFileSync(join(served, stamp), `${Date.now()}`);
  return true;
}

/** Name of the file that tells one build from another. */
const stamp = "build.txt";
/** The site's Worker takes up new files in a second or two. */
const SERVED_WITHIN_MS = 20_000;

/** Resolves once the service serves the build that is in place. */
async function untilServed(origin: string, served: string): Promise<void> {
  const wanted = readFileSync(join(served, stamp), "utf8");
  const deadline = Date.now() + SERVED_WITHIN_MS;
  while (Date.now() < deadline) {
    const found = await fetch(`${origin}/${stamp}`).then(
      (response) => (response.ok ? response.text() : ""),
      () => "",
    );
    if (found === wanted) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
