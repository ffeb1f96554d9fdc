import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Run } from "../../shared/contracts/run.ts";
import { suiteById } from "../../shared/suites/registry.ts";
import { hostileName } from "./fixtures/fixture.ts";
import { flawsOfOpenPage } from "./support/audit-page.ts";
import { openSite } from "./support/open-site.ts";
import { pageDocument } from "./support/page-document.ts";

const suite = suiteById("extraction");
if (!suite) throw new Error("the fixture needs the extraction suite");

const boardPath = "/leaderboards/extraction/stock/";

const site = openSite();

const documentOf = async (path: string): Promise<Document> =>
  pageDocument(await readFile(join(site.dist, path, "index.html"), "utf8"));

/** Replaces all whitespace by single spaces; units follow a narrow no-break space. */
const spaced = (words: string): string => words.replace(/\s+/g, " ").trim();

const text = (element: Element | null | undefined): string => spaced(element?.textContent ?? "");

/** The cell texts of a table by row (the text of the link in the row heading) and column heading. */
function rowsOf(table: Element | null): Record<string, Record<string, string>> {
  const headings = [...(table?.querySelectorAll("thead th") ?? [])].map(
    (th) => th.getAttribute("data-key") ?? text(th),
  );
  const rows = [...(table?.querySelectorAll("tbody tr") ?? [])];
  return Object.fromEntries(
    rows.map((row) => [
      text(row.querySelector("th a")),
      Object.fromEntries([...row.children].map((cell, i) => [headings[i] ?? "", text(cell)])),
    ]),
  );
}

/** Prints numbers as the site does, for the formats of the tested columns. */
const digits: Record<string, (value: number) => string> = {
  score: (value) => value.toFixed(3),
  percent: (value) => (value * 100).toFixed(1),
  ms: (value) => Math.round(value).toLocaleString("en"),
  usd: (value) => (value >= 1 ? value.toFixed(2) : value.toPrecision(3)),
};
const units: Record<string, (number: string) => string> = {
  percent: (number) => `${number}%`,
  ms: (number) => `${number} ms`,
  usd: (number) => `$${number}`,
};

function formatted(id: string, values: readonly number[]): string {
  const { format = "score" } = suite?.metrics.find((metric) => metric.id === id) ?? {};
  const [first = "", ...others] = values.map((value) => digits[format]?.(value));
  const bare = [first, ...others].join(format === "usd" ? "–$" : "–");
  return units[format]?.(bare) ?? bare;
}

const share = (ratio: number): string => `${(ratio * 100).toFixed(1)}%`;

/** The value of a run's metric as the site prints it. */
function printed(run: Run, id: string): string {
  const value = run.metrics?.[id]?.value ?? null;
  return value === null ? "–" : formatted(id, [value]);
}

/** The metric's interval as the site prints it: without the unit, which the value above it has. */
function bounds(run: Run, id: string): string {
  const interval = run.metrics?.[id]?.interval ?? null;
  return interval === null ? "no interval" : formatted(id, interval).replaceAll(/%$| ms$|\$/g, "");
}

/** The ranked runs of the stock board, best first. */
function rankedRuns(): Run[] {
  const entries = site.fixture.snapshot.boards[0]?.entries ?? [];
  return entries.flatMap(({ rank, run }) =>
    rank === null ? [] : (site.fixture.runs.find(({ id }) => id === run) ?? []),
  );
}

/** The mark of the load under which a run was timed, from the legend in the column heading. */
function loadOf({ provenance, options }: Run, heading: string): string {
  const load =
    provenance.kind === "called" ? `up to ${options["concurrency"]} at once` : "timed elsewhere";
  return new RegExp(`([†‡§¶]) ${load}`).exec(heading)?.[1] ?? `no sign for ${load}`;
}

/** The 95% Wilson score interval of a share of samples, in percent. */
function bounded(rate: number, n: number): number[] {
  const z = 1.96;
  const centre = (rate + z ** 2 / (2 * n)) / (1 + z ** 2 / n);
  const reach = (z * Math.sqrt((rate * (1 - rate)) / n + z ** 2 / (4 * n ** 2))) / (1 + z ** 2 / n);
  return [centre - reach, centre + reach].map((end) => Math.round(end * 100));
}

