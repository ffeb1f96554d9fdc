import { describe, expect, it } from "vitest";
import { suiteById } from "../../shared/suites/registry.ts";
import { apiPages } from "./support/api-page.ts";
import { flawsOfOpenPage } from "./support/audit-page.ts";
import { openSite, shownText, textWithoutScript } from "./support/open-site.ts";
import { runsApi, scoreText } from "./support/runs-api.ts";
import { problem, type StubRoutes } from "./support/stub-api.ts";

const suite = suiteById("extraction");
if (!suite) throw new Error("the fixture needs the extraction suite");

const api = runsApi(suite);
const site = openSite();
const open = apiPages(site);

const opened = (path: string, more: StubRoutes = {}) => open(path, more, api.routes);

describe("/run/", () => {
  it("draws a finished run like a built report, without flaws in both colour schemes", async () => {
    const { page, complaints } = await opened("/run/?id=run_done");
    await page.locator("#report-performance").waitFor();
    const text = await shownText(page);
    const { metrics, headline } = api.finished;
    expect(text).toContain(scoreText(metrics?.[headline]?.value));
    for (const { title } of api.report.sections) expect(text).toContain(title);
    expect(await page.title()).toBe("Acme New on Structured extraction · Assay");
    expect(await page.locator("main figure svg").count()).toBeGreaterThan(10);
    expect(await page.locator("h1:visible").count()).toBe(1);
    expect(await flawsOfOpenPage(page, 1280, 768, 390)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("follows a running run and keeps its content while the API is unavailable", async () => {
    let asked = 0;
    const { page } = await opened("/run/?id=run_new", {
      "GET /v1/runs/*/report": (request, parts) => {
        asked += 1;
        const again = { "retry-after": "0" };
        if (asked === 2) return { ...problem(503, "the database is away"), headers: again };
        const id = asked < 5 ? "run_new" : "run_done";
        const answer = api.routes["GET /v1/runs/*/report"]?.(request, [id, ...parts.slice(1)]);
        return { body: answer?.body, headers: again };
      },
    });
    await page.getByText("7 of 72").first().waitFor();
    const soFar = page.getByRole("link", { name: "7 answers so far" });
    expect(await soFar.getAttribute("href")).toBe("/run/samples/?run=run_new");
    await page.locator("#report-performance").waitFor();
    expect(asked).toBe(5);
    expect(await page.locator("[data-state]").isVisible()).toBe(false);
  });

  it("adds the rank of a public run and a comparison link, and keeps open sections open", async () => {
    const run = { ...api.report.run, visibility: "public" };
    const { board } = api;
    const entries = board.entries.map((entry, i) => ({ ...entry, rank: i + 1 }));
    let isBusy = true;
    const { page } = await opened("/run/?id=run_done", {
      "GET /v1/runs/*/report": () => ({ body: { ...api.report, run } }),
      "GET /v1/leaderboard": () =>
        isBusy
          ? { ...problem(429, "too much"), headers: { "retry-after": "0.2" } }
          : { body: { ...board, entries } },
      "GET /v1/compare": () => problem(503, "it is away"),
    });
    await page.locator("#report-performance").waitFor();
    expect(await shownText(page, ".strip")).not.toContain("Rank");
    await page.locator("summary", { hasText: "All metrics" }).click();
    isBusy = false;
    await page.getByText(/^[12] of 2$/).waitFor();
    const rival = page.getByRole("link", { name: "Compare with Acme Old" });
    expect(await rival.getAttribute("href")).toBe("/compare/?runs=run_done%2Crun_b");
    expect(await page.locator("details:has(#metrics)").getAttribute("open")).toBe("");
  });

  it("asks for an id when the URL has none, and names a run that does not exist", async () => {
    const { page } = await opened("/run/");
    expect(await shownText(page)).not.toContain("needs JavaScript");
    await page.getByLabel("Id of the run").fill(" run_lost ");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByText(`could not be shown: there is no run "run_lost"`).waitFor();
    expect(await page.getByLabel("Id of the run").inputValue()).toBe("run_lost");
    expect(await flawsOfOpenPage(page, 1280, 768, 390)).toEqual([]);
    await page.getByLabel("Id of the run").fill("run_done");
    await page.getByRole("button", { name: "Show" }).click();
    await page.locator("#report-performance").waitFor();
  });

  it("links the run's data without JavaScript", async () => {
    const text = await textWithoutScript(site, "/run/");
    expect(text).toMatch(/needs JavaScript; .* the run's id and \/report/);
  });
});

describe("/run/rate/", () => {
  const levels = [1, 2, 3, 4, 5].map((score) => [score, `Level ${score}`]);
  const metrics = ["empathy", "helpfulness"].map((id) => ({
    id,
    label: `The ${id}`,
    task: `Determine the ${id}.`,
    levels,
    notAbout: ["length"],
  }));

  it("works with only the keyboard, saves each rated answer, and has no flaws in both colour schemes", async () => {
    const saved: unknown[] = [];
    const { page, complaints } = await opened("/run/rate/?run=run_done", {
      "GET /v1/runs/*/rating-tasks": ({ query }) => ({
        body: {
          metrics,
          progress: { rated: saved.length, total: 2 },
          tasks: ["a", "b"].slice(saved.length).map((sampleId) => ({
            sampleId,
            answerHash: "0".repeat(64),
            sections: [
              { name: "query", text: `Query of ${sampleId}` },
              { name: "answer", text: `<b>Answer</b> for ${query.get("rater")}` },
            ],
            metrics: metrics.map(({ id }) => id),
          })),
        },
      }),
      "POST /v1/runs/*/ratings": ({ body }) => {
        saved.push(body);
        return { body: { stored: 2 } };
      },
    });
    expect(await page.getByLabel("Ids of the runs").inputValue()).toBe("run_done");
    expect(await flawsOfOpenPage(page, 1280, 768, 390)).toEqual([]);
    await page.getByLabel("Your name").focus();
    await page.keyboard.type("Ada");
    await page.keyboard.press("Enter");
    await page.getByText("Answer 1 of 2, metric 1 of 2").waitFor();
    expect(new URL(page.url()).search).toBe("?run=run_done&rater=Ada");
    const text = await shownText(page);
    expect(text).toContain("<b>Answer</b> for Ada");
    expect(text).not.toContain("Acme");
    expect(await flawsOfOpenPage(page, 1280, 768, 390)).toEqual([]);
    await page.keyboard.press("4");
    await page.getByText("Answer 1 of 2, metric 2 of 2").waitFor();
    await page.keyboard.press("Backspace");
    await page.getByText("Answer 1 of 2, metric 1 of 2").waitFor();
    expect(await page.getByRole("radio", { checked: true }).inputValue()).toBe("4");
    // Arrow keys move between radio buttons; Enter continues.
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByText("Answer 1 of 2, metric 2 of 2").waitFor();
    await page.keyboard.press("1");
    await page.getByText("Query of b").waitFor();
    const own = { sampleId: "a", answerHash: "0".repeat(64), rater: "Ada" };
    expect(saved).toEqual([
      {
        ratings: [
          { ...own, metric: "empathy", score: 5 },
          { ...own, metric: "helpfulness", score: 1 },
        ],
      },
    ]);
    await page.keyboard.press("2");
    await page.getByText("Answer 2 of 2, metric 2 of 2").waitFor();
    await page.keyboard.press("2");
    await page.getByText("Every answer is rated").waitFor();
    expect(complaints).toEqual([]);
  });

  it("shows the API's error", async () => {
    const { page } = await opened("/run/rate/?run=run_done&rater=Ada", {
      "GET /v1/runs/*/rating-tasks": () => problem(403, "run_done belongs to another account"),
    });
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByText("belongs to another account").waitFor();
  });
});
