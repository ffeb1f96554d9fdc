import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { replaceFiles } from "./replace-files.ts";
import { root } from "./root.ts";
import { siteBuild } from "./site-build.ts";

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
 * the new files take the place of the old ones only once they are complete. Files that a build lacks
 * are removed last, when it is served.
 */
export function siteBuilder({ origin, folder, enabled }: BuilderOptions) {
  const served = join(root, "site", "dist");
  const log = join(folder, "site-build.log");
  let wanted = false;
  let building: Promise<void> | null = null;
  let failed = false;
  let stopped = false;
  let held = false;

  if (!existsSync(join(served, "index.html"))) {
    mkdirSync(served, { recursive: true });
    writeFileSync(join(served, "index.html"), placeholder);
  }

  let removal: NodeJS.Timeout | undefined;

  const run = async () => {
    while (wanted && !held) {
      wanted = false;
      const made = join(folder, "site-build");
      failed = !(await build(origin, made, log));
      if (failed) continue;
      clearTimeout(removal);
      const { outdated, stamp } = publish(made, served);
      if (await untilServed(`${origin}/${stamp}`, () => stopped)) {
        removal = setTimeout(() => remove(outdated), QUIET_MS);
      }
    }
    building = null;
  };

  const request = () => {
    if (!enabled) return;
    wanted = true;
    if (!held) building ??= run();
  };

  /** Until `release` requests are only noted: results that come in one after the other need one build. */
  const hold = () => {
    held = true;
  };

  const release = () => {
    held = false;
    if (wanted) building ??= run();
  };

  return {
    ...{ request, hold, release },
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
      clearTimeout(removal);
      wanted = false;
      await building;
      clearTimeout(removal);
    },
    log,
  };
}

async function build(origin: string, to: string, log: string): Promise<boolean> {
  rmSync(to, { recursive: true, force: true });
  const out = openSync(log, "w");
  const [node = "", ...args] = siteBuild(to);
  const child = spawn(node, args, {
    cwd: root,
    env: { ...process.env, ASSAY_ORIGIN: origin, ASTRO_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", out, out],
  });
  const code = await new Promise<number | null>((resolve) => {
    child.on("exit", resolve);
    child.on("error", () => resolve(null));
  });
  closeSync(out);
  return code === 0;
}

/**
 * Puts a build in place. Gives the files that it has no more, and one that only it has: the site's
 * Worker serves it from the moment on that it has listed all files anew, while of files that it knows
 * it serves what they hold.
 */
function publish(made: string, served: string): { outdated: string[]; stamp: string } {
  const outdated = replaceFiles(made, served);
  const stamp = `builds/${Date.now()}.txt`;
  mkdirSync(join(served, "builds"), { recursive: true });
  writeFileSync(join(served, stamp), "");
  return { outdated, stamp };
}

/** The site's Worker takes up new files in a second or two, and longer when it is started again. */
const SERVED_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 100;
/** Longer than the site's Worker lists files after the last change that it heard of. */
const QUIET_MS = 2_000;

/** True once `url` is served; false when it is not in time. */
async function untilServed(url: string, isStopped: () => boolean): Promise<boolean> {
  const deadline = Date.now() + SERVED_WITHIN_MS;
  while (Date.now() < deadline && !isStopped()) {
    const isServed = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (isServed) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return false;
}

/**
 * Removes files while nobody lists them: the site's Worker, which does so after every change, ends
 * when a file that it has listed is gone before it looked at it. The next build finds outdated what is
 * left.
 */
function remove(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { force: true });
}