describe("a board's page", () => {
  it("states for how many comparisons its marks are corrected, in the table and in the map of wins", async () => {
    const { body } = await documentOf(boardPath);
    const count = (rankedRuns().length * (rankedRuns().length - 1)) / 2;
    const family = `corrected for ${count} comparisons by Holm`;
    for (const part of ["#marks", "[aria-labelledby=wins]"]) {
      expect(text(body.querySelector(part))).toContain(family);
    }
  });

  it("has columns for latency with its load, cost, samples with coverage, and the date of each run", async () => {
    const table = (await documentOf(boardPath)).querySelector("[data-board] table");
    const heading = text(table?.querySelector("caption"));
    const rows = rowsOf(table);
    expect(Object.keys(rows)).toEqual(rankedRuns().map(({ model }) => model.name));
    for (const run of rankedRuns()) {
      const headline = run.metrics?.[run.headline];
      expect(rows[run.model.name]).toMatchObject({
        latencyP95: `${printed(run, "latencyP95")} ${loadOf(run, heading)} ${bounds(run, "latencyP95")}`,
        costPer1kUsd:
          printed(run, "costPer1kUsd") +
          (run.metrics?.["costPer1kUsd"]?.value == null ? "" : ` ${bounds(run, "costPer1kUsd")}`),
        validity: `${printed(run, "validity")} ${bounds(run, "validity")}`,
        n: `${headline?.n} ${share(headline?.coverage ?? 0)}`,
        date: expect.stringContaining("20 Nov 2026"),
      });
    }
  });

  it("warns when latencies were measured under different loads, and names the load when it is the same", async () => {
    const mixed = await documentOf(boardPath);
    expect(text(mixed.querySelector("#trade-offs ~ .blocks"))).toContain(
      "Not all latencies were measured under the same load",
    );
    const same = await documentOf("/leaderboards/extraction/acme/receipts/");
    expect(text(same.querySelector("[data-board] caption"))).toContain("up to 20 at once");
    expect(text(same.body)).not.toContain("under the same load");
    expect(text(same.querySelector("[aria-labelledby=guide]"))).toContain("concurrency may differ");
  });

  it("lists tied leaders together, and marks simulated models only if others are not simulated", async () => {
    const choiceOf = async (path: string) =>
      (await documentOf(path)).querySelector("[aria-labelledby=choosing]");
    const tied = (await choiceOf("/leaderboards/memory/stock/"))?.querySelectorAll("dd")[1];
    expect(text(tied?.firstElementChild)).toBe("Recall Plus, Kind 8B");
    const simulated = await choiceOf("/leaderboards/extraction/acme/receipts/");
    expect(text(simulated)).toContain("Sim 0");
    expect(text(simulated)).not.toContain("simulated model");
    expect(text(await choiceOf(boardPath))).toContain("Sim Careful simulated model");
  });

  it("states the number of sources when there are too few for tests", async () => {
    const few = await documentOf("/leaderboards/extraction/acme/receipts/");
    expect(text(few.body)).toContain("the samples come from 6 sources, too few");
  });

  it("links its views, tags, data and feed", async () => {
    const links = [...(await documentOf(boardPath)).querySelectorAll(".board-links a")];
    const hrefs = links.map((link) => link.getAttribute("href"));
    const query = "suite=extraction&dataset=stock";
    expect(hrefs).toEqual([
      boardPath,
      ...(suite.views ?? []).map(({ id }) => `/views/extraction/${id}/stock/`),
      "/tags/extraction/domain/stock/",
      `https://api.assay.example/v1/leaderboard.csv?${query}`,
      `https://api.assay.example/v1/leaderboard?${query}`,
      "/feeds/extraction/stock.xml",
      `${boardPath}#embed`,
    ]);
  });

  it("shows win rates with intervals and the marks of the board's tests, or a note without a comparison", async () => {
    const wins = (await documentOf(boardPath)).querySelector("section[aria-labelledby=wins]");
    const rows = [...(wins?.querySelectorAll("tbody tr") ?? [])];
    const cells = rows.map((row) => [...row.querySelectorAll("td")].map(text));
    const order = rankedRuns().map(({ id }) => id);
    const [compared] = site.fixture.comparisons?.["stock-main"]?.metrics ?? [];
    const { pairs, samples } = compared ?? { pairs: [], samples: 0 };
    expect(pairs).toHaveLength((order.length * (order.length - 1)) / 2);
    const { pHolm } = site.fixture.snapshot.boards[0]?.tests ?? { pHolm: [] };
    for (const { a, b, winRate } of pairs) {
      const [row, column] = [order.indexOf(a), order.indexOf(b)];
      const p = pHolm[Math.max(row, column)]?.[Math.min(row, column)] ?? 1;
      const mark = p >= 0.05 ? "" : p < 0.01 ? "**" : "*";
      const [low, high] = bounded(winRate, samples);
      expect(cells[row]?.[column]).toBe(`${Math.round(winRate * 100)}${mark} ${low}–${high}`);
    }
    expect(cells.flat().some((cell) => cell.includes("*"))).toBe(true);
    expect(
      text(await documentOf("/leaderboards/memory/stock/").then(({ body }) => body)),
    ).toContain("This build of the site has no pairwise comparison of these models");
  });

  it("lists the models of the latency and cost charts, and marks those on the Pareto frontier", async () => {
    const tables = (await documentOf(boardPath)).querySelectorAll(
      "section[aria-labelledby=trade-offs] table",
    );
    const { frontiers } = site.fixture.comparisons?.["stock-main"] ?? {};
    const nameOf = (id: string) => site.fixture.runs.find((run) => run.id === id)?.model.name;
    const rowsIn = [...tables].map((table) => [...table.querySelectorAll("tbody tr")]);
    const isOn = (row: Element) => row.lastElementChild?.textContent?.trim() === "yes";
    const nameIn = (row: Element) => row.querySelector("th")?.textContent?.trim();
    const named = rowsIn.map((rows) => rows.filter(isOn).map(nameIn).sort());
    const ranked = rankedRuns();
    const costed = ranked.filter(({ metrics }) => metrics?.["costPer1kUsd"]?.value != null);
    expect(rowsIn.map((rows) => rows.length)).toEqual([ranked.length, costed.length]);
    expect(named).toEqual(
      [frontiers?.latency, frontiers?.cost].map((ids) => ids?.map(nameOf).sort()),
    );
  });
});

