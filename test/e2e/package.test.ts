import { spawnSync } from "node:child_process";
import {
  copyFileSync,
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
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { root } from "../../cli/local/root.ts";
import { buildPackage } from "../../cli/pack/build-package.ts";
import { startSimulator } from "../../simulator/start-simulator.ts";
import { fakeHub } from "../cli/support/fake-hub.ts";
import { fakeService } from "../cli/support/fake-service.ts";
import { jsonl } from "../cli/support/folder-with.ts";
import { answers, samples } from "../cli/support/three-samples.ts";
import { zipFile } from "../cli/support/zip-file.ts";
import { jsonLines } from "../support/json-lines.ts";
import { ran } from "./ran.ts";

const work = mkdtempSync(join(tmpdir(), "assay-package-"));
const user = join(work, "user");
const modules = join(user, "node_modules");
const tsc = join(root, "node_modules", "typescript-native", "bin", "tsc");

/** Environment without network and without this machine's caches; the runtime is the clone's. */
const env = {
  ...process.env,
  HOME: work,
  XDG_CACHE_HOME: join(work, "cache"),
  npm_config_cache: join(work, "npm"),
  npm_config_registry: "http://127.0.0.1:9/",
  ASSAY_RUNTIME: root,
  ASSAY_FOLDER: "",
  ASSAY_PORT: "9960",
  HF_TOKEN: "",
};

/** Runs a program in the user's folder. */
const runHere = (program: string, args: readonly string[], more: Record<string, string> = {}) =>
  ran(program, args, { cwd: user, env: { ...env, ...more } });

const assay = (args: readonly string[], more?: Record<string, string>) =>
  runHere(join(modules, ".bin", "assay"), args, more);

const files = ["--dataset", "samples.jsonl", "--answers"];

beforeAll(async () => {
  const built = join(work, "assay-evals");
  await buildPackage(built);
  const packing = ["pack", "--ignore-scripts", "--pack-destination", work];
  expect(spawnSync("npm", packing, { cwd: built, env }).status).toBe(0);
  mkdirSync(user);
  const [tarball = ""] = readdirSync(work).filter((name) => name.endsWith(".tgz"));
  const installed = await runHere("npm", ["install", "--offline", join(work, tarball)]);
  expect(installed.status, installed.stderr).toBe(0);
  writeFileSync(join(user, "samples.jsonl"), jsonl(samples));
  writeFileSync(join(user, "answers.jsonl"), jsonl(answers));
  writeFileSync(join(user, "fewer.jsonl"), jsonl(answers.slice(0, 2)));
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

it("the package has at most the README's size, all licences, and no path of this machine", () => {
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
  const leaking = paths.filter((path) => readFileSync(path, "utf8").includes(root));
  expect(leaking).toEqual([]);
});

it("the package scores, compares and reports without a service", async () => {
  expect(await assay(["init"])).toMatchObject({ status: 0, stderr: "" });
  expect(await assay(["validate-config", "assay.yaml"])).toMatchObject({ status: 0 });
  mkdirSync(join(user, "out"));
  const scored = await assay(["score", "extraction", ...files, "answers.jsonl", "--json"]);
  expect([scored.status, scored.stderr]).toEqual([0, ""]);
  expect(JSON.parse(scored.stdout).metrics.eqs.value).toBeCloseTo(0.917, 3);
  writeFileSync(join(user, "out", "mine.json"), scored.stdout);
  const both = ["answers.jsonl", "--answers", "fewer.jsonl"];
  const compared = await assay(["compare", ...files, ...both, "--output", "both.html"]);
  expect([compared.status, compared.stderr]).toEqual([0, ""]);
  expect(compared.stdout).toContain("2 compared in 2 runs");
  const gate = await assay(["compare", ...files, ...both, "--non-inferior", "eqs=0.02"]);
  expect(gate.status, gate.stdout + gate.stderr).toBe(1);
  expect(readFileSync(join(user, "both.html"), "utf8")).toContain("<svg");
  const reported = await assay(["report", "--results-dir", "out"]);
  expect([reported.status, reported.stderr]).toEqual([0, ""]);
  const page = readFileSync(join(user, "report.html"), "utf8");
  expect(page).toContain('<span class="value">0.917</span>');
  expect(page).toMatch(/<style>.{5000}/s);
});

it("assay run evaluates a model in its own service, and assay verify accepts the result", async () => {
  await using simulator = await closing();
  const model = ["--model", "sim-perfect", "--base-url", simulator.baseUrl];
  const run = ["run", "extraction", ...model, "--dataset", "stock", "--sample", "5", "--json"];
  const { status, stdout, stderr } = await assay(run);
  expect(status, stderr).toBe(0);
  expect(simulator.log.entries.length).toBe(5);
  expect(existsSync(join(user, ".assay", "state"))).toBe(true);
  const [, id = ""] = /"id": "(run_\w+)"/.exec(stdout) ?? [];
  const verified = await assay(["verify", id]);
  expect([verified.status, verified.stdout], verified.stderr).toEqual([
    0,
    expect.stringMatching(/signature +ok/),
  ]);
});

/** A program that answers the samples. */
const program = `import { createInterface } from "node:readline";
const right = ${JSON.stringify(Object.fromEntries(samples.map((row) => [row.id, row.expected_output])))};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, sample } = JSON.parse(line);
  console.log(JSON.stringify({ id, text: JSON.stringify(right[sample]) }));
}
`;
const evaluated = ["run", "extraction", "--model", "mine", "--dataset", "samples.jsonl"];
const answering = [...evaluated, "--exec", "node answer.mjs", "--processes", "1"];

/** A template for `--http`. */
const template = (url: string) => `url: ${url}/answer
headers: { authorization: "Bearer \${INTERFACE_KEY}" }
body: { of: "{{input}}", schema: "{{schema}}" }
reply: { text: result.answer }
`;

/** Runs exports of a run in parallel; all use the service that the first command starts. */
async function exported(id: string, ...all: readonly string[][]) {
  const started = all.slice(0, 1).map((args) => assay(["export", id, ...args]));
  const isStarted = () => existsSync(join(user, ".assay", "service.json"));
  await vi.waitUntil(isStarted, { timeout: 60_000 });
  const others = all.slice(1).map((args) => assay(["export", id, ...args]));
  return Promise.all([...started, ...others]);
}

it("assay run --exec evaluates a program, --baseline gates a change, and assay export writes other formats", async () => {
  writeFileSync(join(user, "answer.mjs"), program);
  const first = await assay([...answering, "--save-baseline", "base.json", "--json"]);
  expect(first.status, first.stderr).toBe(0);
  const { runs } = JSON.parse(first.stdout);
  expect(runs[0].metrics.eqs.value).toBe(1);

  const gate = ["--baseline", "base.json", "--non-inferior", "eqs=0.02"];
  const files = ["--summary", "summary.md", "--junit", "gate.xml"];
  const same = await assay([...answering, ...gate]);
  expect([same.status, same.stdout], same.stderr).toEqual([0, expect.stringContaining("no worse")]);
  await using wrong = await fakeService(() => ({ body: { result: { answer: "{}" } } }));
  writeFileSync(join(user, "interface.yaml"), template(wrong.url));
  const other = [...evaluated, "--http", "interface.yaml", ...gate, ...files];
  const worse = await assay(other, { INTERFACE_KEY: "key-of-interface" });
  expect(worse.status, worse.stdout + worse.stderr).toBe(1);
  const [{ text, schema }] = samples as [(typeof samples)[0]];
  expect(wrong.asked).toContainEqual(
    expect.objectContaining({
      headers: expect.objectContaining({ authorization: "Bearer key-of-interface" }),
      body: { of: text, schema },
    }),
  );
  expect(readFileSync(join(user, "summary.md"), "utf8")).toContain("EQS");
  expect(readFileSync(join(user, "gate.xml"), "utf8")).toContain("<failure");

  const { id } = runs[0];
  const about = ["--weights", "open_weights", "--deployment", "self_deployed"];
  const results = await exported(
    id,
    ["--format", "bundle", "--output", "eee", ...about],
    ["--what", "answers", "--output", "a.parquet"],
    ["--what", "otel-events"],
    ["--what", "eval-results", "--hub-dataset", "acme/receipts"],
    ["--what", "eval-yaml"],
  );
  expect(results.map(({ status, stderr }) => (status === 0 ? "" : stderr))).toEqual(
    Array(5).fill(""),
  );
  const [bundle, , events, evalResults, evalYaml] = results.map(({ stdout }) => stdout);
  expect(bundle).toMatch(/^eee\/data\/.*_samples\.jsonl$/m);
  expect(events).toContain('"eventName":"gen_ai.evaluation.result"');
  expect(parse(evalResults ?? "")).toMatchObject([{ dataset: { id: "acme/receipts" }, value: 1 }]);
  expect(parse(evalYaml ?? "")).toMatchObject({ evaluation_framework: "assay" });

  const read = await assay(["import", "parquet", "a.parquet", "--out", "-"]);
  expect([read.status, read.stdout.trim().split("\n").length], read.stderr).toEqual([0, 3]);
  const map = ["--map", 'prompt=$replace(output, /"(\\w+)":/, "$1 is ")', "--map", "id=id"];
  const mapped = await assay([
    "dataset",
    "import",
    "a.parquet",
    "--suite",
    "quality",
    ...map,
    "--preview",
  ]);
  expect([mapped.status, mapped.stdout], mapped.stderr).toEqual([
    0,
    expect.stringContaining("from is "),
  ]);
});

it("the package runs another program's config and imports its log", async () => {
  copyFileSync(
    join(import.meta.dirname, "__fixtures__", "other-program.yaml"),
    join(user, "config.yaml"),
  );
  await using simulator = await closing(join(user, "samples.jsonl"));
  const rows = samples.map(({ text, schema, expected_output: expected }) => ({
    text,
    schema: JSON.stringify(schema),
    item: JSON.stringify(expected),
  }));
  await using hub = await fakeHub({ rows });
  const asked = ["--models", "sim-perfect,sim-tiny", "--base-url", simulator.baseUrl];
  const run = await assay(["run", "--config", "config.yaml", ...asked], { ASSAY_HF_URL: hub.url });
  expect(run.status, run.stderr).toBe(0);
  expect(hub.asked.map(({ call }) => call)).toContainEqual(
    expect.stringContaining("dataset=paraloq%2Fjson_data_extraction"),
  );
  const folders = readdirSync(join(user, "results")).map((name) => join("results", name));
  const compared = await assay(["compare", ...folders, "--output", "comparison.html"]);
  expect(compared.status, compared.stderr).toBe(0);
  expect(readFileSync(join(user, "comparison.html"), "utf8")).toContain("<svg");

  const entry = {
    id: "fee",
    epoch: 1,
    input: "What is the fee?",
    target: "EUR 120",
    scores: { match: { value: "C" } },
    output: { choices: [{ message: { content: "EUR 120" }, stop_reason: "stop" }] },
  };
  const log = [
    { name: "header.json", text: '{"version":2,"status":"success","eval":{}}' },
    { name: "samples/fee_epoch_1.json", text: JSON.stringify(entry) },
  ];
  writeFileSync(join(user, "log.eval"), zipFile(log));
  const samplesOut = "--samples moved.jsonl --rubric moved.yaml --out moved-answers.jsonl".split(
    " ",
  );
  const moved = await assay(["import", "inspect", "log.eval", ...samplesOut]);
  expect(moved.status, moved.stderr).toBe(0);
  const judging = "--rubric moved.yaml --dataset moved.jsonl --answers moved-answers.jsonl".split(
    " ",
  );
  const judged = await assay(["judge", "rubric", ...judging]);
  expect([judged.status, judged.stdout], judged.stderr).toEqual([
    0,
    expect.stringContaining("Rubric score"),
  ]);
});

it("assay import openai-evals imports a run and the graders that call a model", async () => {
  const item = {
    object: "eval.run.output_item",
    datasource_item: { id: "fee" },
    sample: { output: [{ role: "assistant", content: "EUR 120" }], finish_reason: "stop" },
  };
  const input = [{ role: "user", content: "Is {{ sample.output_text }} kind?" }];
  const grader = { type: "label_model", name: "kind", labels: ["yes", "no"], input };
  const criteria = [
    { ...grader, passing_labels: ["yes"] },
    { type: "python", name: "code" },
  ];
  writeFileSync(join(user, "items.jsonl"), jsonl([item]));
  writeFileSync(join(user, "eval.json"), JSON.stringify({ testing_criteria: criteria }));
  const graders = ["--eval", "eval.json", "--rubric", "graders.yaml"];
  const moved = await assay(["import", "openai-evals", "items.jsonl", ...graders, "--out", "-"]);
  expect(moved.status, moved.stderr).toBe(0);
  expect(JSON.parse(moved.stdout)).toMatchObject({ id: "fee", output: "EUR 120" });
  expect(moved.stderr).toMatch(
    /"kind" \(label_model\): criterion .*\n.*"code" \(python\): not mapped/,
  );
  expect(readFileSync(join(user, "graders.yaml"), "utf8")).toContain("Is [the answer] kind?");
});

it("the package has JSON schemas of its output, and shell completions", async () => {
  const schema = await assay(["score", "--json-schema"]);
  expect(JSON.parse(schema.stdout)).toMatchObject({ type: "object" });
  for (const shell of ["bash", "zsh", "fish"]) {
    expect((await assay(["completion", shell])).stdout).toContain("complet");
  }
});

it("assay mcp serves MCP", () => {
  const head = { protocolVersion: "2025-06-18", capabilities: {} };
  const params = { ...head, clientInfo: { name: "test", version: "1" } };
  const input = jsonl([
    { jsonrpc: "2.0", id: 1, method: "initialize", params },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "tools/list" },
  ]);
  const installed = join(modules, ".bin", "assay");
  const server = ["mcp", "--server", "http://127.0.0.1:9"];
  const { stdout } = spawnSync(installed, server, { cwd: user, env, input, encoding: "utf8" });
  const replies = jsonLines(stdout);
  expect(replies[0].result.serverInfo).toMatchObject({ name: "assay" });
  expect(replies[1].result.tools.map(({ name }: { name: string }) => name)).toContain("run_status");
});

async function closing(rows = join(root, "shared", "suites", "extraction", "stock.jsonl")) {
  const datasets = [rows];
  const simulator = await startSimulator({ port: 0, latencyScale: 0, datasets });
  return Object.assign(simulator, { [Symbol.asyncDispose]: () => simulator.close() });
}

it("assay run reports when the runtime can't be installed, and leaves no files behind", async () => {
  const model = ["--model", "m", "--base-url", "http://127.0.0.1:9/v1"];
  const run = ["run", "extraction", ...model, "--dataset", "stock"];
  const more = { ASSAY_RUNTIME: "", ASSAY_FOLDER: join(work, "other") };
  const { status, stderr } = await assay(run, more);
  expect([status, stderr]).toEqual([2, expect.stringContaining("Installing the runtime")]);
  expect(stderr).toContain("the package registry can't be reached; check the network");
  expect(readdirSync(join(work, "cache", "assay", "runtime"))).toEqual([]);
  expect(await assay(run, { ...more, ASSAY_RUNTIME: user })).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("ASSAY_RUNTIME must name a folder"),
  });
});

it("the package has a typed client", async () => {
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
  const compiled = await runHere(process.execPath, [tsc, ...options, "client.mts"]);
  expect([compiled.status, compiled.stdout]).toEqual([0, ""]);
  const called = await runHere(process.execPath, [join("out", "client.mjs")]);
  server.close();
  expect([called.stdout, called.stderr]).toEqual(["run_1\n", ""]);
  expect(asked).toEqual([["GET", "/v1/runs/run%2F1", "Bearer key-1"]]);
});
