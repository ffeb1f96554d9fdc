import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../../cli/local/root.ts";
import { buildPackage } from "../../cli/pack/build-package.ts";
import { startSimulator } from "../../simulator/start-simulator.ts";
import { jsonl } from "../cli/support/folder-with.ts";
import { answers, samples } from "../cli/support/three-samples.ts";

const work = mkdtempSync(join(tmpdir(), "assay-package-"));
const user = join(work, "user");
const modules = join(user, "node_modules");
const tsc = join(root, "node_modules", "typescript-native", "bin", "tsc");

/** Neither network nor caches of this machine; the runtime is that of the clone. */
const env = {
  ...process.env,
  HOME: work,
  XDG_CACHE_HOME: join(work, "cache"),
  npm_config_cache: join(work, "npm"),
  npm_config_registry: "http://127.0.0.1:9/",
  ASSAY_RUNTIME: root,
  ASSAY_FOLDER: "",
  ASSAY_PORT: "9960",
};

/** Runs a program in the user's folder. */
async function ran(program: string, args: readonly string[], more: Record<string, string> = {}) {
  const child = spawn(program, args, { cwd: user, env: { ...env, ...more } });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (chunk) => (said[name] += chunk));
  }
  const code = await new Promise((resolve) => child.on("close", resolve));
  return { code, ...said };
}

const assay = (args: readonly string[], more?: Record<string, string>) =>
  ran(join(modules, ".bin", "assay"), args, more);

const files = ["--dataset", "samples.jsonl", "--answers"];

