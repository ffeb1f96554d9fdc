import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../cli/local/root.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");

/** The lines of an instruction of the Dockerfile, without its name. */
const lines = (instruction: string) =>
  [...read("Dockerfile").matchAll(new RegExp(`^${instruction} (.*)$`, "gm"))].map(
    ([, rest = ""]) => rest,
  );

const { scripts, devDependencies } = JSON.parse(read("package.json")) as {
  scripts: { start: string };
  devDependencies: { node: string };
};

it("the container copies files that are there", () => {
  const sources = lines("COPY").flatMap((line) =>
    line
      .split(" ")
      .filter((part) => !part.startsWith("--"))
      .slice(0, -1),
  );
  expect(sources).toContain("package-lock.json");
  expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([]);
});

it("the container starts the service as npm start does, under the Node of the project", () => {
  expect(lines("FROM")).toEqual([`node:${devDependencies.node}-bookworm`]);
  expect(lines("CMD").map((line) => (JSON.parse(line) as string[]).join(" "))).toEqual([
    scripts.start,
  ]);
});

it("the container installs packages with the commands of the launcher", () => {
  const calls = [...read("cli/bootstrap.mjs").matchAll(/await npm\(([^)]*)\)/g)].map(
    ([, args]) => `npm ${(JSON.parse(`[${args}]`) as string[]).join(" ")}`,
  );
  expect(calls.length).toBe(2);
  expect(lines("RUN").filter((line) => line.startsWith("npm"))).toEqual(calls);
});

it("the container listens where the variable says, and stores data where a volume is", () => {
  expect(lines("ENV")).toEqual(["ASSAY_HOST=0.0.0.0"]);
  expect(read("cli/local/runtime.ts")).toContain('"ASSAY_HOST"');
  const folders = [lines("WORKDIR"), lines("VOLUME")].flat();
  expect(folders).toEqual(["/assay", "/assay/.assay"]);
});

it("secrets and installed packages of a machine are not copied into the container", () => {
  const ignored = read(".dockerignore").split("\n");
  for (const path of [".deploy", "**/.env", "**/.dev.vars", ".assay", "**/node_modules", ".git"]) {
    expect(ignored).toContain(path);
  }
});
