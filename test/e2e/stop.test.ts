import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "vitest";
import { isFreePort } from "../../cli/local/processes.ts";
import { root } from "../../cli/local/root.ts";
import { startStack } from "../../cli/local/stack.ts";
import { livingOf, processTree } from "../support/process-tree.ts";

const port = 9800;
const folder = mkdtempSync(join(tmpdir(), "assay-stop-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Running processes with the test's folder or port in their command line. */
const leftOvers = () =>
  execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(folder) || line.includes(`localhost:${port}`));

it("startStack() restarts a killed runtime, reports it, and stops it with the service", async () => {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const stack = await startStack({ port, folder, fresh: false, site: false, print });
  const [workerd = 0] = JSON.parse(readFileSync(join(folder, "processes.json"), "utf8"));
  process.kill(workerd, "SIGKILL");
  const isUp = () =>
    fetch(`${stack.origin}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(() => lines.join()).toContain("was restarted; see");
  await expect.poll(isUp).toBe(true);
  await stack.stop();
  expect(leftOvers()).toEqual([]);
});

it("startStack() leaves no processes when it is aborted at any time", async () => {
  for (const delayMs of [0, 300, 1_000]) {
    const controller = new AbortController();
    const { signal } = controller;
    const options = { port, folder, fresh: false, site: false, print: console.error, signal };
    const started = startStack(options).then(
      (stack) => stack.stop(),
      () => {},
    );
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    controller.abort();
    await started;
    expect([await isFreePort(port), await isFreePort(port + 2), leftOvers()]).toEqual([
      true,
      true,
      [],
    ]);
  }
});

it("assay run starts a service, ends the leftovers of a killed one, and stops its own", async () => {
  const env = { ...process.env, ASSAY_FOLDER: folder, ASSAY_PORT: `${port}`, ASSAY_URL: "" };
  const model = ["--model", "sim-instant", "--base-url", `http://localhost:${port + 3}/v1`];
  const flags = ["run", ...model, "--dataset", "stock", "--sample", "3", "--json"];
  const run = () => spawn(process.execPath, [join(root, "cli", "assay.mjs"), ...flags], { env });
  const killed = run();
  const [line] = await once(killed.stderr, "data");
  expect(`${line}`).toMatch(
    `started a service at http://localhost:${port} that stops with this command`,
  );
  killed.kill("SIGKILL");
  // Until its exit it holds the simulator's port, and another service would use other ports.
  await once(killed, "exit");
  expect(leftOvers()).not.toEqual([]);
  const child = run();
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, "exit");
  const [stdout, stderr] = await output;
  expect(code, `${stderr}${stdout}`).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    passed: true,
    runs: [{ status: "finished", progress: { total: 3, failed: 0 } }],
  });
  expect(leftOvers()).toEqual([]);
});

describe("bootstrap.mjs while it installs packages", () => {
  /** A clone whose npm never ends and has children that ignore SIGTERM. */
  const clone = join(folder, "clone");
  mkdirSync(join(clone, "cli"), { recursive: true });
  cpSync(join(root, "cli", "bootstrap.mjs"), join(clone, "cli", "bootstrap.mjs"));
  for (const name of ["package.json", "package-lock.json"]) {
    cpSync(join(root, name), join(clone, name));
  }
  const npm = join(clone, "bin", "npm");
  mkdirSync(join(clone, "bin"));
  writeFileSync(npm, "#!/bin/sh\n(trap '' TERM; sleep 77) &\nsleep 77\n");
  chmodSync(npm, 0o755);

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "ends all its processes on a repeated %s",
    async (signal) => {
      const env = { ...process.env, PATH: `${join(clone, "bin")}:${process.env["PATH"]}` };
      const child = spawn(process.execPath, ["cli/bootstrap.mjs", "cli/start.ts"], {
        cwd: clone,
        env,
      });
      await once(child.stderr, "data");
      await expect.poll(() => processTree(child.pid ?? 0).length).toBeGreaterThan(3);
      const tree = processTree(child.pid ?? 0);
      const exited = once(child, "exit");
      child.kill(signal);
      child.kill(signal);
      await exited;
      await expect.poll(() => livingOf(tree)).toEqual([]);
    },
  );
});
