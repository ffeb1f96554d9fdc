import { join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { root } from "../../../cli/local/root.ts";
import { newSigningKey } from "../../../cli/local/wrangler.ts";
import { assayServers } from "../../../cli/mcp/assay-server.ts";
import { serviceAccess } from "../../../cli/remote/service-access.ts";
import { serviceClient } from "../../../cli/remote/service-client.ts";
import type { RunConfig } from "../../../shared/contracts/submissions/run-config.ts";
import { assay } from "../support/assay.ts";
import { good, poor, samples } from "../support/compared-rows.ts";
import { fakeService, problemReply } from "../support/fake-service.ts";
import { folderWith } from "../support/folder-with.ts";
import { publishedRun } from "../support/published-run.ts";
import { aService, finished } from "../support/run-service.ts";

const key = "assay_a-key";
const LONGEST = 12_101;

/** An MCP client of the tools, which call the service at `url`. */
async function clientOf(url: string, apiKey: string | null = null, config: RunConfig = {}) {
  const service = serviceClient(serviceAccess(url, apiKey ?? undefined), "submit");
  const [near, far] = InMemoryTransport.createLinkedPair();
  serveStdio(await assayServers({ service, hasKey: apiKey !== null, config }), { transport: far });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(near);
  // The client checks output schemas only of tools that it has listed.
  const { tools } = await client.listTools();
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name, arguments: args });
    const [content] = result.content as { text: string }[];
    expect(content!.text.length).toBeLessThan(LONGEST);
    expect(JSON.stringify(result)).not.toContain(key);
    const data = (result.structuredContent ?? {}) as Record<string, unknown>;
    return { isError: result.isError === true, text: content!.text, data };
  };
  return { tools, call, instructions: client.getInstructions() ?? "" };
}

beforeEach(() => {
  vi.stubEnv("OPENAI_API_KEY", "sk-endpoint");
});

describe("tools on a service with a run", () => {
  let published: Awaited<ReturnType<typeof publishedRun>>;
  let client: Awaited<ReturnType<typeof clientOf>>;
  beforeAll(async () => {
    published = await publishedRun("extraction", newSigningKey());
    client = await clientOf(published.url);
  });
  afterAll(() => published[Symbol.asyncDispose]());

  it("are read-only without a key, which the instructions state", () => {
    const { tools, instructions } = client;
    expect(tools.map(({ name }) => name)).not.toContain("submit_run");
    expect(instructions).toContain("read-only, submit_run is missing: ASSAY_API_KEY is not set");
    for (const { annotations, inputSchema, outputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true });
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: "object" });
    }
  });

  it("list_suites describes one suite in pages", async () => {
    const all = await client.call("list_suites");
    expect(all.text).toMatch(/^extraction .+ Headline: eqs$/m);
    expect(all.data["details"]).toBeNull();
    const first = await client.call("list_suites", { suite: "extraction" });
    expect(first.text).toContain("- eqs (EQS, ratio, higher is better): ");
    const pages = Number(first.data["pages"]);
    const rest = await client.call("list_suites", { suite: "extraction", page: pages });
    expect(rest.text).toMatch(/\}$/);
    const beyond = await client.call("list_suites", { suite: "extraction", page: pages + 1 });
    expect(beyond).toMatchObject({
      isError: true,
      text: `page must be 1 to ${pages}, not ${pages + 1}`,
    });
  });

  it("list_datasets returns a cursor to the next page", async () => {
    const first = await client.call("list_datasets", { limit: 2 });
    const { datasets, nextCursor } = first.data;
    expect(datasets).toHaveLength(2);
    expect(first.text).toContain(`more: cursor ${nextCursor}`);
    const next = await client.call("list_datasets", { limit: 2, cursor: nextCursor });
    expect(next.data["datasets"]).not.toEqual(datasets);
  });

  it("run_status returns scores with intervals", async () => {
    const { data, text } = await client.call("run_status", { id: published.run.id });
    expect(data["runs"]).toMatchObject([
      { id: published.run.id, status: "finished", metrics: { eqs: { n: 72 } } },
    ]);
    expect(text).toMatch(/95% interval/);
  });

  it("list_samples sorts by score and explain_sample explains one answer", async () => {
    const { id: run } = published.run;
    const first = await client.call("list_samples", { run, limit: 3 });
    const listed = first.data["samples"] as { id: string; score: number }[];
    expect(listed.map(({ score }) => score)).toEqual(listed.map(({ score }) => score).toSorted());
    const next = await client.call("list_samples", { run, cursor: first.data["nextCursor"] });
    expect(next.data["samples"]).toHaveLength(20);
    const [answered] = next.data["samples"] as { id: string }[];
    const sample = await client.call("explain_sample", { run, sample: answered!.id });
    expect(sample.data).toMatchObject({ id: answered!.id, status: "scored", page: 1 });
    expect(sample.text).toMatch(/\| Expected \|/i);
    expect(sample.data["explanation"]).toBe(sample.text);
  });

  it("verify_run recomputes the numbers", async () => {
    const { data, text } = await client.call("verify_run", { run: published.run.id });
    expect(data).toMatchObject({ run: published.run.id, verdict: "verified" });
    expect(text).toMatch(/^metrics +ok/m);
  });

  it.each([
    ["verify_run", { run: "/etc/passwd" }, "must be the id of a run"],
    ["run_status", { id: "run_none" }, "there is no run"],
    ["explain_sample", { run: "run_none", sample: ".." }, "is not a path of the service"],
    ["compare_runs", { runs: ["run_1", "run_1"] }, "two or more different"],
    ["list_samples", { run: "run_1", limits: 3 }, "limits"],
  ])("%s explains why it refuses %j", async (name, args, message) => {
    const { isError, text } = await client.call(name, args);
    expect([isError, text.includes(message) || text]).toEqual([true, true]);
  });
});

