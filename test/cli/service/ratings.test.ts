import { expect, it } from "vitest";
import type { People } from "../../../shared/contracts/judging/rating.ts";
import { assay } from "../support/assay.ts";
import { fakeService, problemReply } from "../support/fake-service.ts";
import { folderWith } from "../support/folder-with.ts";
import { finished } from "../support/run-service.ts";

const people: People = {
  ratings: 60,
  answers: 40,
  raters: 2,
  means: {
    empathy: { value: 3.41, interval: [3.2, 3.62], n: 40, judge: 4.05, weight: 0.7, toHalve: 180 },
  },
  agreement: [
    { metric: "empathy", answers: 20, ratings: 40, alpha: { value: 0.71, interval: [0.6, 0.8] } },
  ],
  judges: [
    {
      metric: "empathy",
      judge: "sim-judge-a",
      n: 40,
      kappa: { value: 0.52, interval: [0.4, 0.6] },
      meanAbsoluteError: { value: 0.7, interval: null },
    },
  ],
};

const csv = "sampleId,answerHash,metric,score,rater\r\n";

it("assay ratings RUN FILE sends the file as it is, by its kind", async () => {
  await using service = await fakeService(() => ({ body: { stored: 3 } }));
  const { path, dispose } = folderWith({ "ratings.csv": csv, "ratings.jsonl": [{ a: 1 }] });
  const call = ["ratings", "run_1"];
  const server = ["--server", service.url];
  expect(await assay(path, [...call, `${path}/ratings.csv`, ...server])).toMatchObject({
    code: 0,
    stdout: "stored 3 ratings\n",
  });
  await assay(path, [...call, "ratings.jsonl", ...server]);
  dispose();
  expect(service.asked.map((one) => [one.call, one.headers["content-type"], one.body])).toEqual([
    ["POST /v1/runs/run_1/ratings", "text/csv", csv],
    ["POST /v1/runs/run_1/ratings", "application/jsonl", '{"a":1}\n'],
  ]);
});

it("assay ratings RUN prints the corrected means and who agrees with people", async () => {
  await using service = await fakeService(() => ({ body: { ...finished, people } }));
  const { code, stdout } = await assay("/none", ["ratings", "run_1", "--server", service.url]);
  expect(code).toBe(0);
  expect(stdout.split("\n")).toEqual([
    "60 ratings of 40 answers by 2 people",
    "",
    "metric   judge  corrected   95% interval  rated  to halve it",
    "empathy  4.050      3.410  3.200 – 3.620     40          180",
    "",
    "metric   judge                    answers  kappa (people: alpha)",
    "empathy  sim-judge-a                   40                  0.520",
    "empathy  people among themselves       20                  0.710",
    "",
  ]);
  const asJson = await assay("/none", ["ratings", "run_1", "--json", "--server", service.url]);
  expect(JSON.parse(asJson.stdout)).toEqual(people);
});

it("assay ratings says why ratings were refused, and that there are none", async () => {
  await using service = await fakeService(({ call }) =>
    call.startsWith("POST")
      ? problemReply(422, "nothing was stored", [{ line: 2, detail: "score: must be a number" }])
      : { body: finished },
  );
  const { path, dispose } = folderWith({ "ratings.jsonl": [{}] });
  const server = ["--server", service.url];
  const refused = await assay(path, ["ratings", "run_1", "ratings.jsonl", ...server]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("line 2: score: must be a number");
  expect((await assay(path, ["ratings", "run_1", ...server])).stdout).toBe("no ratings\n");
  const missing = await assay(path, ["ratings", "run_1", "none.jsonl", ...server]);
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("none.jsonl")]);
  dispose();
});
