import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../cli/local/root.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");

/** The arguments of each use of a Dockerfile instruction. */
const lines = (instruction: string) =>
  [...read("Dockerfile").matchAll(new RegExp(`^${instruction} (.*)$`, "gm"))].map(
    ([, rest = ""]) => rest,
  );

const { scripts, devDependencies } = JSON.parse(read("package.json")) as {
  scripts: { start: string };
  devDependencies: { node: string };
};

it("the Dockerfile copies only existing files", () => {
  const sources = lines("COPY").flatMap((line) =>
    line
      .split(" ")
      .filter((part) => !part.startsWith("--"))
      .slice(0, -1),
  );
  expect(sources).toContain("package-lock.json");
  expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([]);
});

it("the Dockerfile starts the service like npm start, with the project's Node version", () => {
  expect(lines("FROM")).toEqual([`node:${devDependencies.node}-bookworm`]);
  expect(lines("CMD").map((line) => (JSON.parse(line) as string[]).join(" "))).toEqual([
    scripts.start,
  ]);
});

it("the Dockerfile installs packages with the launcher's commands", () => {
  const calls = [...read("cli/bootstrap.mjs").matchAll(/await npm\(([^)]*)\)/g)].map(
    ([, args]) => `npm ${(JSON.parse(`[${args}]`) as string[]).join(" ")}`,
  );
  expect(calls.length).toBe(2);
  expect(lines("RUN").filter((line) => line.startsWith("npm"))).toEqual(calls);
});

it("the Dockerfile sets ASSAY_HOST and declares the data folder as a volume", () => {
  expect(lines("ENV")).toEqual(["ASSAY_HOST=0.0.0.0"]);
  expect(read("cli/local/runtime.ts")).toContain('"ASSAY_HOST"');
  const folders = [lines("WORKDIR"), lines("VOLUME")].flat();
  expect(folders).toEqual(["/assay", "/assay/.assay"]);
});

it(".dockerignore excludes secrets and installed packages", () => {
  const ignored = read(".dockerignore").split("\n");
  for (const path of [".deploy", "**/.env", "**/.dev.vars", ".assay", "**/node_modules", ".git"]) {
    expect(ignored).toContain(path);
  }
});
