import { expect, it } from "vitest";
import { assay } from "../support/assay.ts";
import { fakeService, problemReply } from "../support/fake-service.ts";
import { folderWith } from "../support/folder-with.ts";

const csv = "sampleId,answerHash,metric,score,rater\r\n";

it("assay ratings sends the unchanged file with its content type", async () => {
  await using service = await fakeService(() => ({ body: { stored: 3 } }));
  const { path, dispose } = folderWith({ "ratings.csv": csv, "ratings.jsonl": [{ a: 1 }] });
  const call = ["ratings", "run_1"];
  const server = ["--server", service.url];
  expect(await assay(path, [...call, `${path}/ratings.csv`, ...server])).toMatchObject({
    code: 0,
    stdout: "stored 3 ratings\n",
  });
  const asJson = await assay(path, [...call, "ratings.jsonl", "--json", ...server]);
  expect(JSON.parse(asJson.stdout)).toEqual({ stored: 3 });
  dispose();
  expect(service.asked.map((one) => [one.call, one.headers["content-type"], one.body])).toEqual([
    ["POST /v1/runs/run_1/ratings", "text/csv", csv],
    ["POST /v1/runs/run_1/ratings", "application/jsonl", '{"a":1}\n'],
  ]);
});

it("assay ratings prints the reasons for refused ratings", async () => {
  await using service = await fakeService(() =>
    problemReply(422, "nothing was stored", [{ line: 2, detail: "score: must be a number" }]),
  );
  const { path, dispose } = folderWith({ "ratings.jsonl": [{}] });
  const server = ["--server", service.url];
  const refused = await assay(path, ["ratings", "run_1", "ratings.jsonl", ...server]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("line 2: score: must be a number");
  const missing = await assay(path, ["ratings", "run_1", "none.jsonl", ...server]);
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("none.jsonl")]);
  dispose();
});
