import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { JSDOM } from "jsdom";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { suiteById } from "../../shared/suites/registry.ts";
import { flawsByPath } from "./support/audit-page.ts";
import { bareScores } from "./support/bare-scores.ts";
import { openBrowser } from "./support/browser.ts";
import { buildFolder, buildSite } from "./support/build-site.ts";
import { aFixture, hostileName, writeFixture } from "./support/fixture.ts";
import { aModel } from "./support/fixture-runs.ts";
import { aSweep, type MadeSweep } from "./support/fixture-sweep.ts";
import { serveDist } from "./support/serve-dist.ts";

const [suite, extraction] = ["quality", "extraction"].map(suiteById);
if (!suite || !extraction) throw new Error("the fixture needs both suites");

const numberOf = (value: unknown) => (typeof value === "number" ? value : 0);

/** Three parameters, one variant of which failed. */
const wide = aSweep(suite, {
  id: "sub-wide",
  model: aModel("acme/warm", "Warm", { simulated: true }),
  lists: { temperature: [0, 0.3, 0.7, 1], top_p: [0.9, 1], seed: [1, 2] },
  quality: ({ temperature, top_p }) => 0.9 - 0.5 * numberOf(temperature) * numberOf(top_p),
  failed: ({ temperature, top_p, seed }) => temperature === 1 && top_p === 1 && seed === 2,
});
/** One parameter, with a clear best, of a model with a hostile name. */
const narrow = aSweep(suite, {
  id: "sub-narrow",
  model: aModel("mallory/line", hostileName),
  lists: { temperature: [null, 0, 1] },
  quality: ({ temperature }) => [0.3, 0.95, 0.1][[null, 0, 1].indexOf(temperature as never)] ?? 0,
});

const pages = [
  "/",
  "/leaderboards/",
  "/sweeps/",
  "/sweeps/sub-wide/",
  "/sweeps/sub-wide/coherence/",
  "/sweeps/sub-wide/latencyP95/",
  "/sweeps/sub-narrow/",
  "/sweeps/sub-narrow/length/",
  "/models/acme/warm/",
  "/models/mallory/line/",
  `/runs/${wide.runs[0]?.id}/`,
];

const maxPageBytes = 150_000;

let dir: string;
let browser: Browser;
let site: Awaited<ReturnType<typeof serveDist>>;

beforeAll(async () => {
  dir = await buildFolder();
  const fixture = aFixture(extraction);
  const made: MadeSweep[] = [wide, narrow];
  const runs = [...made.flatMap((one) => one.runs), ...fixture.runs];
  await writeFixture(join(dir, "snapshot"), {
    runs,
    sweeps: made.map(({ sweep }) => sweep),
    snapshot: {
      ...fixture.snapshot,
      runs: runs.map(({ breakdown: _, timeline: __, points: ___, ...listed }) => listed),
      sweeps: made.map(({ sweep }) => ({ submission: sweep.submission, hash: "h" })),
    },
  });
  await buildSite(join(dir, "dist"), join(dir, "snapshot"));
  site = await serveDist(join(dir, "dist"));
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  site?.server.close();
  await rm(dir, { recursive: true, force: true });
});

it("every page of a sweep is sound in both schemes at 390, 768 and 1280 px", async () => {
  const found = await flawsByPath(browser, site.origin, pages, 390, 768, 1280);
  expect(found).toEqual({});
});

describe("what readers get", () => {
  const html = (path: string) => readFile(join(dir, "dist", path, "index.html"), "utf8");
  const documentOf = async (path: string) => new JSDOM(await html(path)).window.document;
  const textOf = async (path: string) =>
    ((await documentOf(path)).querySelector("main")?.textContent ?? "").replace(/\s+/g, " ");

  it("has every variant's value and interval, the verdict and the failed variant", async () => {
    const text = await textOf("sweeps/sub-wide");
    const [model] = wide.sweep.models;
    expect(text).toContain(model?.verdict);
    for (const { metrics } of model?.variants ?? []) {
      const overall = metrics?.["overall"];
      if (!overall) continue;
      expect(text).toContain(overall.value?.toFixed(3));
      expect(text).toContain(overall.interval?.map((end) => end.toFixed(3)).join("–"));
    }
    expect(text).toContain("left out: failed: the endpoint answered 401 to every request");
  });

  it("has an interval with every score of a variant", async () => {
    for (const path of ["sweeps/sub-wide", "sweeps/sub-wide/coherence", "sweeps/sub-narrow"]) {
      const { count, bare, unmarked } = bareScores(await documentOf(path), () => false);
      expect(count).toBeGreaterThan(0);
      expect([...bare, ...unmarked]).toEqual([]);
    }
  });

  it("draws a heat map for each pair of parameters, with its numbers as a table", async () => {
    const page = await documentOf("sweeps/sub-wide");
    const figures = [...page.querySelectorAll("figure")];
    expect(figures.map((figure) => figure.querySelector("h4")?.textContent)).toEqual([
      "Overall quality by temperature and top_p",
      "Overall quality by temperature and seed",
      "Overall quality by seed and top_p",
    ]);
    for (const figure of figures) {
      expect(figure.querySelector("svg[role=img]")?.getAttribute("aria-label")).toMatch(/ to /);
      expect(figure.querySelectorAll("tbody td").length).toBeGreaterThan(3);
    }
    expect(figures[0]?.textContent).toContain("(1 of 2)");
  });

  it("draws a line where one parameter was swept, and names the best", async () => {
    const page = await documentOf("sweeps/sub-narrow");
    expect(page.querySelector("figure svg")?.getAttribute("aria-label")).toMatch(
      /^Overall quality by temperature: unset 0\.\d{3} \(.*\); 0 0\.\d{3}/,
    );
    expect(page.querySelector(".verdict")?.textContent).toMatch(/^temperature 0 is best: /);
  });

  it("has a page a metric, and says where there is nothing to test", async () => {
    expect(await textOf("sweeps/sub-wide/latencyP95")).toContain(
      "Latency p95 is measured for whole runs",
    );
    const links = [...(await documentOf("sweeps/sub-wide")).querySelectorAll(".metrics a")];
    expect(links.map((link) => link.getAttribute("href"))).toContain("/sweeps/sub-wide/coherence/");
  });

  it("is linked from its runs' reports, its model and the home page", async () => {
    const linked = async (path: string) =>
      (await documentOf(path)).querySelector('a[href="/sweeps/sub-wide/"]') !== null;
    const paths = [`runs/${wide.runs[0]?.id}`, "models/acme/warm", "", "sweeps"];
    expect(await Promise.all(paths.map(linked))).toEqual(paths.map(() => true));
    expect(await textOf(`runs/${wide.runs[0]?.id}`)).toContain(
      "Variant of a sweep: temperature 0, top_p 0.9, seed 1.",
    );
  });

  it("prints a hostile model name as text, ships no script, and stays below 150 kB", async () => {
    expect(await textOf("sweeps/sub-narrow")).toContain(hostileName);
    for (const path of ["sweeps/sub-wide", "sweeps/sub-narrow", "sweeps"]) {
      expect((await documentOf(path)).scripts).toHaveLength(0);
      expect((await html(path)).length).toBeLessThan(maxPageBytes);
    }
  });
});
