import { describe, expect, it } from "vitest";
import type { JudgingStudy } from "../../shared/contracts/boards/judging-study.ts";
import { suiteById } from "../../shared/suites/registry.ts";
import { aParity } from "./fixtures/fixture-parity.ts";
import { aModel, aRun } from "./fixtures/fixture-runs.ts";
import { apiPages } from "./support/api-page.ts";
import { flawsOfOpenPage } from "./support/audit-page.ts";
import { compareApi } from "./support/compare-api.ts";
import { openSite, shownText } from "./support/open-site.ts";
import { problem, suitesAnswer } from "./support/stub-api.ts";

const result = (value: number, rank: number) => ({ run: `run_${rank}`, value, rank });
const study: JudgingStudy = {
  suite: "memory",
  dataset: { name: "stock", version: "a".repeat(64) },
  metric: "mcs",
  samples: 40,
  judgings: [
    { scoringVersion: "a", options: {}, judges: ["sim-a"], simulated: true, longerWins: null },
    {
      scoringVersion: "b",
      options: { judge: "gpt-5", strictness: "strict" },
      judges: ["gpt-5"],
      simulated: false,
      longerWins: { value: 0.75, interval: [0.6, 0.9] },
    },
  ],
  models: [
    {
      run: "run_a",
      model: aModel("acme/brief", '"><img src=x onerror=alert(1)>'),
      results: [result(0.8, 1), result(0.7, 2)],
      first: 1,
    },
    {
      run: "run_b",
      model: aModel("acme/wordy", "Wordy"),
      results: [result(0.6, 2), result(0.9, 1)],
      first: 1,
    },
  ],
  variance: { models: 0.1, judgings: 0.65, samples: 0.2, both: 0.05 },
};

const open = apiPages(openSite());
const extraction = suiteById("extraction")!;
const comparedRun = aRun(extraction, "run_1", aModel("acme/extract", "Extract"));
const { board } = compareApi(extraction);
const suites = {
  "GET /v1/suites": suitesAnswer,
  "GET /v1/datasets": () => ({ body: { datasets: [] } }),
  "GET /v1/leaderboard": () => ({ body: board }),
};

describe("/compare/?submissions=…", () => {
  it("shows the ranks in each judging, the sources of variance and the length bias", async () => {
    const { page, complaints } = await open("/compare/?submissions=sub_a,sub_b", {
      ...suites,
      "GET /v1/judgings": () => ({ body: study }),
    });
    await page.locator("#result table").first().waitFor();
    await page.locator("[data-choices]:not(:has-text('Loading'))").waitFor();
    expect(await page.locator("#choose select").first().inputValue()).toBe("memory");
    const text = await shownText(page, "#result");
    expect(text).toContain("40 samples of stock");
    expect(text).toContain('"><img src=x onerror=alert(1)> 1 of 2 1 (80.0%) 2 (70.0%)');
    expect(text).toContain("judgings 65.0%");
    expect(text).toContain("judge gpt-5, strictness strict 75.0% 60.0–90.0% gpt-5");
    expect(text).toContain("default – – sim-a (simulated)");
    expect(await flawsOfOpenPage(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("shows the API's error", async () => {
    const { page } = await open("/compare/?submissions=sub_x", {
      ...suites,
      "GET /v1/judgings": () => problem(404, 'there is no submission "sub_x"'),
    });
    const text = 'These judgings were not compared: there is no submission "sub_x"';
    await page.getByText(text).waitFor();
  });
});

describe("/leaderboards/own/", () => {
  const own = { ...suites, "GET /v1/leaderboard": () => ({ body: board }) };
  const address = "/leaderboards/own/?suite=extraction&dataset=acme%2Ftickets";

  it("shows the board of a share link, removes the token from the URL, and links no reports", async () => {
    const mailed = `${address}&utm_source=mail#share=v2.token`;
    const { page, asked, complaints } = await open(mailed, own);
    await page.getByRole("heading", { name: /Own runs on/ }).waitFor();
    expect(new URL(page.url()).hash).toBe("");
    const read = asked.find(({ path }) => path === "/v1/leaderboard");
    expect(`${read?.query}`).toBe("suite=extraction&dataset=acme%2Ftickets&mine=true");
    expect(read?.headers["assay-share"]).toBe("v2.token");
    expect(await page.locator("[data-own] th a").count()).toBe(0);
    expect(await page.locator("[data-own] tbody tr").count()).toBe(board.entries.length);
    expect(await flawsOfOpenPage(page, 390, 1280)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("shows a private parity, and asks for a key when the API answers 401", async () => {
    const parity = aParity(extraction, comparedRun, "Pending");
    const { page } = await open("/leaderboards/own/?parity=acme%2Fhosts", {
      ...suites,
      "GET /v1/parities/acme/hosts": () => ({ body: parity }),
    });
    await page.getByText(parity.verdict).waitFor();
    expect(await page.locator("[data-own] th a").count()).toBeGreaterThan(0);
    expect(await flawsOfOpenPage(page, 390, 1280)).toEqual([]);
    const none = await open(address, {
      ...suites,
      "GET /v1/leaderboard": () => problem(401, "send the key"),
    });
    await none.page.getByText("It could not be shown: send the key.").waitFor();
    expect(await none.page.getByLabel("Dataset").inputValue()).toBe("acme/tickets");
    await none.page.getByLabel("API key of Assay").waitFor();
    expect(await flawsOfOpenPage(none.page, 390, 1280)).toEqual([]);
  });
});
