import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { suiteById } from "../../shared/suites/registry.ts";
import { type ApiPage, apiPages, openApiPage } from "./support/api-page.ts";
import { flawsOfOpenPage } from "./support/audit-page.ts";
import { compareApi } from "./support/compare-api.ts";
import { openSite, shownText } from "./support/open-site.ts";
import { layoutShift, paperWidth } from "./support/page-look.ts";
import { problem, type StubRoutes } from "./support/stub-api.ts";

const suite = suiteById("extraction");
if (!suite) throw new Error("the fixture needs the extraction suite");

const drawn = "[data-part=pairs] svg:not(.links)";
const five = "/compare/?runs=run_0,run_1,run_2,run_3,run_4";

const api = compareApi(suite);
const site = openSite();
const open = apiPages(site);

const opened = (path: string, more: StubRoutes = {}) => open(path, more, api.routes);

const comparison = () => api.comparisonOf(api.made.map(({ run }) => run.id));

const choose = (page: Page, run: string) => page.locator(`input[value="${run}"]`).check();
const compare = (page: Page) => page.getByRole("button", { name: "Compare" }).click();

describe("/compare/?runs=…", () => {
  let linked: ApiPage;
  let page: Page;

  beforeAll(async () => {
    linked = await openApiPage(site, `${five}&view=production`, api.routes);
    ({ page } = linked);
    await page.locator(drawn).waitFor();
  });

  afterAll(() => linked?.close());

  it("shows the API's result in the view from the URL, without a visible layout shift", async () => {
    expect(await shownText(page, "[data-status]")).toBe(
      "Compared 5 runs on 72 samples; the result is below.",
    );
    expect(await shownText(page, ".result .verdict")).toMatch(
      /^(No model|[A-Z].+) leads\. .+ EQS over .+ \(95% CI .+, corrected p .+\).* Cheapest: /,
    );
    const { metrics } = comparison();
    const overview = await shownText(page, "[data-part=overview]");
    for (const { value, interval } of metrics[0]?.standings ?? []) {
      expect(overview).toContain(value.toFixed(3));
      expect(overview).toContain(interval?.map((end) => end.toFixed(3)).join("–"));
    }
    for (const { run } of api.made) {
      const p95 = run.metrics?.["latencyP95"]?.value ?? 0;
      expect(overview).toContain(`${Math.round(p95).toLocaleString("en")} ms`);
    }
    const tests = await shownText(page, "[data-part=tests]");
    for (const { pHolm } of metrics[0]?.pairs ?? []) expect(tests).toContain(pHolm?.toFixed(3));
    expect(await page.locator("[data-shows=view]").inputValue()).toBe("production");
    expect(await page.locator("[data-choices] input:checked").count()).toBe(5);
    expect(await shownText(page, "#compare-command code")).toContain(
      "/v1/compare?runs=run_0,run_1,run_2,run_3,run_4",
    );
    expect(await layoutShift(page)).toBeLessThan(0.02);
    expect(linked.complaints).toEqual([]);
  });

  it("prints only the result, no wider than the paper", async () => {
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: paperWidth, height: 1000 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(paperWidth);
    expect(await page.locator("#choose").isVisible()).toBe(false);
    await page.emulateMedia({ media: "screen" });
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it("tests pairs against the chosen margin, and removes the test when none is chosen", async () => {
    const margin = page.locator("[data-shows=margin]");
    await margin.selectOption("0.1");
    const heading = page.getByRole("heading", { name: "Within 0.100" });
    await heading.waitFor();
    const tests = await shownText(page, "[data-part=tests]");
    expect(tests).toMatch(/the same within 0\.100|is no worse/);
    await margin.selectOption("");
    await heading.waitFor({ state: "detached" });
    expect(linked.complaints).toEqual([]);
  });

  it("shows the API's error when pairs can't be tested against a margin", async () => {
    let asked = 0;
    const { page: other, close } = await openApiPage(site, five, {
      ...api.routes,
      "GET /v1/compare": (...request) =>
        asked++ === 0 ? api.routes["GET /v1/compare"]!(...request) : problem(503, "it is away"),
    });
    await other.locator(drawn).waitFor();
    await other.locator("[data-shows=margin]").selectOption("0.05");
    await other.getByText(/within 0\.05 could not be tested: .*it is away/).waitFor();
    await close();
  });

  it("marks simulated and self-reported models, and prints hostile names as text", async () => {
    expect(await shownText(page, "#result .notice-warn")).toContain(
      "Some of these models are simulated.",
    );
    const overview = page.locator("[data-part=overview]");
    expect(await overview.locator(".mark-simulated").count()).toBe(1);
    expect(await overview.locator(".mark-self-reported").count()).toBe(1);
    const tests = await shownText(page, "[data-part=tests]");
    expect(tests).toContain("Parser 7B (self-reported)");
    expect(tests).toContain("Sim Careful (simulated)");
    expect(await page.locator("main img").count()).toBe(0);
    expect(await shownText(page, "[data-part=overview]")).toContain(
      '"><img src=x onerror=alert(1)>',
    );
  });

  it("links samples to both models' answers", async () => {
    const [sample] = comparison().differing;
    const ranked = comparison().metrics[0]?.standings.map(({ run }) => run) ?? [];
    const other = ranked.find((run) => run !== "run_0");
    const link = page.locator("#result section:has(#differing) tbody a").first();
    expect(await link.getAttribute("href")).toBe(
      `/run/samples/?run=run_0&sample=${sample?.id}&with=${other}`,
    );
  });

  it("downloads its tables as unrounded CSV", async () => {
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "CSV of this table" }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe("extraction-stock-compare-production.csv");
    const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
    expect(lines).toHaveLength(6);
    expect(lines[1]).toContain(`,${comparison().metrics[0]?.standings[0]?.value},`);
  });

  it("has no accessibility or layout flaws in both colour schemes at 390, 768 and 1280 px", async () => {
    for (const summary of await page.locator("#result summary").all()) await summary.click();
    expect(await flawsOfOpenPage(page, 1280, 768, 390)).toEqual([]);
  });

  it("updates the result and the URL when the reader changes a choice", async () => {
    await page.locator("[data-shows=view]").selectOption({ label: "Cost" });
    expect(await shownText(page, "[data-part=overview] thead")).toMatch(/Cost per 1,000 answers/);
    await page.locator("[data-shows=metric]").selectOption({ label: "Exact match" });
    expect(await shownText(page, "[data-part=tests] h3")).toContain("Differences in Exact match");
    expect(page.url()).toMatch(/runs=run_0,run_1,run_2,run_3,run_4&view=cost&metric=exactMatch$/);
    await page.locator("[data-shows=second]").selectOption({ label: "Sim Careful (simulated)" });
    await page.getByText("Sim Careful (simulated) against Extract Large").waitFor();
  });

  it("draws differences from one selected run when there are too many pairs", async () => {
    const seven = compareApi(suite, 7);
    const ids = seven.made.map(({ run }) => run.id).join(",");
    const { page: sevenPage } = await open(`/compare/?runs=${ids}`, seven.routes);
    await sevenPage.locator(drawn).waitFor();
    const chart = sevenPage.locator("[data-part=tests] svg").first();
    expect(await chart.locator("circle").count()).toBe(6);
    await sevenPage.locator("[data-shows=against]").selectOption({ label: "Model 6" });
    expect((await chart.getAttribute("aria-label"))?.match(/Model 6/g)).toHaveLength(6);
    expect(await sevenPage.getByText("21 pairs").count()).toBeGreaterThan(0);
  });
});

describe("the form of /compare/", () => {
  it("compares the selected runs and moves the focus to the result", async () => {
    const { page, complaints } = await opened("/compare/?suite=extraction&dataset=stock");
    await choose(page, "run_0");
    await choose(page, "run_2");
    await compare(page);
    await page.locator(drawn).waitFor();
    expect(page.url()).toMatch(/\/compare\/\?runs=run_0,run_2$/);
    expect(await page.evaluate("document.activeElement.textContent")).toBe(
      "2 runs on Structured extraction: stock",
    );
    expect(await page.getByText("Wins in EQS, pair by pair").count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.goBack();
    await page.getByText("The result is shown here").waitFor();
  });

  it("can be used with only the keyboard", async () => {
    const { page } = await opened("/compare/");
    await page.locator('input[value="run_0"]').waitFor();
    await page.locator("[name=find]").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await page.locator(drawn).waitFor();
    expect(page.url()).toContain("runs=run_0,run_1");
  });

  it("finds models by name and adds runs by id", async () => {
    const { page } = await opened("/compare/");
    await page.locator('input[value="run_0"]').waitFor();
    await page.locator("[name=find]").fill("parser");
    expect(await page.locator("[data-name]:visible").count()).toBe(1);
    const found = page.getByRole("status").filter({ hasText: "chosen" });
    expect(await found.textContent()).toBe("0 chosen of 2 to 20; 1 found");
    await page.locator("[name=find]").fill("no such model");
    expect(await found.textContent()).toBe("0 chosen of 2 to 20; 0 found");
    await page.locator("[name=find]").fill("");
    await choose(page, "run_0");
    await page.getByLabel("A run that is not in the list").fill("run_unlisted");
    await page.keyboard.press("Enter");
    await page.locator('input[value="run_unlisted"]:checked').waitFor();
    expect(await shownText(page, "[data-count]")).toBe("2 chosen of 2 to 20");
  });

  it("lists the board of the run in the URL", async () => {
    const { page } = await opened("/compare/?runs=run_1");
    await page.locator('input[value="run_1"]:checked').waitFor();
    expect(await page.locator("[data-choices] input").count()).toBe(5);
  });

  it("reports too few runs, unknown runs and runs that can't be compared", async () => {
    const running = { ...api.made[0]?.run, id: "run_now", status: "running" };
    const other = { ...api.made[0]?.run, id: "run_other", scoringVersion: "e".repeat(64) };
    const byId = new Map([running, other].map((run) => [run.id, run]));
    const { page } = await opened("/compare/", {
      "GET /v1/runs/*": (_, [id = ""]) => {
        const run = byId.get(id);
        return run ? { body: run } : problem(404, `there is no run "${id}"`);
      },
    });
    await choose(page, "run_0");
    await compare(page);
    expect(await shownText(page, "[data-problem]")).toBe("Choose at least 2 runs, not 1.");
    for (const [id, reason] of [
      ["run_x", 'The run could not be added: there is no run "run_x".'],
      ["run_now", "Run run_now is running; only finished runs can be compared."],
      [
        "run_other",
        "Run run_other can't be compared with these runs: it differs in scoring version.",
      ],
    ] as const) {
      await page.getByLabel("A run that is not in the list").fill(id);
      await page.getByRole("button", { name: "Add" }).click();
      await page.getByText(reason).waitFor();
    }
    expect(await flawsOfOpenPage(page, 768, 390)).toEqual([]);
  });

  it("retries while the API computes a comparison, and shows the API's reason if it refuses", async () => {
    let turn = 0;
    const errors = [{ parameter: "runs", detail: "the runs differ in prompt hash" }];
    const { page } = await opened("/compare/?runs=run_0,run_1", {
      "GET /v1/compare": () =>
        turn++ === 0
          ? { status: 202, headers: { "retry-after": "1" }, body: { status: "running" } }
          : problem(422, "compare runs of one suite", { errors }),
    });
    await page.getByText("retrying in 1 s").waitFor();
    await page.getByText("These runs were not compared").waitFor();
    expect(await shownText(page, "[data-status]")).toBe(
      "These runs were not compared: compare runs of one suite: the runs differ in prompt hash.",
    );
  });

  it("reports a dataset without a board, and an unreachable API", async () => {
    const { page } = await opened("/compare/?suite=extraction&dataset=other");
    await page.getByText("No run is on a board of this dataset yet.").waitFor();
    await page.context().route("https://api.assay.example/**", (route) => route.abort());
    await page.reload();
    await page.getByText("could not be reached").waitFor();
    expect(await page.getByRole("button", { name: "Compare" }).isDisabled()).toBe(true);
  });
});

it("/compare/ shows the alternatives without JavaScript", async () => {
  const context = await site.browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${site.origin}/compare/`);
  const text = await shownText(page, "main");
  expect(text).toContain("Choosing runs here needs JavaScript.");
  expect(text).toContain("/v1/compare?runs=");
  expect(text).toContain("Structured extraction: stock");
  expect(await page.locator("form:visible, #result:visible").count()).toBe(0);
  await context.close();
});
