import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Sweep } from "../../shared/contracts/submissions/sweep.ts";
import { hostileName } from "./fixtures/fixture.ts";
import { bareScores } from "./support/bare-scores.ts";
import { pageDocument } from "./support/page-document.ts";
import { usualSite } from "./support/shared-site.ts";

const maxPageBytes = 150_000;

/** The run of one variant of the wide sweep. */
const run = "sub-wide-0";

let dist: string;
let wide: Sweep | undefined;

beforeAll(async () => {
  const { fixture, ...site } = await usualSite();
  dist = site.dist;
  wide = fixture.sweeps?.find(({ submission }) => submission === "sub-wide");
});

describe("/sweeps/", () => {
  const html = (path: string) => readFile(join(dist, path, "index.html"), "utf8");
  const documentOf = async (path: string) => pageDocument(await html(path));
  const textOf = async (path: string) =>
    ((await documentOf(path)).querySelector("main")?.textContent ?? "").replace(/\s+/g, " ");

  it("shows the verdict, every variant's value and interval, and the failed variant", async () => {
    const text = await textOf("sweeps/sub-wide");
    const [model] = wide?.models ?? [];
    expect(text).toContain(model?.verdict);
    for (const { metrics } of model?.variants ?? []) {
      const overall = metrics?.["overall"];
      if (!overall) continue;
      expect(text).toContain(overall.value?.toFixed(3));
      expect(text).toContain(overall.interval?.map((end) => end.toFixed(3)).join("–"));
    }
    expect(text).toMatch(/left out\s*failed: the endpoint answered 401 to every request/);
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
      "Overall form by temperature and top_p",
      "Overall form by temperature and seed",
      "Overall form by seed and top_p",
    ]);
    for (const figure of figures) {
      expect(figure.querySelector("svg[role=img]")?.getAttribute("aria-label")).toMatch(/ to /);
      expect(figure.querySelectorAll("tbody td").length).toBeGreaterThan(3);
    }
    expect(figures[0]?.textContent).toContain("(1 of 2)");
  });

  it("draws a line for a sweep of one parameter, and names the best value", async () => {
    const page = await documentOf("sweeps/sub-narrow");
    expect(page.querySelector("figure svg")?.getAttribute("aria-label")).toMatch(
      /^Overall form by temperature: unset 0\.\d{3} \(.*\); 0 0\.\d{3}/,
    );
    expect(page.querySelector(".verdict")?.textContent).toMatch(/^temperature 0 is best: /);
  });

  it("has one page per metric, and explains when a metric can't be tested", async () => {
    expect(await textOf("sweeps/sub-wide/latencyP95")).toContain(
      "Latency p95 is measured for whole runs",
    );
    const links = [...(await documentOf("sweeps/sub-wide")).querySelectorAll("nav.contents a")];
    expect(links.map((link) => link.getAttribute("href"))).toContain("/sweeps/sub-wide/coherence/");
  });

  it("is linked from its runs' reports, its model and the home page", async () => {
    const linked = async (path: string) =>
      (await documentOf(path)).querySelector('a[href="/sweeps/sub-wide/"]') !== null;
    const paths = [`runs/${run}`, "models/acme/warm", "", "sweeps"];
    expect(await Promise.all(paths.map(linked))).toEqual(paths.map(() => true));
    expect(await textOf(`runs/${run}`)).toContain(
      "Variant of a sweep: temperature 0, top_p 0.9, seed 1.",
    );
  });

  it("prints a hostile model name as text, ships no script, and stays below 150 kB", async () => {
    expect(await textOf("sweeps/sub-narrow")).toContain(hostileName);
    for (const path of ["sweeps/sub-wide", "sweeps/sub-narrow", "sweeps"]) {
      expect((await documentOf(path)).querySelectorAll("script")).toHaveLength(0);
      expect((await html(path)).length).toBeLessThan(maxPageBytes);
    }
  });
});
