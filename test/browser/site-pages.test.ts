import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { commands } from "../../cli/command-line/commands.ts";
import { commandHelp } from "../../cli/command-line/help.ts";
import { problemTypes } from "../../shared/contracts/problem.ts";
import { suites } from "../../shared/suites/registry.ts";
import { openSite } from "./support/open-site.ts";
import { pageDocument } from "./support/page-document.ts";
import { emptySite } from "./support/shared-site.ts";

let empty: string;
const site = openSite();

beforeAll(async () => {
  empty = await emptySite();
});

async function documentOf(path: string, built = site.dist): Promise<Document> {
  const html = await readFile(join(built, path, "index.html"), "utf8");
  return pageDocument(html);
}

/** The text of a page's main element, with single spaces. */
async function textOf(path: string, built = site.dist): Promise<string> {
  const main = (await documentOf(path, built)).querySelector("main");
  return main?.textContent?.replace(/\s+/g, " ").trim() ?? "";
}

const thousandths = (value: number | null | undefined) => value?.toFixed(3) ?? "–";

describe("the home page", () => {
  it("shows the first three models of a board with score, interval and rank interval", async () => {
    const { boards } = site.fixture.snapshot;
    const text = await textOf("/");
    const top = boards[0]?.entries.filter(({ rank }) => rank !== null && rank <= 3) ?? [];
    expect(top).toHaveLength(3);
    for (const { headline, model, rank, rankInterval } of top) {
      expect(text).toContain(`${rank} ${rankInterval?.join("–")} ${model.name}`);
      const interval = headline.interval?.map(thousandths).join("–");
      expect(text).toContain(model.name);
      expect(text).toContain(`${thousandths(headline.value)} ${interval}`);
    }
    expect(text).toContain("Models not significantly different from the first: 1.");
  });

  it("marks simulated, self-reported and suspect results, and names suites without a board", async () => {
    const marks = [...(await documentOf("/")).querySelectorAll(".preview .mark")].map(
      ({ textContent }) => textContent?.trim(),
    );
    const warned = [
      "simulated model",
      "self-reported",
      "simulated judges",
      "a canary exceeded its bound",
    ];
    expect(marks).toEqual(expect.arrayContaining(warned));
    expect(await textOf("/")).toContain("No model is ranked in this suite yet.");
  });

  it("marks a simulated model in its row only if other models are not simulated", async () => {
    const previews = [...(await documentOf("/leaderboards")).querySelectorAll(".preview")];
    const marksOf = (title: string) => {
      const preview = previews.find((one) => one.querySelector(".title")?.textContent === title);
      const count = (where: string) => preview?.querySelectorAll(`${where} .mark-simulated`).length;
      return { once: count(".marks"), rows: count("tbody tr") };
    };
    expect(marksOf("Structured extraction: acme/receipts")).toEqual({ once: 1, rows: 0 });
    expect(marksOf("Structured extraction: stock")).toEqual({ once: 1, rows: 1 });
  });

  it("lists the suites when there are no results", async () => {
    const text = await textOf("/", empty);
    expect(text).toContain("No boards yet.");
    for (const { label } of suites) expect(text).toContain(label);
    expect(text).not.toMatch(/Newest runs|first three/);
  });
});

