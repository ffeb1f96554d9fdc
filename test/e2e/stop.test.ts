import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { startStack } from "../../cli/local/stack.ts";

const port = 9880;
const folder = mkdtempSync(join(tmpdir(), "assay-stop-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = (onExit: (reason: string) => void) =>
  startStack({ port, folder, fresh: false, site: false, onExit, tell: console.error });

const leaders = () => JSON.parse(readFileSync(join(folder, "processes.json"), "utf8")) as number[];

/** Processes whose command line names the test's folder or port. */
const leftOvers = () =>
  execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(folder) || line.includes(`--port ${port}`));

it("what a killed start left behind is ended by the next, and so is all when parts are killed", async () => {
  const script = `import { startStack } from "./cli/local/stack.ts";
    const tell = console.error;
    await startStack({ port: ${port}, folder: ${JSON.stringify(folder)}, fresh: false, site: false, onExit: tell, tell });
    console.log("up");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  expect(leftOvers()).not.toEqual([]);
  const reasons: string[] = [];
  const stack = await start((reason) => reasons.push(reason));
  expect((await fetch(`${stack.origin}/healthz`)).status).toBe(200);

  const [worker, , simulator] = leaders();
  for (const leader of [worker, simulator]) process.kill(leader ?? 0, "SIGKILL");
  while (reasons.length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(reasons.join()).toMatch(/The (Worker|simulator) ended \(SIGKILL\)/);
  await stack.stop();
  expect(leftOvers()).toEqual([]);
});
