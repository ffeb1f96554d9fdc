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

/** The words of a page's main part, as they follow one another. */
async function textOf(path: string, built = site.dist): Promise<string> {
  const main = (await documentOf(path, built)).querySelector("main");
  return main?.textContent?.replace(/\s+/g, " ").trim() ?? "";
}

const thousandths = (value: number | null | undefined) => value?.toFixed(3) ?? "–";

describe("the first page", () => {
  it("has the first three of each suite's board with score, interval and rank interval", async () => {
    const { boards } = site.fixture.snapshot;
    const text = await textOf("/");
    const top = boards[0]?.entries.filter(({ rank }) => rank !== null && rank <= 3) ?? [];
    expect(top).toHaveLength(3);
    for (const { headline, model } of top) {
      const interval = headline.interval?.map(thousandths).join("–");
      expect(text).toContain(model.name);
      expect(text).toContain(`${thousandths(headline.value)} ${interval}`);
    }
    expect(text).toContain("Models not significantly different from the first: 1.");
  });

  it("marks what is simulated, self-reported or warned of, and names suites without a board", async () => {
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

  it("marks a simulated model in its row only where others are not", async () => {
    const previews = [...(await documentOf("/leaderboards")).querySelectorAll(".preview")];
    const marksOf = (title: string) => {
      const preview = previews.find((one) => one.querySelector(".title")?.textContent === title);
      const count = (where: string) => preview?.querySelectorAll(`${where} .mark-simulated`).length;
      return { once: count(".marks"), rows: count("tbody tr") };
    };
    expect(marksOf("Structured extraction: acme/receipts")).toEqual({ once: 1, rows: 0 });
    expect(marksOf("Structured extraction: stock")).toEqual({ once: 1, rows: 1 });
  });

  it("says what to do where there are no results", async () => {
    const text = await textOf("/", empty);
    expect(text).toContain("No boards yet.");
    for (const { label } of suites) expect(text).toContain(label);
    expect(text).not.toMatch(/Newest runs|first three/);
  });
});

describe("a model's page", () => {
  it("has a row a board with rank, rank interval and score", async () => {
    const rows = (await documentOf("/models/acme/extract-large")).querySelectorAll(
      'table[aria-label="Scores on each board"] tbody tr',
    );
    expect(rows).toHaveLength(2);
    const [first, other] = [...rows].map((row) => row.textContent?.replace(/\s+/g, " ") ?? "");
    expect(first).toMatch(/1 of 4 1–2/);
    expect(other).toContain("Non-standard options: structured output json_schema_strict");
  });

  it("has the id of the model that was asked, what answered, and where a run had others", async () => {
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

  it("lists all runs, finished or not, with what they came to", async () => {
    const text = await textOf("/models/acme/extract-large");
    expect(text).toContain("Public runs that have ended: 2 finished, 0 failed.");
    expect(await textOf("/models/acme/broken")).toMatch(/Failed the endpoint answered 401/);
    expect(await textOf("/models/acme/broken")).toContain("none of its runs has finished");
  });

  it("draws comparable runs over time, with the numbers, and says what the marks are not", async () => {
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

  it("says where a model met another dataset version", async () => {
    const text = (await textOf("/models/assay/sim-0")).replaceAll(/\s+/g, " ");
    expect(text).toContain("receipts: another dataset version since");
    expect(text).toContain("EQS \u22120.100, caused by the dataset; 0.000");
  });

  it("has no history of one run, and says so", async () => {
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

describe("copying", () => {
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

  it("copies the text next to the button to the clipboard, and says so", async () => {
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

  it("shows no button without script, and moves nothing when it appears", async () => {
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

describe("datasets", () => {
  it("are listed with samples, models and runs", async () => {
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

  it("say where they are from when their content is known, and that it is not known else", async () => {
    const stock = await textOf("/datasets/extraction/stock");
    expect(stock).toContain("were written for this suite");
    expect(stock).toContain("Shortest sample");
    const uploaded = await textOf("/datasets/extraction/acme/receipts");
    expect(uploaded).toMatch(/Licence\s*CC-BY-4\.0\s*Source\s*https:\/\/data\.example\/receipts/);
    expect(uploaded).not.toContain("were written for this suite");
  });

  it("show how to add one where there are none", async () => {
    const text = await textOf("/datasets", empty);
    expect(text).toContain("Each suite has the dataset stock.");
    expect(text).toContain("curl -X POST 'https://api.assay.example/v1/datasets?suite=extraction");
  });
});

it("the changelog is that of the repository", async () => {
  const changelog = await readFile(new URL("../../CHANGELOG.md", import.meta.url), "utf8");
  const headings = changelog.match(/^##? .*$/gm)?.map((line) => line.replace(/^#+ /, ""));
  const shown = (await documentOf("/changelog")).querySelectorAll(".markdown h1, .markdown h2");
  expect([...shown].map(({ textContent }) => textContent)).toEqual(headings);
});

it("the worked example of statistics has its numbers on the page", async () => {
  const text = await textOf("/methodology/statistics");
  expect(text).toContain("so t = 0.07917 / (0.06201 / √12) = 4.42");
  expect(text).toContain("overlap widely");
});

it("navigation leads to every part, and says where the reader is", async () => {
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

it("every kind of error has the page that its type leads to, with what to do", async () => {
  for (const [type, { title, status }] of Object.entries(problemTypes)) {
    const text = await textOf(`/errors/${type}`);
    expect(text, type).toContain(title);
    expect(text, type).toContain(String(status));
    expect(text, type).toContain("What to do");
  }
});

it("every command has a page with its usage, and every guide leads on to pages", async () => {
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