it("compare_runs compares one metric", async () => {
  const files = { "samples.jsonl": samples, "run_a.jsonl": good, "run_b.jsonl": poor };
  const folder = folderWith(files);
  const args = ["--answers", "run_a.jsonl", "--answers", "run_b.jsonl", "--json"];
  const dataset = ["compare", "extraction", "--dataset", "samples.jsonl"];
  const { stdout } = await assay(folder.path, [...dataset, ...args]);
  folder.dispose();
  await using service = await fakeService(() => ({ body: JSON.parse(stdout) }));
  const { call } = await clientOf(service.url);
  const asked = { runs: ["run_b", "run_a"], metric: "validity" };
  const { data, text } = await call("compare_runs", asked);
  expect(service.asked.at(-1)!.call).toBe("GET /v1/compare?runs=run_a%2Crun_b");
  expect(data).toMatchObject({ metric: "validity", pairs: [{ a: "run_a", b: "run_b" }] });
  expect(text).toMatch(/^acme\/run_a|^run_a +1\.000/m);
  const other = await call("compare_runs", { ...asked, metric: "beauty" });
  expect(other.text).toMatch(/^"beauty" is not compared; choose eqs, /);
});

it("run_status pages the runs of a large submission and limits the length of texts", async () => {
  const failures = [{ class: "network", count: 72, id: "a", message: "x".repeat(300) }];
  const points = { ...finished.points, failures: [failures[0], failures[0], failures[0]] };
  await using service = await fakeService(({ call }) =>
    call === "GET /v1/submissions/sub_1"
      ? { body: { runs: Array.from({ length: 25 }, (_, i) => listed(`run_${i}`)) } }
      : { body: { ...finished, id: call.split("/").at(-1)!, points } },
  );
  const { call } = await clientOf(service.url);
  const last = await call("run_status", { id: "sub_1", page: 3 });
  const runs = last.data["runs"] as { id: string }[];
  expect(runs.map(({ id }) => id)).toEqual([20, 21, 22, 23, 24].map((i) => `run_${i}`));
  const first = await call("run_status", { id: "sub_1" });
  expect(first.data).toMatchObject({ page: 1, pages: 3 });
  expect(JSON.stringify(first.data).length).toBeLessThan(30_000);
});

const listed = (id: string) => ({
  id,
  model: "acme/a-model",
  variant: null,
  status: "finished",
  links: { self: "/", samples: "/", report: null },
});

