import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { suiteById } from "../../shared/suites/registry.ts";
import { apiPages } from "./support/api-page.ts";
import { flawsOfOpenPage } from "./support/audit-page.ts";
import { openSite, shownText, textWithoutScript } from "./support/open-site.ts";
import { runsApi, scoreText } from "./support/runs-api.ts";
import type { StubRoutes } from "./support/stub-api.ts";

const suite = suiteById("extraction");
if (!suite) throw new Error("the fixture needs the extraction suite");

const api = runsApi(suite);
const site = openSite();
const open = apiPages(site);

const opened = (path: string, more: StubRoutes = {}) => open(path, more, api.routes);

const routeOf = (name: string) => {
  const route = api.routes[name];
  if (route === undefined) throw new Error(`there is no route ${name}`);
  return route;
};
const [listed, reported] = ["GET /v1/runs/*/samples", "GET /v1/runs/*/report"].map(routeOf) as [
  StubRoutes[string],
  StubRoutes[string],
];

const list = "[data-samples] tbody tr";
const idsIn = (page: Page) => page.locator(`${list} th code`).allTextContents();

/** A letter in the names of several wrong fields, and the samples with such a field. */
const letter = "a";
const wrongIds = api.idsOf(
  ({ path, verdict }) => path.toLowerCase().includes(letter) && verdict === "incorrect",
);

