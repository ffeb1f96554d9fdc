import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { JudgingStudy } from "../../../shared/contracts/boards/judging-study.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import { aFinishedRun, aModel } from "../../browser/fixtures/fixture-runs.ts";
import { hurriedWaits } from "../../support/hurried-waits.ts";
import { assay } from "../support/assay.ts";
import { fakeService, problemReply, type Reply } from "../support/fake-service.ts";
import { folderWith } from "../support/folder-with.ts";

const suite = suiteById("extraction")!;
const model = (name: string) => aModel(`acme/${name}`, name);
const judging = (options: Record<string, unknown>, value: number) => ({
  scoringVersion: JSON.stringify(options),
  options,
  judges: ["gpt-5"],
  simulated: false,
  longerWins: { value, interval: [value - 0.1, value + 0.1] as [number, number] },
});
const result = (value: number, rank: number) => ({ run: `run_${rank}`, value, rank });
const study: JudgingStudy = {
  suite: "memory",
  dataset: { name: "stock", version: "a".repeat(64) },
  metric: "mcs",
  samples: 40,
  judgings: [judging({ judge: null }, 0.5), judging({ judge: "gpt-5" }, 0.75)],
  models: [
    { run: "run_a", model: model("brief"), results: [result(0.8, 1), result(0.7, 2)], first: 1 },
    { run: "run_b", model: model("wordy"), results: [result(0.6, 2), result(0.9, 1)], first: 1 },
  ],
  variance: { models: 0, judgings: 0.75, samples: 0.2, both: 0.05 },
};

beforeEach(() => {
  hurriedWaits();
});

const aService = (status: "finished" | "failed" = "finished") =>
  fakeService(({ call }): Reply => {
    const id = /run_(\w)(?:\/rescore)?$/.exec(call)?.[1] ?? "";
    if (call.endsWith("/rescore")) {
      const links = { self: "x", samples: "x", report: null };
      const runs = [{ id: `run_${id}`, model: "acme/m", variant: null, status: "queued", links }];
      return { status: 202, body: { id: `sub_${id}`, runs } };
    }
    if (call.startsWith("GET /v1/runs/")) {
      const run = aFinishedRun(suite, `run_${id}`, model(id), { quality: 1, lostRate: 0, seed: 1 });
      return { body: { ...run, status } };
    }
    if (call === "GET /v1/judgings?submissions=sub_a,sub_b") return { body: study };
    return problemReply(404, `there is no ${call}`);
  });

const files = {
  "judgings.json": JSON.stringify([{ judge: "gpt-5" }, { strictness: "strict" }]),
  "broken.json": "[",
};
const folder = folderWith(files);
afterAll(folder.dispose);

const rescore = (url: string, ...args: string[]) =>
  assay(folder.path, ["rescore", "--server", url, ...args]);

describe("assay rescore --judgings", () => {
  it("prints the ranks of the models in each judging and the sources of their variance", async () => {
    await using service = await aService();
    expect(await rescore(service.url, "run_a", "run_b", "--judgings", "judgings.json")).toEqual({
      code: 0,
      stderr: "",
      stdout: `Ranks by Memory citation score
model  ranked first         j1         j2
brief  1 of 2        1 (80.0%)  2 (70.0%)
wordy  1 of 2        2 (60.0%)  1 (90.0%)
40 samples of stock; rank, then value. Tied models share their mean rank

Share of the variance of ranks
source              share
models               0.0%
judgings            75.0%
choice of samples   20.0%
judgings × samples   5.0%

Judgings, and how often the longer of two answers scores higher
judging  options      longer wins  95% interval  judges
J1       default            50.0%    40.0–60.0%  gpt-5
J2       judge gpt-5        75.0%    65.0–85.0%  gpt-5

Page: ${service.url}/compare/?submissions=sub_a,sub_b
`,
    });
    const sent = service.asked.filter(({ call }) => call.endsWith("/rescore"));
    expect(sent.map(({ call }) => call)).toEqual([
      "POST /v1/runs/run_a/rescore",
      "POST /v1/runs/run_b/rescore",
    ]);
    expect(sent[0]?.body).toEqual({
      options: {},
      judgings: [{ judge: "gpt-5" }, { strictness: "strict" }],
    });
  });

  it("prints the study as JSON, or only submission ids with --no-wait", async () => {
    await using service = await aService();
    const given = ["run_a", "run_b", "--judgings", "judgings.json"];
    expect(JSON.parse((await rescore(service.url, ...given, "--json")).stdout)).toEqual(study);
    expect(await rescore(service.url, ...given, "--no-wait")).toMatchObject({
      stdout: "sub_a\nsub_b\n",
    });
  });

  it("prints only the runs for a single model, and fails if a judging fails", async () => {
    await using service = await aService();
    const { stdout } = await rescore(service.url, "run_a", "--judgings", "judgings.json");
    expect(stdout).toMatch(/^run +model/);
    await using failing = await aService("failed");
    expect(
      await rescore(failing.url, "run_a", "run_b", "--judgings", "judgings.json"),
    ).toMatchObject({ code: 1, stderr: "run_a is failed; run_b is failed\n" });
  });

  it("refuses a file that is not JSON", async () => {
    const { code, stderr } = await rescore(
      "http://127.0.0.1:1",
      "run_a",
      "--judgings",
      "broken.json",
    );
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^broken\.json: not JSON: /)]);
  });
});
