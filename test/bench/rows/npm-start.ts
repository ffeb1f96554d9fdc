import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../../cli/local/root.ts";
import type { Bench } from "../bench.ts";

/** Not the ports of a service that may be running. */
const PORT = 9871;

/** A user's first minutes, and every later start. */
export const npmStart: Bench = {
  repeats: 3,
  rows: [
    {
      name: "start/cold",
      what: "npm start on a fresh clone of the last commit: packages, demo and site",
      unit: "s",
    },
    { name: "start/warm", what: "npm start again: links are shown", unit: "s" },
  ],
  prepare(_, onEnd) {
    const folder = mkdtempSync(join(tmpdir(), "assay-start-"));
    onEnd(() => rmSync(folder, { recursive: true, force: true }));
    return async () => {
      rmSync(folder, { recursive: true, force: true });
      const { status } = spawnSync("git", ["clone", "--quiet", root, folder]);
      if (status !== 0) throw new Error(`${root} could not be cloned`);
      return [await started(folder), await started(folder)];
    };
  },
};

/** Seconds until the links are shown; then the service is stopped. */
async function started(cwd: string): Promise<number> {
  const begun = performance.now();
  const child = spawn("npm", ["start", "--", "--port", `${PORT}`], {
    ...{ cwd, detached: true },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const ended = once(child, "close");
  const up = new Promise<number>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        text += chunk;
        if (text.includes("Assay is up")) resolve((performance.now() - begun) / 1000);
      });
    }
  });
  const seconds = await Promise.race([up, ended.then(() => null)]);
  if (seconds === null) throw new Error(`npm start ended:\n${text}`);
  process.kill(-(child.pid ?? 0), "SIGINT");
  await ended;
  return seconds;
}