it("a view shows its metrics in order, with the intervals of the runs", async () => {
  const [view] = suite.views ?? [];
  const document = await documentOf(`/views/extraction/${view?.id}/stock/`);
  const table = document.querySelector("[data-board] table");
  const keys = [...(table?.querySelectorAll("[data-key]") ?? [])].map((th) =>
    th.getAttribute("data-key"),
  );
  expect(keys).toEqual(["rank", "model", ...(view?.metrics ?? []), "n", "date"]);
  const rows = rowsOf(table);
  for (const run of rankedRuns()) {
    for (const id of view?.metrics ?? []) {
      const cell = rows[run.model.name]?.[id];
      expect(cell).toContain(printed(run, id));
      if (run.metrics?.[id]?.interval) expect(cell).toContain(bounds(run, id));
    }
  }
});

it("/tags/ shows each run's score and interval by tag, without ranks", async () => {
  const document = await documentOf("/tags/extraction/domain/stock/");
  expect(text(document.body)).toContain("parts are neither ranked nor tested");
  const rows = rowsOf(document.querySelector("table"));
  for (const run of rankedRuns()) {
    const figures =
      suite.tagFigures?.(run.breakdown, run.headline).filter(({ tag }) => tag === "domain") ?? [];
    expect(figures).toHaveLength(3);
    for (const { name, n, headline } of figures) {
      const cell = rows[run.model.name]?.[`${name} n = ${n}`];
      expect(cell).toBe(
        `${headline.value.toFixed(3)} ${formatted("eqs", headline.interval ?? [])}`,
      );
    }
  }
});

