import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import type { DatasetSource } from "../../../cli/config/plan.ts";
import { serviceAccess } from "../../../cli/remote/service-access.ts";
import { serviceClient } from "../../../cli/remote/service-client.ts";
import { fitRequest } from "../../../cli/run/fit-request.ts";
import { gathering } from "../support/assay.ts";
import { fakeHub, newest } from "../support/fake-hub.ts";
import { type Asked, fakeService, problemReply } from "../support/fake-service.ts";
import { aFolder } from "../support/folder-with.ts";
import { samples } from "../support/three-samples.ts";

const columns = samples.map(({ text, schema, expected_output }) => ({
  text,
  schema: JSON.stringify(schema),
  item: JSON.stringify(expected_output),
}));
const version = "b".repeat(64);

/** A service with these datasets and all uploads; it accepts the dataset `named` without listing it. */
function aService(there: { name: string; source?: string }[] = [], named?: string) {
  const datasets = [...there];
  const dataset = (one: object) => ({
    suite: "extraction",
    version,
    samples: 3,
    visibility: "public",
    createdAt: "2026-11-20T00:00:00Z",
    ...one,
  });
  return fakeService(({ call }: Asked) => {
    const { pathname, searchParams: query } = new URL(call.split(" ")[1]!, "http://service");
    if (call.startsWith("POST /v1/datasets")) {
      const one = { name: query.get("name")!, source: query.get("source")! };
      datasets.unshift(one);
      return { status: 201, body: dataset({ ...one, malformed: [], warnings: [] }) };
    }
    const listed = datasets.filter(({ name }) => name === query.get("name"));
    const body = listed.map((one) => dataset({ ...one, malformedCount: 0, warningCount: 0 }));
    if (pathname === "/v1/datasets") return { body: { datasets: body, nextCursor: null } };
    if (named === undefined || pathname !== `/v1/datasets/extraction/${encodeURIComponent(named)}`)
      return problemReply(404, "no such dataset");
    return { body: dataset({ name: named, malformed: [], warnings: [] }) };
  });
}

async function fitted(
  url: string,
  dataset: string,
  source: Partial<DatasetSource> = {},
  options = {},
) {
  const { stream, text } = gathering();
  const service = serviceClient(serviceAccess(url, undefined), "submit");
  const needs = {
    source: { config: null, split: null, cacheFolder: null, ...source },
    answersFolder: null,
  };
  const request = { suite: "extraction", dataset, models: [], options };
  const fit = await fitRequest(service, request, needs, true, stream);
  return { ...fit, said: text() };
}

it("fitRequest() imports a dataset of Hugging Face once, and its only split under any name", async () => {
  await using hub = await fakeHub({ rows: columns });
  await using service = await aService();
  vi.stubEnv("ASSAY_HF_URL", hub.url);
  const cacheFolder = join(aFolder(), "cache");
  const wanted = { split: "test", cacheFolder };
  const first = await fitted(service.url, "lab/forms", wanted);
  expect([first.dataset, first.said]).toEqual([
    "lab/forms",
    `hf:lab/forms: imported 3 samples of default/train, its only split, not test, at commit ${newest.slice(0, 12)}\n`,
  ]);
  expect(existsSync(join(cacheFolder, "lab", "forms"))).toBe(true);
  const asks = hub.asked.length;
  const again = await fitted(service.url, "hf:lab/forms", wanted);
  expect([again.dataset, again.said, hub.asked.length]).toEqual(["lab/forms", "", asks]);
});

it("fitRequest() uploads splits separately, and requires a choice between several", async () => {
  const splits = [
    ["default", "train"],
    ["default", "test"],
  ] as const;
  await using hub = await fakeHub({ rows: columns, splits });
  await using service = await aService();
  vi.stubEnv("ASSAY_HF_URL", hub.url);
  const cacheFolder = aFolder();
  await fitted(service.url, "lab/forms", { split: "train", cacheFolder });
  await fitted(service.url, "lab/forms", { split: "test", cacheFolder });
  const uploads = () => service.asked.filter(({ call }) => call.startsWith("POST"));
  expect(uploads()).toHaveLength(2);
  const { dataset } = await fitted(service.url, "lab/forms", { split: "train", cacheFolder });
  expect([dataset, uploads().length]).toEqual([`lab/forms@${version}`, 2]);
  await using empty = await aService();
  await expect(fitted(empty.url, "lab/forms", { cacheFolder })).rejects.toThrow(
    "choose one with --split: train, test; in a config file with dataset.split",
  );
});

it("fitRequest() uses datasets that the service has", async () => {
  await using service = await aService([{ name: "acme/invoices" }]);
  const nameOf = async (name: string) => (await fitted(service.url, name)).dataset;
  expect([
    await nameOf("stock"),
    await nameOf("acme/invoices"),
    await nameOf("a/b@123456"),
  ]).toEqual(["stock", "acme/invoices", "a/b@123456"]);
});

it("fitRequest() asks the service before Hugging Face, and reports a dataset missing in both", async () => {
  await using hub = await fakeHub({ rows: [], splits: [] });
  vi.stubEnv("ASSAY_HF_URL", hub.url);
  await using service = await aService([], "acme/first");
  expect((await fitted(service.url, "acme/first")).dataset).toBe("acme/first");
  expect(hub.asked).toEqual([]);
  await expect(fitted(service.url, "acme/frist")).rejects.toThrow(
    `${service.url} has no dataset acme/frist of suite extraction, and it can't be imported: `,
  );
});

it("fitRequest() reuses answers only with a local service", async () => {
  await using service = await aService();
  const options = { reuseAnswers: true, concurrency: 2 };
  const here = await fitted(service.url, "stock", {}, options);
  expect([here.options, here.said]).toEqual([options, ""]);
  const there = await fitted("https://assay.example.com", "stock", {}, options);
  expect([there.options, there.said]).toEqual([
    { concurrency: 2 },
    "enable_caching has no effect: only a service on this machine reuses answers\n",
  ]);
});
