import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { isFreePort } from "../../cli/local/processes.ts";
import { type Stack, startStack } from "../../cli/local/stack.ts";
import type { Run } from "../../shared/contracts/run.ts";
import { assay } from "../cli/support/assay.ts";
import { fakeHub } from "../cli/support/fake-hub.ts";

/** Port of the endpoint in the configs. */
const ENDPOINT_PORT = 8000;
const own = join(import.meta.dirname, "__fixtures__/other-program.yaml");
const shared = join(import.meta.dirname, "../../../shared/data/source-config/config.yaml");
/** The shared file if it exists; otherwise the fixture, which has the same keys. */
const config = existsSync(shared) ? shared : own;

const string = { type: "string" };
const schema = { type: "object", properties: { from: string, to: string } };
const towns = ["Rome", "Bergen", "Lyon", "Graz", "Ghent", "Turku"];
const rows = towns.map((to) => ({
  text: `From Oslo to ${to}.`,
  schema: JSON.stringify(schema),
  item: JSON.stringify({ from: "Oslo", to }),
  topic: "travel",
}));

/** Requested models, in order. */
const asked: string[] = [];

/** An endpoint whose model `mistral-7b` answers half of the samples wrongly. */
function anEndpoint(): Server {
  return createServer(async (request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.url?.endsWith("/models")) {
      return void response.end(JSON.stringify({ data: [{ id: "llama-3-8b" }] }));
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { model, messages } = JSON.parse(Buffer.concat(chunks).toString());
    asked.push(model);
    const prompt = JSON.stringify(messages);
    const place = towns.findIndex((town) => prompt.includes(`to ${town}`));
    const to = model === "mistral-7b" && place % 2 === 0 ? "Paris" : towns[place];
    const message = { role: "assistant", content: JSON.stringify({ from: "Oslo", to }) };
    const usage = { prompt_tokens: 90, completion_tokens: 12 };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    response.end(JSON.stringify({ id: "x", object: "chat.completion", model, choices, usage }));
  });
}

const folder = mkdtempSync(join(tmpdir(), "assay-source-"));
const before = process.cwd();
const at = (...names: string[]) => join(folder, ...names);

describe.skipIf(!(await isFreePort(ENDPOINT_PORT)))("another program's config", () => {
  let stack: Stack;
  let hub: Awaited<ReturnType<typeof fakeHub>>;
  const endpoint = anEndpoint();

  beforeAll(async () => {
    copyFileSync(config, at("config.yaml"));
    hub = await fakeHub({ rows });
    for (const name of ["ASSAY_URL", "ASSAY_API_KEY", "HF_TOKEN"]) vi.stubEnv(name, undefined);
    vi.stubEnv("ASSAY_FOLDER", at("state"));
    vi.stubEnv("ASSAY_HF_URL", hub.url);
    process.chdir(folder);
    await new Promise<void>((resolve) => endpoint.listen(ENDPOINT_PORT, "localhost", resolve));
    stack = await startStack({
      port: 9920,
      elsewhere: true,
      folder: at("state"),
      answersFolder: at("cache"),
      fresh: true,
      site: false,
      print: console.error,
    });
  });

  afterAll(async () => {
    process.chdir(before);
    vi.unstubAllEnvs();
    await stack?.stop();
    await hub?.dispose();
    endpoint.closeAllConnections();
    endpoint.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a command line in the folder of the config. */
  async function run(line: string) {
    const { code, stdout, stderr } = await assay(folder, line.split(" ").slice(1));
    expect(code, `${line}\n${stdout}${stderr}`).toBe(0);
    return { stdout, stderr };
  }

  const runFolders = () => readdirSync(at("results")).sort();
  const runIn = (name: string) =>
    JSON.parse(readFileSync(at("results", name, "run.json"), "utf8")) as Run;

  it("works with that program's commands unchanged", async () => {
    const first = await run("assay run --model llama-3-8b --config config.yaml");
    expect(first.stderr).toContain(
      "hf:paraloq/json_data_extraction: imported 6 samples of default/train, its only split, not test",
    );
    expect(first.stderr).toContain("performance.batch_size: no effect");
    expect(first.stderr).not.toMatch(/caching|enable_caching: no effect|metrics\.enabled/);
    expect(first.stdout).toMatch(/EQS +1\.000/);
    expect(asked).toEqual(Array(6).fill("llama-3-8b"));
    const [id = ""] = runFolders();
    expect(readdirSync(at("results", id)).sort()).toEqual([
      "answers.jsonl",
      "report.html",
      "run.json",
      "samples.jsonl",
    ]);
    expect(runIn(id).metrics?.["latencyP50"]?.n).toBe(6);

    const asks = hub.asked.length;
    await run("assay run --model llama-3-8b --sample 100 --seed 42");
    expect([asked.length, hub.asked.length]).toEqual([6, asks]);
    const [, second = ""] = runFolders();
    const { metrics, notes, timeline } = runIn(second);
    expect([metrics?.["eqs"]?.value, metrics?.["latencyP50"]?.n, timeline]).toEqual([1, 0, null]);
    expect(notes.join()).toContain("6 of 6 answers were not requested again");
    expect(readFileSync(at("results", second, "report.html"), "utf8")).toContain(
      "6 of 6 answers were not requested again",
    );

    await run("assay run --models llama-3-8b,mistral-7b --config config.yaml");
    expect(asked.slice(6)).toEqual(Array(6).fill("mistral-7b"));
    for (const [i, name] of runFolders().slice(1).entries()) {
      cpSync(at("results", name), at("results", `run_00${i + 1}`), { recursive: true });
    }

    await run("assay report --results-dir ./results/run_001 --output report.html");
    expect(readFileSync(at("report.html"), "utf8")).toContain("llama-3-8b");
    const runs = hub.asked.length;
    const compared = await run(
      "assay compare --runs run_001,run_002,run_003 --output comparison.html",
    );
    expect(compared.stderr).toBe("reading results/run_001, results/run_002, results/run_003\n");
    expect(compared.stdout).toContain("mistral-7b");
    expect(readFileSync(at("comparison.html"), "utf8")).toMatch(/<svg[\s\S]+<svg[\s\S]+<svg/);
    const valid = await run("assay validate-config --config config.yaml");
    expect(valid.stdout).toMatch(/is valid: extraction on paraloq\/json_data_extraction, /);
    const tested = await run("assay test-connection --base-url http://localhost:8000/v1");
    expect(tested.stdout).toContain("llama-3-8b can be evaluated");
    expect(hub.asked.length).toBe(runs);
  });

  it("caches answers and rows in its cache folder, readable only by the owner", () => {
    const files = readdirSync(at("cache"), { recursive: true, encoding: "utf8" });
    expect(
      files.filter((name) => name.startsWith("paraloq/") && name.endsWith(".json")),
    ).not.toEqual([]);
    const answers = files.filter((name) => /^answers\/..\/[0-9a-f]{64}\.json$/.test(name));
    expect(answers).toHaveLength(12);
    for (const name of answers) expect(statSync(at("cache", name)).mode & 0o077).toBe(0);
  });
});

it("other-program.yaml has the same keys as the shared config", () => {
  if (!existsSync(shared)) return;
  const keysOf = (path: string) =>
    readFileSync(path, "utf8")
      .split("\n")
      .flatMap((line) => /^ *(?:- )?[a-z_0-9]+(?=:|$)/.exec(line) ?? [])
      .filter((key) => !/^\s{4,}[A-Z]/.test(key));
  expect(keysOf(own)).toEqual(keysOf(shared));
});