beforeAll(async () => {
  const built = join(work, "assay-evals");
  await buildPackage(built);
  const packing = ["pack", "--ignore-scripts", "--pack-destination", work];
  expect(spawnSync("npm", packing, { cwd: built, env }).status).toBe(0);
  mkdirSync(user);
  const [tarball = ""] = readdirSync(work).filter((name) => name.endsWith(".tgz"));
  const installed = await ran("npm", ["install", "--offline", join(work, tarball)]);
  expect(installed.code, installed.stderr).toBe(0);
  writeFileSync(join(user, "samples.jsonl"), jsonl(samples));
  writeFileSync(join(user, "answers.jsonl"), jsonl(answers));
  writeFileSync(join(user, "fewer.jsonl"), jsonl(answers.slice(0, 2)));
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

it("is as small as the README says, has all licences, and names no path of this machine", () => {
  const paths = readdirSync(modules, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  const [, mostMb] = /([\d.]+) MB installed/.exec(readFileSync(join(root, "README.md"), "utf8"))!;
  expect(Number(mostMb)).toBeLessThanOrEqual(5);
  expect(bytes / 1e6).toBeLessThanOrEqual(Number(mostMb));
  const licences = readFileSync(join(modules, "assay-evals", "THIRD-PARTY-LICENSES.txt"), "utf8");
  for (const name of ["zod", "openai", "hono", "drizzle-orm", "@observablehq/plot"]) {
    expect(licences).toMatch(new RegExp(`^${name} \\d`, "m"));
  }
  const naming = paths.filter((path) => readFileSync(path, "utf8").includes(root));
  expect(naming).toEqual([]);
});

it("scores, compares and reports without a service", async () => {
  expect(await assay(["init"])).toMatchObject({ code: 0, stderr: "" });
  expect(await assay(["validate-config", "assay.yaml"])).toMatchObject({ code: 0 });
  mkdirSync(join(user, "out"));
  const scored = await assay(["score", "extraction", ...files, "answers.jsonl", "--json"]);
  expect([scored.code, scored.stderr]).toEqual([0, ""]);
  expect(JSON.parse(scored.stdout).metrics.eqs.value).toBeCloseTo(0.917, 3);
  writeFileSync(join(user, "out", "mine.json"), scored.stdout);
  const both = ["answers.jsonl", "--answers", "fewer.jsonl"];
  const compared = await assay(["compare", ...files, ...both, "--output", "both.html"]);
  expect([compared.code, compared.stderr]).toEqual([0, ""]);
  expect(compared.stdout).toContain("2 compared in 2 runs");
  expect(readFileSync(join(user, "both.html"), "utf8")).toContain("<svg");
  const reported = await assay(["report", "--results-dir", "out"]);
  expect([reported.code, reported.stderr]).toEqual([0, ""]);
  const page = readFileSync(join(user, "report.html"), "utf8");
  expect(page).toContain('<span class="value">0.917</span>');
  expect(page).toMatch(/<style>.{5000}/s);
});

it("runs a model in a service of its own, and verifies the result", async () => {
  await using simulator = await closing();
  const model = ["--model", "sim-perfect", "--base-url", simulator.baseUrl];
  const run = ["run", "extraction", ...model, "--dataset", "stock", "--sample", "5", "--json"];
  const { code, stdout, stderr } = await assay(run);
  expect(code, stderr).toBe(0);
  expect(simulator.log.entries.length).toBe(5);
  expect(existsSync(join(user, ".assay", "state"))).toBe(true);
  const [, id = ""] = /"id": "(run_\w+)"/.exec(stdout) ?? [];
  const verified = await assay(["verify", id]);
  expect([verified.code, verified.stdout], verified.stderr).toEqual([
    0,
    expect.stringMatching(/signature +ok/),
  ]);
});

it("is a server of MCP", () => {
  const head = { protocolVersion: "2025-06-18", capabilities: {} };
  const params = { ...head, clientInfo: { name: "test", version: "1" } };
  const input = jsonl([
    { jsonrpc: "2.0", id: 1, method: "initialize", params },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "tools/list" },
  ]);
  const program = join(modules, ".bin", "assay");
  const server = ["mcp", "--server", "http://127.0.0.1:9"];
  const { stdout } = spawnSync(program, server, { cwd: user, env, input, encoding: "utf8" });
  const replies = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(replies[0].result.serverInfo).toMatchObject({ name: "assay" });
  expect(replies[1].result.tools.map(({ name }: { name: string }) => name)).toContain("run_status");
});

async function closing() {
  const datasets = [join(root, "shared", "suites", "extraction", "stock.jsonl")];
  const simulator = await startSimulator({ port: 0, latencyScale: 0, datasets });
  return Object.assign(simulator, { [Symbol.asyncDispose]: () => simulator.close() });
}

it("says what to do where the runtime can't be installed, and leaves nothing behind", async () => {
  const model = ["--model", "m", "--base-url", "http://127.0.0.1:9/v1"];
  const run = ["run", "extraction", ...model, "--dataset", "stock"];
  const more = { ASSAY_RUNTIME: "", ASSAY_FOLDER: join(work, "other") };
  const { code, stderr } = await assay(run, more);
  expect([code, stderr]).toEqual([2, expect.stringContaining("Installing the runtime")]);
  expect(stderr).toContain("the package registry can't be reached; check the network");
  expect(readdirSync(join(work, "cache", "assay", "runtime"))).toEqual([]);
  expect(await assay(run, { ...more, ASSAY_RUNTIME: user })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("ASSAY_RUNTIME must name a folder"),
  });
});

it("has a typed client", async () => {
  const asked: unknown[] = [];
  const server = createServer(({ method, url, headers }, response) => {
    asked.push([method, url, headers.authorization]);
    response.writeHead(200, { "content-type": "application/json" }).end('{"id":"run_1"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(
    join(user, "client.mts"),
    `import { createClient } from "assay-evals/client";
const assay = createClient({ server: "${url}", apiKey: "key-1" });
const { data } = await assay.GET("/v1/runs/{id}", { params: { path: { id: "run/1" } } });
const id: string | undefined = data?.id;
console.log(id);
// @ts-expect-error It is a string.
export const wrong: number | undefined = data?.id;
// @ts-expect-error There is no such path.
export const nothing = () => assay.GET("/v1/nothing");
`,
  );
  const options = "--strict --target es2022 --module nodenext --types --outDir out".split(" ");
  const compiled = await ran(process.execPath, [tsc, ...options, "client.mts"]);
  expect([compiled.code, compiled.stdout]).toEqual([0, ""]);
  const called = await ran(process.execPath, [join("out", "client.mjs")]);
  server.close();
  expect([called.stdout, called.stderr]).toEqual(["run_1\n", ""]);
  expect(asked).toEqual([["GET", "/v1/runs/run%2F1", "Bearer key-1"]]);
});