describe("a board in a browser", () => {
  const opened = async (query = "", more = {}): Promise<Page> => {
    const context = await site.browser.newContext({
      viewport: { width: 1280, height: 900 },
      ...more,
    });
    const page = await context.newPage();
    await page.goto(`${site.origin}${boardPath}${query}`);
    return page;
  };
  const names = (page: Page) => page.locator("[data-board] tbody th > a").allInnerTexts();
  const status = (page: Page) => page.getByRole("status").textContent();

  it("sorts, filters and searches, announces the result, and keeps the state in the URL", async () => {
    const page = await opened();
    const ranked = rankedRuns().map(({ model }) => model.name);
    expect(await names(page)).toEqual(ranked);
    await page.getByRole("button", { name: "p95" }).click();
    const byLatency = rankedRuns().toSorted(
      (a, b) => (a.metrics?.["latencyP95"]?.value ?? 0) - (b.metrics?.["latencyP95"]?.value ?? 0),
    );
    expect(await names(page)).toEqual(byLatency.map(({ model }) => model.name));
    expect(await page.locator("th[aria-sort=ascending]").count()).toBe(1);
    await page.locator("select[name=models]").selectOption("simulated");
    expect(await names(page)).toEqual(["Sim Careful"]);
    expect(await status(page)).toBe("1 of 4 models, by Latency p95, lowest first");
    const query = "?sort=latencyP95&order=ascending&models=simulated";
    expect(page.url()).toBe(`${site.origin}${boardPath}${query}`);
    await page.getByRole("button", { name: "Reset" }).click();
    expect(await page.locator(":focus").textContent({ timeout: 2_000 })).toBe("Reset");
    await page.getByLabel("Search models").fill("OPENLAB");
    expect(await names(page)).toEqual(["Parser 7B"]);
    await page.getByLabel("Search models").fill("gpt-4o");
    expect(await names(page)).toEqual([hostileName]);
    await page.context().close();
  });

  it("restores the state from the URL without a layout shift", async () => {
    const page = await opened();
    const top = await page.locator("[data-board] tbody").boundingBox();
    await page.context().close();
    const asked = await opened("?sort=exactMatch&order=ascending&provenance=called");
    expect(await names(asked)).toHaveLength(3);
    expect((await asked.locator("[data-board] tbody").boundingBox())?.y).toBe(top?.y);
    await asked.context().close();
  });

  it("shows the model id below each name and the id that answered if it differs, also without JavaScript", async () => {
    const ids = {
      "Extract Large": "id extract-large-70b",
      "Parser 7B": "id parser-7b ≠ answered by parser-7b-instruct-2026-05-01",
      "Sim Careful": null,
      [hostileName]: `id ${hostileName} ≠ answered by gpt-4o`,
    };
    const narrow = { viewport: { width: 320, height: 700 }, javaScriptEnabled: false };
    for (const look of [{}, narrow]) {
      const page = await opened("", look);
      const shown = await page.locator("[data-board] tbody tr").evaluateAll((rows) =>
        rows.map((row) => {
          const cell = row.querySelector("th") as HTMLElement;
          const idLine = cell.querySelector<HTMLElement>(".ids");
          const isWhole = idLine === null || idLine.scrollWidth <= idLine.clientWidth;
          return [
            cell.querySelector("a")?.textContent,
            // biome-ignore lint/performance/useDomNodeTextContent: hidden text is no text to a reader
            idLine?.innerText.replace(/\s+/g, " ").trim() ?? null,
            isWhole,
          ] as const;
        }),
      );
      expect(Object.fromEntries(shown.map(([name, text]) => [name, text]))).toEqual(ids);
      expect(shown.every(([, , isWhole]) => isWhole)).toBe(true);
      await page.context().close();
    }
  });

  it("shows all rows and hides its controls without JavaScript", async () => {
    const page = await opened("?q=parser", { javaScriptEnabled: false });
    expect(await names(page)).toEqual(rankedRuns().map(({ model }) => model.name));
    expect(await page.getByLabel("Search models").isVisible()).toBe(false);
    expect(await page.locator(".all-columns input").first().isVisible()).toBe(false);
    await page.context().close();
  });
});