describe("/run/samples/, the list,", () => {
  it("shows validity, exact match, wrong fields and first error in pages, without flaws in both colour schemes", async () => {
    const { page, complaints } = await opened("/run/samples/?run=run_done");
    const rows = page.locator(list);
    await rows.first().waitFor();
    expect(await rows.count()).toBe(50);
    const head = (await shownText(page, "[data-samples] thead")).toLowerCase();
    for (const column of ["validity", "exact match", "wrong fields", "first error"])
      expect(head).toContain(column);
    const lowest = Math.min(...api.rows.map(({ score }) => score ?? 0));
    expect(await shownText(page, list)).toContain(scoreText(lowest));
    expect(await shownText(page, "[data-samples] tbody")).toContain("the request failed");
    expect(await flawsOfOpenPage(page, 1280, 768, 390)).toEqual([]);
    await page.getByRole("link", { name: "Next samples" }).click();
    await page.waitForURL(/cursor=/);
    await rows.first().waitFor();
    expect(await rows.count()).toBe(api.rows.length - 50);
    expect(complaints).toEqual([]);
  });

  it("can be filtered with the keyboard, keeps the filter in the URL, and clears it", async () => {
    const { page, complaints } = await opened("/run/samples/?run=run_done");
    await page.getByText("Filter and sort").focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Field (* for anything)").focus();
    await page.keyboard.type(`*${letter}*`);
    await page.getByLabel("Verdict").selectOption("incorrect");
    expect(await flawsOfOpenPage(page, 1280, 768, 390)).toEqual([]);
    await page.getByLabel("Field (* for anything)").press("Enter");
    await page.getByText(/samples? match/).waitFor();
    const { searchParams } = new URL(page.url());
    expect([...searchParams]).toEqual([
      ["run", "run_done"],
      ["path", `*${letter}*`],
      ["verdict", "incorrect"],
    ]);
    expect((await idsIn(page)).toSorted()).toEqual(wrongIds.toSorted());
    expect(await page.getByLabel("Verdict").inputValue()).toBe("incorrect");
    await page.getByRole("link", { name: "Clear all filters" }).click();
    await page.waitForURL(/\?run=run_done$/);
    await page.getByRole("link", { name: "Next samples" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("grows while a run is active and keeps the reader's form input", async () => {
    let done = 3;
    const { page } = await opened("/run/samples/?run=run_new", {
      "GET /v1/runs/*/report": (asked, parts) => {
        const answer = reported(asked, parts);
        const { run, ...rest } = answer.body as { run: { progress: object } };
        const now = { ...run, progress: { ...run.progress, done } };
        return { body: { ...rest, run: now }, headers: { "retry-after": "0" } };
      },
      "GET /v1/runs/*/samples": (asked, parts) => {
        expect(asked.query.get("order")).toBe("latest");
        const answer = listed(asked, parts);
        const { samples } = answer.body as { samples: object[] };
        return { body: { samples: samples.slice(0, done), nextCursor: null } };
      },
    });
    const rows = page.locator(list);
    await expect.poll(() => rows.count()).toBe(3);
    expect(await shownText(page)).toContain("3 of 72 answers so far");
    await page.getByText("Filter and sort").click();
    await page.getByLabel("Tag, as name:value").fill("domain:trade");
    done = 5;
    await expect.poll(() => rows.count()).toBe(5);
    expect(await page.getByLabel("Tag, as name:value").inputValue()).toBe("domain:trade");
  });

  it("asks for a run and names one that does not exist", async () => {
    const { page } = await opened("/run/samples/");
    await page.getByLabel("Id of the run").fill("run_lost");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByText(`could not be shown: there is no run "run_lost"`).waitFor();
    expect(await flawsOfOpenPage(page, 1280, 768, 390)).toEqual([]);
  });
});

describe("/run/samples/?sample=…", () => {
  const invalid = api.rows.find(({ look }) => look?.fault === "off_schema");
  const [first = ""] = wrongIds;

  it("shows errors first, all fields on demand, and the raw answer and inputs in tabs", async () => {
    const { page, complaints } = await opened(`/run/samples/?run=run_done&sample=${first}`);
    await page.locator("#sample").waitFor();
    const row = api.rows.find(({ id }) => id === first);
    const text = await shownText(page);
    expect(text).toContain(scoreText(row?.score));
    const headings = await page.locator(".blocks h3").allTextContents();
    expect(headings[0]).toMatch(/^Errors: \d+ of \d+ fields$/);
    const all = page.locator(".blocks details");
    expect(await all.locator("tbody tr").first().isVisible()).toBe(false);
    await all.locator("summary").click();
    expect(await all.locator("tbody tr").count()).toBe(row?.look?.parts);
    const raw = page.getByRole("tab", { name: "Raw answer" });
    await raw.focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.getByRole("tabpanel").textContent()).toContain('"type": "object"');
    await page.keyboard.press("Home");
    expect(await raw.getAttribute("aria-selected")).toBe("true");
    await page.getByText("Other models on this sample").waitFor();
    expect(await flawsOfOpenPage(page, 1280, 768, 390)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("links the next and the previous sample of the filtered list", async () => {
    expect(wrongIds.length).toBeGreaterThan(2);
    const filter = `run=run_done&path=*${letter}*&verdict=incorrect&order=seq`;
    const { page } = await opened(`/run/samples/?${filter}`);
    await page.locator(list).first().waitFor();
    const ids = await idsIn(page);
    await page.getByRole("link", { name: ids[0] ?? "", exact: true }).click();
    await page.getByText("First of the list").waitFor();
    for (const id of ids.slice(1, 3)) {
      await page.getByRole("link", { name: "Next", exact: true }).click();
      await page.locator("#sample", { hasText: id }).waitFor();
      expect(await page.title()).toMatch(new RegExp(`^Sample ${id} of `));
    }
    await page.getByRole("link", { name: "Previous" }).click();
    await page.locator("#sample", { hasText: ids[1] ?? "" }).waitFor();
    await page.getByRole("link", { name: "Back to the filtered list" }).click();
    await page.locator(list).first().waitFor();
    expect(await idsIn(page)).toEqual(ids);
  });

  it("explains in words why an output does not match its schema", async () => {
    const { page } = await opened(`/run/samples/?run=run_done&sample=${invalid?.id}`);
    await page.locator("#sample").waitFor();
    const words = invalid?.look?.firstError?.replaceAll("`", "").split(", and ")[0] ?? "?";
    expect(await shownText(page)).toContain(words);
  });

  it("shows another model's answer next to it", async () => {
    const { page, complaints } = await opened(`/run/samples/?run=run_done&sample=${first}`);
    await page.getByRole("link", { name: "Show side by side: the answer of Acme Old" }).click();
    await page.locator(".side-by-side").waitFor();
    expect(await page.locator(".side-by-side h3").allTextContents()).toEqual(
      expect.arrayContaining(["Acme New", "Acme Old"]),
    );
    const [left, right] = await Promise.all(
      [0, 1].map((i) => page.locator(".side-by-side > div").nth(i).boundingBox()),
    );
    expect(left?.y).toBe(right?.y);
    expect(await flawsOfOpenPage(page, 1280, 768, 390)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("names a sample that does not exist", async () => {
    const { page } = await opened("/run/samples/?run=run_done&sample=lost");
    await page.getByText(`could not be shown: the run has no sample "lost"`).waitFor();
  });
});

describe("/runs/{run}/samples/", () => {
  const path = "/runs/run-large/samples/";

  it("shows the first samples without JavaScript, and calls no API with it", async () => {
    const large = site.fixture.samples?.["run-large"]?.samples ?? [];
    expect(large.length).toBe(50);
    const text = await textWithoutScript(site, path);
    for (const { id } of large) expect(text).toContain(id);
    expect(text).toMatch(/need JavaScript; .*\/v1\/runs\/run-large\/samples as JSON/);
    const { page, asked, complaints } = await opened(path);
    expect(await page.locator(`main a[href="/runs/run-large/"]`).count()).toBeGreaterThan(0);
    await page.getByText("Filter and sort").click();
    expect(asked).toEqual([]);
    expect(await flawsOfOpenPage(page, 1280, 768, 390)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("can be filtered without leaving its path", async () => {
    const { page } = await opened(path, {
      "GET /v1/runs/*/report": () => ({ body: api.report }),
    });
    await page.getByText("Filter and sort").click();
    await page.getByLabel("State").selectOption("failed");
    await page.getByRole("button", { name: "Show samples" }).click();
    await page.getByText(/samples? match/).waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
    expect(new URL(page.url()).search).toBe("?only=failed");
    expect(await page.getByLabel("State").inputValue()).toBe("failed");
    const failed = api.rows.filter(({ covered }) => !covered);
    expect(await page.locator(list).count()).toBe(failed.length);
    await page.getByLabel("State").selectOption("");
    await page.getByRole("button", { name: "Show samples" }).click();
    await page.waitForURL(`${site.origin}${path}`);
  });
});

describe("a report links the samples behind it", () => {
  const hrefs = async (page: Page, selector: string) =>
    page
      .locator(selector)
      .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));

  it("from table rows and drawings, without a script", async () => {
    const { page } = await opened("/runs/run-large/");
    const rows = await hrefs(page, "#content section:has(#report-errors) th a");
    expect(rows.length).toBeGreaterThan(0);
    for (const href of rows) expect(href).toMatch(/^samples\/\?.*(pattern|verdict)=/);
    const drawn = await hrefs(page, ".linked a");
    const dots = drawn.filter((href) => /\?sample=/.test(href));
    expect(dots.length).toBeGreaterThan(50);
    // The link is above the drawing, so a click reaches it.
    const dot = page.locator(`.linked a[href*="sample="]`).first();
    await dot.scrollIntoViewIfNeeded();
    const box = await dot.boundingBox();
    const middle = {
      x: (box?.x ?? 0) + (box?.width ?? 0) / 2,
      y: (box?.y ?? 0) + (box?.height ?? 0) / 2,
    };
    const met = await page.evaluate(
      `document.elementFromPoint(${middle.x}, ${middle.y})?.closest("a")?.getAttribute("href")`,
    );
    expect(met).toMatch(/\?sample=/);
  });

  it("with a list of exactly these samples", async () => {
    const { page } = await opened("/run/?id=run_done");
    const table = page.locator("section.block", { hasText: /^Most common errors|^Errors, each/m });
    const link = table.locator("tbody th a").first();
    await link.waitFor();
    const areas = await hrefs(page, "section:has(#report-errors) .linked a");
    expect(areas.some((href) => /[?&]pattern=/.test(href))).toBe(true);
    const { searchParams } = new URL((await link.getAttribute("href")) ?? "", site.origin);
    const [path, pattern] = ["path", "pattern"].map((one) => searchParams.get(one));
    await link.click();
    await page.getByText(/samples? match/).waitFor();
    const expected = api.idsOf(
      (part) => part.path === path && part.patterns.includes(pattern ?? ""),
    );
    expect(expected.length).toBeGreaterThan(0);
    expect((await idsIn(page)).toSorted()).toEqual(expected.toSorted());
  });
});
