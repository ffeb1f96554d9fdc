import { describe, expect, it } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import { anApp } from "../support/client.ts";
import { harness, relayDataset } from "../support/harness.ts";

const appOf = (platform: Platform) => anApp(platform);

const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
const answers = [{ id: "s0", output: "X" }];

async function submitNamed(platform: Platform, card: object) {
  const dataset = await relayDataset(platform, 1);
  const models = [{ name: "M", slug: "local/hostile", endpoint, ...card }];
  const response = await appOf(platform).request("http://assay.test/v1/submissions", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ suite: "relay", dataset, models, visibility: "public" }),
  });
  return { response, dataset };
}

describe("a name with misleading or invisible characters", () => {
  it.each([
    ["reverses the rest", "\u202egnp.exe"],
    ["reverses a part", "a\u2067b\u2069"],
    ["hides a character", "a\u200bb"],
    ["is invisible", "\u3164"],
    ["consists of joiners", "\u200d\u200d"],
    ["piles up accents", `a${"\u0301".repeat(119)}`],
    ["covers the character before it", "\u0489x"],
    ["has two lines", "a\nb"],
    ["has a line separator", "a\u2028b"],
    ["has a bell character", "a\u0007b"],
  ])("is refused with a pointer: %s", async (_case, name) => {
    for (const field of ["name", "license", "parameters", "quantization"]) {
      const { response } = await submitNamed(harness().platform, { [field]: name.slice(0, 40) });
      expect(response.status).toBe(422);
      const { errors } = (await response.json()) as { errors: { pointer: string }[] };
      expect(errors.map(({ pointer }) => pointer)).toEqual([`/models/0/${field}`]);
    }
  });

  it.each([
    ["of an endpoint", { endpoint: { ...endpoint, model: "m\u202egnp" } }, "endpoint/model"],
    ["declared", { endpoint: undefined, answers, modelId: "m\u200b" }, "modelId"],
    ["that is empty", { endpoint: { ...endpoint, model: "" } }, "endpoint/model"],
  ])("is refused as a model id: %s", async (_case, card, field) => {
    const { response } = await submitNamed(harness().platform, card);
    expect(response.status).toBe(422);
    const { errors } = (await response.json()) as { errors: { pointer: string }[] };
    expect(errors.map(({ pointer }) => pointer)).toEqual([`/models/0/${field}`]);
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//evil.example"])(
    "%s is refused as the URL of a model",
    async (url) => {
      expect((await submitNamed(harness().platform, { url })).response.status).toBe(422);
    },
  );
});

describe("a name that is markup or a formula", () => {
  it.each([
    `"><script>alert(1)</script>`,
    `"><img src=x onerror=alert(1)>`,
    "]]></text></svg><script>alert(1)</script>",
    "&amp;&lt;b&gt;",
    '=HYPERLINK("https://evil.example")',
    "+1",
    "-1",
    "@x",
  ])("stays text in badge, JSON and CSV: %s", async (name) => {
    const { platform, deliverAll } = harness();
    const app = appOf(platform);
    const { response, dataset } = await submitNamed(platform, { name, license: name.slice(0, 80) });
    expect(response.status).toBe(202);
    await deliverAll();
    const svg = await app.request("http://assay.test/badge/local/hostile.svg");
    expect(svg.headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
    expect(await svg.text()).not.toMatch(/<(script|img)|&(?!amp;|lt;|gt;|quot;|apos;)/);
    const query = `suite=relay&dataset=${dataset}`;
    const board = await app.request(`http://assay.test/v1/leaderboard?${query}`);
    expect(board.headers.get("content-type")).toContain("application/json");
    const { entries } = (await board.json()) as { entries: { model: { name: string } }[] };
    expect(entries.map(({ model }) => model.name)).toEqual([name]);
    const csv = await app.request(`http://assay.test/v1/leaderboard.csv?${query}`);
    const [, record = ""] = (await csv.text()).split("\r\n");
    if (/^[=+\-@]/.test(name)) expect(record).toContain(`'${name.replaceAll('"', '""')}`);
    expect(record).not.toMatch(/(^|,)"?[=+\-@]/);
  });
});

it.each([
  "/v1/<script>alert(1)</script>",
  "/v1/runs/%3Cscript%3Ealert(1)%3C%2Fscript%3E",
  "/v1/leaderboard?suite=<script>alert(1)</script>&dataset=stock",
  "/badge/acme/%3Cscript%3E.svg?suite=%22%3E%3Cscript%3E",
  "/badge/%3Cscript%3E/x.json",
])("a URL is never repeated as markup: %s", async (path) => {
  const response = await appOf(harness().platform).request(`http://assay.test${path}`);
  const type = response.headers.get("content-type") ?? "";
  expect(type).toMatch(/json|svg/);
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  if (type.includes("svg")) expect(await response.text()).not.toContain("<script");
});
