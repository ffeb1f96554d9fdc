import { expect, it } from "vitest";
import type { Dataset } from "../../../shared/contracts/datasets/dataset.ts";
import { suiteById, suites } from "../../../shared/suites/registry.ts";
import { problemOf } from "../support/client.ts";
import { hosted } from "../support/hosted.ts";

const row = JSON.stringify({ id: "a", prompt: "Describe a hill." });

it("a version is stored and shown with the mapping that made it", async () => {
  const { call } = hosted({ suites: { all: suites, byId: suiteById } });
  const upload = (mapping: string) =>
    call(
      "acme",
      "POST",
      `/v1/datasets?suite=quality&name=acme/mapped&visibility=public&mapping=${encodeURIComponent(mapping)}`,
      row,
    );
  const mapping = { map: { prompt: "title & body" }, tags: { topic: "kind" } };
  const stored = await upload(JSON.stringify(mapping));
  expect(stored.status).toBe(201);
  expect(((await stored.json()) as Dataset).mapping).toEqual({ ...mapping, files: {} });
  const read = await call(null, "GET", "/v1/datasets/quality/acme%2Fmapped");
  expect(((await read.json()) as Dataset).mapping).toEqual({ ...mapping, files: {} });
  const list = await call(null, "GET", "/v1/datasets?suite=quality&name=acme/mapped");
  expect(((await list.json()) as { datasets: Dataset[] }).datasets[0]).not.toHaveProperty(
    "mapping",
  );
  for (const wrong of ["{", '{"map": {"prompt": 4}}', '{"code": "x"}']) {
    const refused = await upload(wrong);
    expect(refused.status).toBe(422);
    expect((await problemOf(refused)).errors).toMatchObject([{ parameter: "mapping" }]);
  }
});