describe("the table of a board", () => {
  const boards = [
    boardPath,
    ...["memory", "tools", "slots"].map((id) => `/leaderboards/${id}/stock/`),
  ];
  const at = async (path: string, width: number): Promise<Page> => {
    const page = await site.browser.newPage({ viewport: { width, height: 900 } });
    await page.goto(`${site.origin}${path}`);
    return page;
  };

  it.each([1280, 1160, 768, 390])(
    "fits a window %d px wide, with table heads below 48 px",
    async (width) => {
      for (const path of boards) {
        const page = await at(path, width);
        const [inner, outer, tallest] = await page.evaluate<number[]>(`(() => {
        const scroll = document.querySelector("[data-board] .scroll");
        const heads = [...scroll.querySelectorAll("thead tr:first-child th")];
        return [scroll.scrollWidth, scroll.clientWidth, Math.max(...heads.map((th) => th.offsetHeight))];
      })()`);
        expect([path, inner]).toEqual([path, outer]);
        expect(tallest).toBeLessThan(48);
        await page.close();
      }
    },
  );

  it("wraps a long table head, which ends with the better direction", async () => {
    const page = await at(boardPath, 1280);
    const cut = await page.evaluate(`(() => {
      const head = [...document.querySelectorAll("[data-board] th .head")].at(-3);
      head.textContent = "Padding (inverted)";
      return [head.scrollWidth - head.clientWidth, head.scrollHeight - head.clientHeight];
    })()`);
    expect(cut).toEqual([0, 0]);
    await page.close();
  });

  it("has fewer than 20 tab stops before its first row", async () => {
    for (const path of boards) {
      const page = await at(path, 1280);
      let stops = 0;
      for (; stops < 40; stops++) {
        await page.keyboard.press("Tab");
        const isInRow = await page.evaluate(
          `!!document.activeElement.closest("[data-board] tbody")`,
        );
        if (isInRow) break;
      }
      expect([path, stops < 20]).toEqual([path, true]);
      await page.close();
    }
  });

  it("shows the definition of a column on hover and focus, until Escape; arrows move between heads", async () => {
    const page = await at(boardPath, 1280);
    const tip = page.getByRole("tooltip");
    const eqs = page.locator("[data-board] [data-key=eqs]");
    await eqs.locator("button").hover();
    expect(await tip.textContent()).toContain("Extraction quality score");
    await page.mouse.move(0, 0);
    expect(await tip.isVisible()).toBe(false);
    await page.locator("[data-board] [data-key=rank] button").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    expect(await tip.textContent()).toContain("Extraction quality score");
    await page.keyboard.press("Escape");
    expect(await tip.isVisible()).toBe(false);
    await page.keyboard.press("Enter");
    expect(await eqs.getAttribute("aria-sort")).toBe("descending");
    await page.close();
  });

  it("marks only ties, with the rank of the other model, and simulated models unless all are simulated", async () => {
    const rows = rowsOf((await documentOf(boardPath)).querySelector("[data-board] table"));
    const marked = Object.values(rows).map(
      ({ model = "" }) => /≈ with \d/.exec(model)?.[0] ?? null,
    );
    expect(marked).toEqual([null, "≈ with 1", null, "≈ with 3"]);
    const all = (await documentOf("/leaderboards/extraction/acme/receipts/")).querySelector(
      "[data-board]",
    );
    expect(text(all?.querySelector("tbody"))).not.toContain("simulated");
  });

  it("shows cost and latency below the names on phones, and all columns on request", async () => {
    const page = await at(boardPath, 390);
    const brief = page.locator("[data-board] .brief");
    expect(await brief.first().isVisible()).toBe(true);
    expect(await brief.first().textContent()).toMatch(
      /^\$[\d.]+ per 1,000 · p95 [\d,]+\u202fms · Report$/,
    );
    expect(await brief.first().getByRole("link").getAttribute("href")).toMatch(/^\/runs\/run-/);
    const cells = page.locator("[data-board] tbody tr:first-child > :visible");
    expect(await cells.count()).toBe(3);
    await page.locator("[data-board]").getByLabel("All columns").check();
    expect(await brief.first().isVisible()).toBe(false);
    expect(await cells.count()).toBe(12);
    await page.locator("[data-board] [data-key=validity] button").focus();
    expect(await page.getByRole("tooltip").isVisible()).toBe(true);
    expect(await flawsOfOpenPage(page, 390, 768, 1280)).toEqual([]);
    await page.close();
  });
});

describe("the board of a judged suite", () => {
  it("warns that a judge will be retired, and shows how much another judge shifts the scores", async () => {
    const { body } = await documentOf("/leaderboards/memory/stock/");
    const notices = [...body.querySelectorAll(".notice")].map(text);
    expect(notices).toContain(
      "A judge of this board needs a successor. Judge sim-judge-a ends on 2027-01-20; simulated names sim-judge-d in its place.",
    );
    const section = body.querySelector("#bri_1")?.closest("section");
    expect(text(section)).toContain("Stored answers of this board, spread evenly over its scores");
    expect(text(section)).toContain("also judged by sim-judge-d");
    const rows = [...(section?.querySelectorAll("tbody tr") ?? [])];
    expect(rows.map((row) => [...row.children].map(text))).toEqual([
      ["Memory citation score", "200", "80.0%", "79.0%", "−1.0 pp", "−2.0 pp to −0.1 pp"],
      ["Empathy", "199", "4.10/5", "4.60/5", "+0.50", "+0.40 to +0.60"],
      ["Safety", "0", "–", "–", "–", "–"],
    ]);
  });
});
