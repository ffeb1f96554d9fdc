import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Bridge } from "../../../shared/contracts/judging/bridge.ts";
import type { JudgeModel } from "../../../shared/contracts/judging/judge-model.ts";
import type { RunJudging } from "../../../shared/contracts/judging/judging.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import { aFinishedRun, aModel } from "../../browser/fixtures/fixture-runs.ts";
import { assay } from "../support/assay.ts";
import { fakeService, problemReply } from "../support/fake-service.ts";

beforeEach(() => {
  vi.stubEnv("ASSAY_API_KEY", "key-1");
});
const ending: JudgeModel = {
  provider: "openai",
  model: "gpt-4o-mini",
  ends: "2027-01-20",
  replacement: "gpt-6-luna",
  listed: true,
  checkedAt: "2026-11-28T00:00:00.000Z",
  warning: "Judge gpt-4o-mini ends on 2027-01-20; openai names gpt-6-luna in its place.",
};
const lasting: JudgeModel = {
  ...ending,
  model: "gpt-6.1-terra",
  ends: null,
  replacement: null,
  warning: null,
};

const judging = (model: string): RunJudging => ({
  judges: {
    empathy: {
      routes: [{ provider: "openai", model, simulated: false }],
      by: "default",
      promptHash: "1",
    },
  },
  stages: {},
});

const bridge: Bridge = {
  id: "bri_1",
  board: "b1",
  to: judging("gpt-6-luna"),
  shifts: [
    { metric: "mcs", n: 200, before: 0.8, after: 0.79, shift: -0.01, interval: [-0.02, -0.001] },
    { metric: "empathy", n: 199, before: 4.1, after: 4.6, shift: 0.5, interval: [0.4, 0.6] },
  ],
  startedAt: "2026-11-28T00:00:00.000Z",
  finishedAt: "2026-11-28T00:01:00.000Z",
};

const place = (run: string, rank: number, value: number) => ({
  run,
  rank,
  headline: { value, interval: null, n: 60, coverage: 1 },
});
const republication = {
  id: "rep_1",
  suite: "memory",
  dataset: "stock",
  metric: "mcs",
  causes: ["scoring"],
  reason: "x",
  correctedSamples: null,
  from: { board: "b1", datasetVersion: "v", suiteVersion: "1" },
  to: { board: "b2", datasetVersion: "v", suiteVersion: "1" },
  startedAt: "2026-11-28T00:00:00.000Z",
  finishedAt: "2026-11-28T00:01:00.000Z",
  withdrawn: 0,
  changes: [
    {
      model: { slug: "acme/one", name: "One", simulated: false },
      before: place("run_1", 1, 0.9),
      after: place("run_2", 2, 0.85),
      reason: null,
    },
  ],
};

const suite = suiteById("extraction")!;
const run = {
  ...aFinishedRun(suite, "run_1", aModel("acme/one", "One"), {
    quality: 0.9,
    lostRate: 0,
    seed: 3,
  }),
  judging: judging("gpt-4o-mini"),
};

const service = (ended: Bridge = bridge) =>
  fakeService(({ call }) => {
    if (call === "GET /v1/judges") return { body: { judges: [ending, lasting] } };
    if (call === "GET /v1/runs/run_1") return { body: run };
    if (call === "POST /v1/boards/b1/bridges") {
      return { status: 202, body: { ...bridge, shifts: [], finishedAt: null } };
    }
    if (call === "GET /v1/boards/b1") return { body: { bridges: [ended] } };
    if (call === "POST /v1/boards/b1/republish") return { status: 202, body: republication };
    if (call === "GET /v1/republications/rep_1") return { body: republication };
    return problemReply(404, `there is no ${call}`);
  });

describe("assay judges", () => {
  it("bridge prints the shift of each metric", async () => {
    await using api = await service();
    const args = ["judges", "bridge", "b1", "--judge", "gpt-6-luna", "--server", api.url];
    const { code, stdout } = await assay("/none", args);
    expect(code).toBe(0);
    expect(api.asked[0]?.body).toEqual({ options: { judge: "gpt-6-luna" } });
    expect(stdout).toMatch(
      /Memory citation score +200 +80\.0% +79\.0% +-1\.0 pp +-2\.0 pp to -0\.1 pp/,
    );
    expect(stdout).toMatch(/Empathy +199 +4\.10\/5 +4\.60\/5 +\+0\.50 +\+0\.40 to \+0\.60/);
  });

  it("bridge uses the service's judges by default and prints unjudged metrics as dashes", async () => {
    const nothing = { metric: "mcs", n: 0, before: null, after: null, shift: null, interval: null };
    await using api = await service({ ...bridge, shifts: [nothing] });
    const args = ["judges", "bridge", "b1", "--server", api.url];
    const { code, stdout } = await assay("/none", args);
    expect(api.asked[0]?.body).toEqual({});
    expect([code, stdout]).toEqual([0, expect.stringMatching(/Memory citation score +0 +– +– +–/)]);
  });

  it("republish prints the old and new rank of each model", async () => {
    await using api = await service();
    const args = ["judges", "republish", "b1", "--server", api.url];
    const { code, stdout } = await assay("/none", args);
    expect(code).toBe(0);
    expect(stdout).toContain("Board b1 is now b2");
    expect(stdout).toMatch(/acme\/one +1 +2 +90\.0% +85\.0%/);
  });
});

describe("assay status", () => {
  it("warns of judges of its runs that will be shut down", async () => {
    await using api = await service();
    const { stderr } = await assay("/none", ["status", "run_1", "--server", api.url]);
    expect(stderr).toBe(`${ending.warning}\n`);
  });

  it("works with an older service that does not list judges", async () => {
    await using api = await fakeService(({ call }) =>
      call === "GET /v1/runs/run_1" ? { body: run } : problemReply(404, "no such route"),
    );
    const { code, stdout } = await assay("/none", ["status", "run_1", "--server", api.url]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("run_1")]);
  });
});
