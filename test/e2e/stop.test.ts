import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, it } from "vitest";
import { root } from "../../cli/local/root.ts";
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

it("parts that are killed are named, and everything else still ends", async () => {
  const reasons: string[] = [];
  const stack = await start((reason) => reasons.push(reason));
  const [worker, , simulator] = leaders();
  for (const leader of [worker, simulator]) process.kill(leader ?? 0, "SIGKILL");
  while (reasons.length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(reasons.join()).toMatch(/The (Worker|simulator) ended \(SIGKILL\)/);
  await stack.stop();
  expect(leftOvers()).toEqual([]);
});

it("assay run starts a service, ends what a killed one left behind, and stops its own", async () => {
  const env = { ...process.env, ASSAY_FOLDER: folder, ASSAY_PORT: `${port}`, ASSAY_URL: "" };
  const model = ["--model", "sim-instant", "--base-url", `http://localhost:${port + 3}/v1`];
  const flags = ["run", ...model, "--dataset", "stock", "--sample", "3", "--json"];
  const run = () => spawn(process.execPath, [join(root, "cli", "assay.mjs"), ...flags], { env });
  const killed = run();
  const [said] = await once(killed.stderr, "data");
  expect(`${said}`).toMatch(`started a service at http://localhost:${port} that ends with this`);
  killed.kill("SIGKILL");
  expect(leftOvers()).not.toEqual([]);
  const child = run();
  const stdout = text(child.stdout);
  const [code] = await once(child, "exit");
  expect([code, JSON.parse(await stdout)]).toMatchObject([
    0,
    { passed: true, runs: [{ status: "finished", progress: { total: 3, failed: 0 } }] },
  ]);
  expect(leftOvers()).toEqual([]);
});