describe("/models/{slug}/", () => {
  it("has one row per board with rank and rank interval", async () => {
    const rows = (await documentOf("/models/acme/extract-large")).querySelectorAll(
      'table[aria-label="Scores on each board"] tbody tr',
    );
    expect(rows).toHaveLength(2);
    const [first, other] = [...rows].map((row) => row.textContent?.replace(/\s+/g, " ") ?? "");
    expect(first).toMatch(/1 of 4 1–2/);
    expect(other).toContain("Non-standard options: structured output json_schema_strict");
  });

  it("shows the requested model id and the one that answered, and runs whose ids differ", async () => {
    const factsOf = async (path: string) =>
      [...(await documentOf(path)).querySelectorAll("main > dl div")].map((fact) =>
        [...fact.children].map(({ textContent }) => textContent?.trim()),
      );
    const ofLarge = await factsOf("/models/acme/extract-large");
    expect(ofLarge).toContainEqual(["Model id, newest run", "extract-large-70b"]);
    expect(ofLarge).toContainEqual(["Answered by, newest run", "extract-large-70b"]);
    const others = (await documentOf("/models/acme/extract-large")).querySelectorAll(".ids");
    expect([...others].map(({ textContent }) => textContent?.replace(/\s+/g, " "))).toEqual([
      "id extract-large-70b-preview ≠ answered by extract-large-70b-preview-08-30",
    ]);
    const ofParser = await factsOf("/models/openlab/parser-7b");
    expect(ofParser).toContainEqual(["Model id", "parser-7b"]);
    expect(ofParser).toContainEqual(["Answered by", "parser-7b-instruct-2026-05-01"]);
    expect(JSON.stringify(await factsOf("/models/acme/broken"))).not.toMatch(
      /Model id|Answered by/,
    );
  });

  it("counts finished and failed runs, and shows why a run failed", async () => {
    const text = await textOf("/models/acme/extract-large");
    expect(text).toContain("Public runs that have ended: 2 finished, 0 failed.");
    expect(await textOf("/models/acme/broken")).toMatch(/Failed the endpoint answered 401/);
    expect(await textOf("/models/acme/broken")).toContain("none of its runs has finished");
  });

  it("draws comparable runs over time with their scores, and notes that this is not a test", async () => {
    const document = await documentOf("/models/acme/extract-large");
    const [earlier, now] = ["run-large-earlier", "run-large"].map((id) =>
      site.fixture.runs.find((run) => run.id === id),
    );
    const label = document.querySelector("figure svg")?.getAttribute("aria-label") ?? "";
    for (const run of [earlier, now]) {
      expect(label).toContain(thousandths(run?.metrics?.[run.headline]?.value));
    }
    expect(label).toContain("wholly above the first");
    expect(await textOf("/models/acme/extract-large")).toContain("This is not a test");
    const compare = document.querySelector('figure a[href^="/compare/"]')?.getAttribute("href");
    expect(compare).toBe("/compare/?runs=run-large-earlier,run-large");
  });

  it("marks where the dataset version changed", async () => {
    const text = (await textOf("/models/assay/sim-0")).replaceAll(/\s+/g, " ");
    expect(text).toContain("receipts: another dataset version since");
    expect(text).toContain("EQS \u22120.100, caused by the dataset; 0.000");
  });

  it("explains that a history needs two finished runs", async () => {
    expect(await textOf("/models/openlab/parser-7b")).toContain(
      "A history needs two finished runs",
    );
  });

  it("gives the badge of a model in Markdown and HTML", async () => {
    const codes = [
      ...(await documentOf("/models/acme/extract-large")).querySelectorAll(".copy code"),
    ];
    const [markdown, html] = codes.map(({ textContent }) => textContent);
    expect(markdown).toMatch(
      /^\[!\[.+\]\(https:.+\.svg\)\]\(https:.+\/models\/acme\/extract-large\/\)$/,
    );
    expect(html).toMatch(/^<a href="https:.+"><img src="https:.+\.svg" alt=".+"><\/a>$/);
  });
});