describe("tools with a key", () => {
  const asked = { suite: "extraction", dataset: "stock", models: ["openai:gpt-6-luna"], sample: 5 };

  it("submit_run sends the endpoint's key without showing it; estimate_run sends none", async () => {
    await using service = await aService();
    const { tools, call, instructions } = await clientOf(service.url, key);
    const submit = tools.find(({ name }) => name === "submit_run");
    expect(submit?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false });
    expect(instructions).toContain("ask the user first");
    const estimated = await call("estimate_run", asked);
    expect(estimated.data).toMatchObject({ suite: "extraction", total: { requests: 72 } });
    expect(JSON.stringify(service.asked)).not.toContain("sk-endpoint");
    const started = await call("submit_run", asked);
    expect(started.data).toMatchObject({ submission: "sub_1", runs: [{ id: "run_1" }] });
    expect(JSON.stringify(started)).not.toContain("sk-endpoint");
    expect(service.asked.at(-1)).toMatchObject({
      call: "POST /v1/submissions",
      headers: { authorization: `Bearer ${key}` },
      body: {
        visibility: "unlisted",
        options: { sample: { n: 5 } },
        models: [{ endpoint: { provider: "openai", model: "gpt-6-luna", apiKey: "sk-endpoint" } }],
      },
    });
  });

  it("submit_run sends keys for models of the config file, not for models at an address", async () => {
    vi.stubEnv("MY_KEY", "sk-mine");
    await using service = await aService();
    const base_url = "https://models.example.com/v1";
    const config = { models: [{ name: "mine", base_url, api_key_env: "MY_KEY" }] };
    const { call } = await clientOf(service.url, key, config);
    const baseUrl = "http://localhost:11434/v1";
    await call("submit_run", { ...asked, models: ["mine", "llama"], baseUrl });
    expect(service.asked.at(-1)!.body).toMatchObject({
      models: [
        { endpoint: { baseUrl: base_url, apiKey: "sk-mine" } },
        { endpoint: { baseUrl, model: "llama" } },
      ],
    });
    expect(JSON.stringify(service.asked.at(-1)!.body).match(/apiKey/g)).toHaveLength(1);
  });

  it("estimate_run and submit_run refuse models that are programs", async () => {
    await using service = await aService();
    const config = { models: [{ name: "mine", exec: "touch file" }] };
    const { call } = await clientOf(service.url, key, config);
    for (const tool of ["estimate_run", "submit_run"]) {
      const { isError, text } = await call(tool, { ...asked, models: ["mine"] });
      expect([isError, text]).toEqual([
        true,
        expect.stringMatching(/^mine is a program .+ assay run$/),
      ]);
    }
  });

  it.each([
    [{ models: ["gpt"] }, /^"gpt" names no provider: give provider:model, .+ or baseUrl$/],
    [{ models: ["anthropic:claude"] }, /ANTHROPIC_API_KEY is not set/],
    [{ options: { temperature: "hot" } }, /^options\.temperature: must be a number/],
  ])("submit_run refuses %j", async (more, message) => {
    vi.stubEnv("ANTHROPIC_API_KEY", undefined);
    await using service = await aService();
    const { call } = await clientOf(service.url, key);
    const { isError, text } = await call("submit_run", { ...asked, ...more });
    expect(isError).toBe(true);
    expect(text).toMatch(message);
    expect(service.asked.map((one) => one.call)).not.toContain("POST /v1/submissions");
  });

  it("submit_run is missing if the key may not submit, and no error shows the key", async () => {
    await using service = await fakeService(() =>
      problemReply(403, `${key} has no scope "submit"`),
    );
    const { tools, call, instructions } = await clientOf(service.url, key);
    expect(tools.map(({ name }) => name)).not.toContain("submit_run");
    expect(instructions).toContain("submit_run is missing: http");
    expect(instructions).not.toContain(key);
    const { isError, text } = await call("run_status", { id: "run_1" });
    expect([isError, text]).toEqual([true, expect.stringContaining("set ASSAY_API_KEY")]);
  });
});

it("assay mcp serves its tools on standard input and output until the client closes", async () => {
  await using service = await aService();
  const args = [join(root, "cli/assay.mjs"), "mcp", "--server", service.url];
  const env = { PATH: process.env["PATH"] ?? "", ASSAY_API_KEY: key };
  const transport = new StdioClientTransport({ command: process.execPath, args, env });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(9);
  const status = await client.callTool({ name: "run_status", arguments: { id: "run_1" } });
  expect(status.structuredContent).toMatchObject({ runs: [{ id: "run_1" }] });
  await client.close();
});
