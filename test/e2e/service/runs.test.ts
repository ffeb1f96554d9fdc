import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { root } from "../../../cli/local/root.ts";
import type { DatasetTimeline } from "../../../shared/contracts/drift/drift.ts";
import type { WebhookWithSecret } from "../../../shared/contracts/webhooks/webhook.ts";
import { freePort } from "../../faults/support/free-port.ts";
import { api, finished, servedAt, stack, stock, until } from "./served.ts";

servedAt(9860);

/** All rows of a run, from all pages. */
async function sampleRows(id: string) {
  const rows: { seq: number; id: string }[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const response = await fetch(`${stack.origin}/v1/runs/${id}/samples?limit=90${query}`);
    const page = (await response.json()) as { samples: typeof rows; nextCursor: string | null };
    rows.push(...page.samples);
    cursor = page.nextCursor;
  }
  return rows;
}

describe("a run of 200 samples with 10% transient faults", () => {
  it("finishes with exactly one row per sample", async () => {
    const rows = stock.trim().split("\n");
    const many = Array.from({ length: 200 }, (_, i) => {
      const row = JSON.parse(rows[i % rows.length] ?? "");
      return JSON.stringify({ ...row, id: `${row.id}-${i}` });
    });
    await api.uploadDataset("extraction", "many", many.join("\n"));
    const model = "sim-perfect?latency=20&faults=transient:0.1&retryAfter=0";
    const submission = await api.submit({
      suite: "extraction",
      dataset: "many",
      models: [{ name: "Faulty", endpoint: { baseUrl: stack.simulator, model } }],
      options: { maxRetries: 6, timeoutMs: 5_000 },
    });
    const run = await finished(submission.runs[0]?.id ?? "");
    expect(run).toMatchObject({
      status: "finished",
      progress: { total: 200, done: 200, failed: 0 },
    });
    expect(run.metrics?.["eqs"]).toMatchObject({ value: 1, n: 200, coverage: 1 });
    const seqs = (await sampleRows(run.id)).map((row) => row.seq);
    expect(seqs).toEqual(Array.from({ length: 200 }, (_, i) => i));
  });
});

describe("a run at an endpoint", () => {
  it("that refuses the key finishes with all samples failed", async () => {
    await api.uploadDataset("extraction", "stock", stock);
    const submission = await api.submit({
      suite: "extraction",
      dataset: "stock",
      models: [
        {
          name: "Refused",
          endpoint: { baseUrl: stack.simulator, model: "sim-instant", apiKey: "sk-wrong" },
        },
      ],
      options: { sample: { n: 10 } },
    });
    const run = await finished(submission.runs[0]?.id ?? "");
    expect(run).toMatchObject({ status: "finished", progress: { total: 10, failed: 10 } });
    expect(run.metrics?.["eqs"]).toMatchObject({ value: 0, coverage: 0 });
  });
});

describe("a schedule with a stream", () => {
  it("draws samples from a server's file for each run, and shows the scores over time", async () => {
    const rows = stock.trim().split("\n");
    const logs = { day: 1, conditions: [] as (string | undefined)[] };
    const server = createServer((request, response) => {
      const known = request.headers["if-none-match"];
      logs.conditions.push(known);
      const etag = `"day-${logs.day}"`;
      const ofDay = rows.map((row, i) =>
        JSON.stringify({ ...JSON.parse(row), id: `${logs.day}-${i}` }),
      );
      if (known === etag) response.writeHead(304).end();
      else response.writeHead(200, { etag }).end(gzipSync(ofDay.join("\n")));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port: logsPort } = server.address() as AddressInfo;
    const call = async (method: string, path: string, body?: object) => {
      const response = await fetch(`${stack.origin}${path}`, {
        method,
        headers: { "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    };
    const made = await call("POST", "/v1/schedules", {
      suite: "extraction",
      dataset: "requests",
      everyHours: 24,
      visibility: "unlisted",
      model: { name: "Streamed", endpoint: { baseUrl: stack.simulator, model: "sim-large" } },
      stream: { url: `http://127.0.0.1:${logsPort}/day.gz`, samplesPerVersion: 10, anchor: 20 },
    });
    expect(made.status).toBe(201);
    const path = `/v1/schedules/${(made.body as { id: string }).id}`;
    const runNow = async () => {
      const started = await call("POST", `${path}/run-now`);
      const { lastRun, detail } = started.body as { lastRun: { id: string }; detail: string };
      return started.status === 200 ? (await finished(lastRun.id)).id : detail;
    };
    const first = await runNow();
    logs.day = 2;
    const second = await runNow();
    expect(await runNow()).toContain("nothing is new: the file is unchanged");
    expect(logs.conditions).toEqual([undefined, '"day-1"', '"day-1"', '"day-2"']);
    const timeline = await until(async () => {
      const query = "suite=extraction&dataset=requests";
      const { body } = await call("GET", `/v1/dataset-timeline?${query}`);
      const found = body as DatasetTimeline;
      return found.histories[0]?.points.every(({ drift }) => drift) ? found : null;
    });
    server.close();
    expect(timeline.versions.map(({ samples, stream }) => [samples, stream?.drawn])).toEqual([
      [30, 30],
      [30, 10],
    ]);
    const points = timeline.histories[0]?.points ?? [];
    expect(points.map(({ run }) => run)).toEqual([first, second]);
    expect(points[1]?.drift).toMatchObject({
      reference: first,
      againstReference: { n: 20 },
      traffic: { runs: [first], n: 10, difference: expect.any(Number) },
    });
  });
});

it("a finished run notifies a webhook through the queue, and the receiver accepts the signature", async () => {
  const receiverPort = await freePort();
  const created = await fetch(`${stack.origin}/v1/webhooks`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: `http://127.0.0.1:${receiverPort}/`, events: ["run.finished"] }),
  });
  const { id, secret } = (await created.json()) as WebhookWithSecret;
  const env = { ...process.env, SECRET: secret, PORT: `${receiverPort}` };
  const receiver = spawn(process.execPath, [join(root, "examples/webhook.mjs")], { env });
  let printed = "";
  receiver.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  try {
    await until(async () => (printed.includes("listening") ? true : null));
    await api.uploadDataset("extraction", "stock", stock);
    const endpoint = { baseUrl: stack.simulator, model: "sim-instant" };
    const submission = await api.submit({
      suite: "extraction",
      dataset: "stock",
      models: [{ name: "Told", endpoint }],
      options: { sample: { n: 2 } },
    });
    const run = submission.runs[0]?.id ?? "";
    await until(async () => (printed.includes(`run.finished ${run}`) ? true : null));
  } finally {
    receiver.kill();
    await fetch(`${stack.origin}/v1/webhooks/${id}`, { method: "DELETE" });
  }
});
