import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { Children, runningProcesses } from "./processes.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-children-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const list = join(folder, "processes.json");
const log = join(folder, "log");
const options = { cwd: folder, log, env: {} };
const program = (code: string) => [process.execPath, "-e", code];

it("Children.run() returns the exit code and writes the output to the log", async () => {
  const children = new Children(list);
  expect(await children.run(program("console.log('up'); process.exit(3)"), options)).toBe(3);
  expect(await children.run(["/no/such/program"], options)).toBeNull();
  expect(readFileSync(log, "utf8")).toBe("up\n");
});

it("Children.stop() ends whole process groups and prevents new starts", async () => {
  const children = new Children(list);
  // The first process ignores SIGTERM; the second is not a child of this process.
  const code = `require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" }); setInterval(() => {}, 1000); console.log("ready")`;
  const ended = children.run(program(code), options);
  await expect.poll(() => readFileSync(log, "utf8")).toContain("ready");
  const [leader = 0] = children.leaders;
  await children.stop();
  expect(await ended).toBeNull();
  await expect.poll(() => runningProcesses(-leader)).toEqual([]);
  expect(existsSync(list)).toBe(false);
  expect(await children.run(program("process.exit(3)"), options)).toBeNull();
});

it("Children ends processes of an earlier killed start, but no other processes", async () => {
  const left = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", "workerd serve"]);
  const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  new Children(list).note([left.pid ?? 0, other.pid ?? 0]);
  const ended = once(left, "exit");
  new Children(list);
  expect((await ended)[1]).toBe("SIGKILL");
  expect(runningProcesses(other.pid ?? 0)).toHaveLength(1);
  other.kill();
});

it.each(["", "[1", "7", "null"])("Children ignores the damaged list %j", (text) => {
  writeFileSync(list, text);
  expect(new Children(list).leaders).toEqual([]);
});