describe("the copy button", () => {
  const path = "/models/acme/extract-large/";

  async function opened(options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
    const context = await site.browser.newContext({
      viewport: { width: 390, height: 900 },
      ...options,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const page = await context.newPage();
    await page.goto(`${site.origin}${path}`);
    return page;
  }

  it("copies the text next to it to the clipboard and confirms it", async () => {
    const page = await opened();
    const button = page.locator("#badge-markdown button");
    await button.click();
    await page.waitForFunction(
      `document.querySelector("#badge-markdown button").textContent === "Copied"`,
    );
    const copied = await page.evaluate("navigator.clipboard.readText()");
    expect(copied).toBe(await page.locator("#badge-markdown code").textContent());
    await page.context().close();
  });

  it("is hidden without JavaScript, and causes no layout shift when it appears", async () => {
    const heightOf = async (page: Page) => {
      const visible = await page.locator("#badge-markdown button").isVisible();
      const height = await page.evaluate("document.documentElement.scrollHeight");
      await page.context().close();
      return { visible, height };
    };
    const [without, withScript] = [
      await heightOf(await opened({ javaScriptEnabled: false })),
      await heightOf(await opened()),
    ];
    expect([without.visible, withScript.visible]).toEqual([false, true]);
    expect(without.height).toBe(withScript.height);
  });
});

describe("pages of datasets", () => {
  it("list each dataset with samples, models and runs", async () => {
    const rows = [...(await documentOf("/datasets")).querySelectorAll("tbody tr:not(.group)")];
    expect(rows).toHaveLength(site.fixture.snapshot.datasets.length);
    const stock = site.fixture.snapshot.datasets[0];
    const row = rows.find((one) => one.textContent?.includes(stock?.version.slice(0, 12) ?? ""));
    const cells = [...(row?.querySelectorAll("td") ?? [])].map(({ textContent }) => textContent);
    const runs = site.fixture.runs.filter(
      ({ suite, dataset }) => suite === stock?.suite && dataset.name === stock.name,
    );
    expect(cells).toEqual([`${stock?.samples}`, "4", `${runs.length}`, "1 Nov 2026"]);
  });

  it("describe the content of stock datasets, and show licence and source of uploaded ones", async () => {
    const stock = await textOf("/datasets/extraction/stock");
    expect(stock).toContain("were written for this suite");
    expect(stock).toContain("Shortest sample");
    const uploaded = await textOf("/datasets/extraction/acme/receipts");
    expect(uploaded).toMatch(/Licence\s*CC-BY-4\.0\s*Source\s*https:\/\/data\.example\/receipts/);
    expect(uploaded).not.toContain("were written for this suite");
  });

  it("show how to add a dataset when there are none", async () => {
    const text = await textOf("/datasets", empty);
    expect(text).toContain("Each suite has the dataset stock.");
    expect(text).toContain("curl -X POST 'https://api.assay.example/v1/datasets?suite=extraction");
  });
});

it("/changelog/ has the headings of CHANGELOG.md", async () => {
  const changelog = await readFile(new URL("../../CHANGELOG.md", import.meta.url), "utf8");
  const headings = changelog.match(/^##? .*$/gm)?.map((line) => line.replace(/^#+ /, ""));
  const shown = (await documentOf("/changelog")).querySelectorAll(".markdown h1, .markdown h2");
  expect([...shown].map(({ textContent }) => textContent)).toEqual(headings);
});

it("/methodology/statistics/ shows the numbers of its worked example", async () => {
  const text = await textOf("/methodology/statistics");
  expect(text).toContain("so t = 0.07917 / (0.06201 / √12) = 4.42");
  expect(text).toContain("overlap widely");
});

it("the navigation links every part of the site and marks the current one", async () => {
  const document = await documentOf("/datasets/extraction/stock");
  const links = [...document.querySelectorAll("header nav a, footer nav a")];
  expect(links.map((link) => link.getAttribute("href"))).toEqual([
    "/leaderboards/",
    "/compare/",
    "/submit/",
    "/methodology/",
    "/datasets/",
    "/guides/",
    "/search/",

    "/account/",
    "/docs/",
    "/commands/",
    "/security/",
    "/reliability/",
    "/performance/",
    "/changelog/",
    "/feed.xml",
  ]);
  const here = links.filter((link) => link.hasAttribute("aria-current"));
  expect(here.map(({ textContent }) => textContent?.trim())).toEqual(["Datasets"]);
});

it("every problem type has a page with its title, status and remedy", async () => {
  for (const [type, { title, status }] of Object.entries(problemTypes)) {
    const text = await textOf(`/errors/${type}`);
    expect(text, type).toContain(title);
    expect(text, type).toContain(String(status));
    expect(text, type).toContain("What to do");
  }
});

it("every command has a page with its usage, and guides link to pages of the site", async () => {
  for (const command of commands) {
    const { name, usage, description, sections, notes, examples } = commandHelp(command);
    const document = await documentOf(`/commands/${name.replaceAll(" ", "-")}`);
    const shown = document.querySelector("main")?.textContent ?? "";
    const rows = sections.flatMap((section) => section.rows.flat());
    // Examples call the service whose site this is.
    const called = examples.map((line) =>
      line.replaceAll("http://localhost:8787", "https://api.assay.example"),
    );
    for (const text of [...usage, ...description, ...rows, ...notes, ...called]) {
      expect([name, text, shown.includes(text)]).toEqual([name, text, true]);
    }
  }
  const guide = await documentOf("/guides/troubleshooting");
  const hrefs = [...guide.querySelectorAll("main a")].map((link) => link.getAttribute("href"));
  expect(hrefs).toContain("/guides/deployment/");
});
