import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../../cli/local/root.ts";
import { processTree } from "../../support/process-tree.ts";
import type { Bench } from "../bench.ts";

/** Avoids the ports of a service that may be running. */
const PORT = 9871;

/** The first and the second start by a user. */
export const npmStart: Bench = {
  repeats: 1,
  rows: [
    {
      name: "start/first",
      what: "first npm start with installed packages until the links are shown: demo and site",
      unit: "s",
      target: { atMost: 60 },
    },
    {
      name: "start/second",
      what: "second npm start until the links are shown and answer",
      unit: "s",
      target: { atMost: 3 },
    },
    {
      name: "start/memory",
      what: "memory of npm start and its processes when the demo has ended and the links are shown",
      unit: "MB",
      target: { atMost: 600 },
    },
  ],
  prepare(_, onEnd) {
    const folder = mkdtempSync(join(tmpdir(), "assay-start-"));
    onEnd(() => rmSync(folder, { recursive: true, force: true }));
    return async () => {
      rmSync(folder, { recursive: true, force: true });
      const { status } = spawnSync("git", ["clone", "--quiet", root, folder]);
      if (status !== 0) throw new Error(`${root} could not be cloned`);
      install(folder);
      const cold = await started(folder);
      const warm = await started(folder);
      return [cold.seconds, warm.seconds, cold.memoryMb];
    };
  },
};

/** Installs the packages by printing the help, which starts nothing. */
function install(cwd: string): void {
  const { status, stderr } = spawnSync("npm", ["start", "--", "--help"], { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`packages could not be installed: ${stderr}`);
}

/** Runs npm start until it shows its links, checks that each answers, and stops it. */
async function started(cwd: string) {
  const begun = performance.now();
  const child = spawn("npm", ["start", "--", "--port", `${PORT}`, "--no-canaries"], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let text = "";
  const ended = once(child, "close");
  const up = new Promise<number>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        text += chunk;
        if (text.includes("Ctrl-C stops it")) resolve((performance.now() - begun) / 1000);
      });
    }
  });
  const seconds = await Promise.race([up, ended.then(() => null)]);
  if (seconds === null) throw new Error(`npm start ended:\n${text}`);
  for (const [link] of text.matchAll(/http:\S+/g)) {
    const { ok, status } = await fetch(link);
    if (!ok) throw new Error(`${link} answers ${status}`);
  }
  const tree = processTree(child.pid ?? 0);
  // Signals the process group like a terminal, since npm does not pass the signal on.
  process.kill(-child.pid!, "SIGINT");
  await ended;
  const memoryMb = tree.reduce((sum, { rssMb }) => sum + rssMb, 0);
  return { seconds, memoryMb };
}
