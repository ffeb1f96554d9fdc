import { join } from "node:path";
import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { assay } from "../support/assay.ts";
import { fakeService, problemReply, type Reply } from "../support/fake-service.ts";
import { folderWith, jsonl } from "../support/folder-with.ts";
import { anEstimate } from "../support/run-service.ts";
import { samples } from "../support/three-samples.ts";

const model = "model: { name: a, base_url: http://localhost:8000/v1 }\n";
const folder = folderWith({ "here.jsonl": samples });
const nested = folderWith({
  "assay.yaml": `suite: extraction\n${model}dataset: { name: ./Own rows.jsonl }\n`,
  "Own rows.jsonl": `${jsonl(samples)}{"id": "broken"}\n`,
});
const config = join(nested.path, "assay.yaml");
afterAll(() => {
  folder.dispose();
  nested.dispose();
});
beforeEach(() => {
  vi.stubEnv("ASSAY_FOLDER", join(folder.path, "state"));
});
const version = "a".repeat(64);
const aService = () =>
  fakeService(({ call }): Reply => {
    if (call === "GET /v1/usage") return { body: { owner: "acme" } };
    if (call.startsWith("POST /v1/datasets?")) {
      const name = new URLSearchParams(call.split("?")[1]).get("name");
      const counts = { samples: 3, malformedCount: 0, warningCount: 0 };
      const lists = { malformed: [], warnings: [] };
      const about = { suite: "extraction", name, version, visibility: "public" };
      return {
        status: 201,
        body: { ...about, ...counts, ...lists, createdAt: "2026-11-20T09:30:00.000Z" },
      };
    }
    if (call === "POST /v1/submissions?dryRun=true") return { body: anEstimate };
    return problemReply(404, `there is no ${call}`);
  });

it("assay run uploads the config's dataset file, relative to the config's folder", async () => {
  await using service = await aService();
  const args = ["run", "--config", config, "--server", service.url, "--dry-run"];
  const { code, stderr } = await assay(folder.path, args);
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(
      /Own rows\.jsonl: 3 samples, 1 malformed left out, as dataset acme\/Own-rows, public\n$/,
    ),
  ]);
  const upload = service.asked.find(({ call }) => call.startsWith("POST /v1/datasets?"));
  expect(upload?.call).toContain("suite=extraction&name=acme%2FOwn-rows");
  expect(`${upload?.body}`.trimEnd().split("\n")).toHaveLength(3);
  const asked = service.asked.find(({ call }) => call.endsWith("dryRun=true"));
  expect(asked?.body).toMatchObject({ dataset: `acme/Own-rows@${version}` });
});

it("assay run reads --dataset relative to the working folder and refuses a missing file before any request", async () => {
  await using service = await aService();
  const at = (url: string) => ["--config", config, "--server", url];
  const run = (dataset: string) =>
    assay(folder.path, ["run", "--dry-run", "--dataset", dataset, ...at(service.url)]);
  expect(await run("here.jsonl")).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("here.jsonl: 3 samples, as dataset acme/here"),
  });
  const before = service.asked.length;
  expect(await run("gone.jsonl")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("gone.jsonl: there is no such file"),
  });
  expect(service.asked).toHaveLength(before);
});
