import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { Children } from "./processes.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-children-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const list = join(folder, "processes.json");
const log = join(folder, "log");

/** Starts a child and gives what is said of it, until it is given up. */
async function told(code: string, tries: number): Promise<string[]> {
  const lines: string[] = [];
  const children = new Children(list);
  await new Promise<void>((resolve) => {
    children.start("The child", [process.execPath, "-e", code], {
      ...{ cwd: folder, log, env: {} },
      again: { tries, tell: (line) => lines.push(line), before: () => lines.push("again") },
      onExit: (reason) => {
        lines.push(reason);
        resolve();
      },
    });
  });
  await children.stop();
  return lines;
}

it("a child that ends is started again, so many times and no more", async () => {
  expect(await told("console.log('up'); process.exit(3)", 2)).toEqual([
    `The child ended (exit code 3); see ${log}. It is started again (1 of 2).`,
    "again",
    `The child ended (exit code 3); see ${log}. It is started again (2 of 2).`,
    "again",
    `The child ended (exit code 3); see ${log}`,
  ]);
  expect(readFileSync(log, "utf8")).toBe("up\nup\nup\n");
});

it("a child that is being stopped is not started again", async () => {
  const lines: string[] = [];
  const children = new Children(list);
  const tell = (line: string) => lines.push(line);
  const command = [process.execPath, "-e", "setInterval(() => {}, 1000)"];
  const options = {
    cwd: folder,
    log,
    env: {},
    onExit: tell,
    again: { tries: 1, tell, before() {} },
  };
  children.start("The child", command, options);
  await children.stop();
  expect(lines).toEqual([]);
});
