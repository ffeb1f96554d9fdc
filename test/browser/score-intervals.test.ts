import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { suites } from "../../shared/suites/registry.ts";
import { type BareScores, bareScores } from "./support/bare-scores.ts";
import { pageDocument } from "./support/page-document.ts";
import { usualSite } from "./support/shared-site.ts";

/** Kinds of pages that contain scores, with a pattern for the paths of each kind. */
const kinds: readonly [name: string, pages: RegExp][] = [
  ["home", /^index\.html$/],
  ["overview of boards", /^leaderboards\/index\.html$/],
  ["boards", /^(leaderboards\/.+|boards\/.+)\/index\.html$/],
  ["views", /^views\//],
  ["tags", /^tags\//],
  ["models", /^models\//],
  ["reports", /^runs\//],
  ["canaries", /^methodology\/memory\/index\.html$/],
];

/** Metrics without resamples: strings, confidences and tokens are counted over the whole run. */
const unresampled = new Set(["fuzzyMatchRate", "calibrationError", "thinkingShare"]);

/** Too few times for some percentiles, and some runs of the fixture have the same time or cost for every answer. */
const untoldTimes =
  /^((latency|firstByte|generation)P\d\d|latencyMean|evaluationTimeMean|costPer1kUsd)$/;

const facts =
  /(Min|Max)$|^(generation|evaluation|total)Time$|^(latencyTotal|p95Source)$|^(judgeCached|unjudged)Rate$/;
const units = new Map(suites.flatMap(({ metrics }) => metrics.map(({ id, unit }) => [id, unit])));
const isScore = (id: string): boolean =>
  id === "costPer1kUsd" ||
  (["ratio", "level", "ms"].includes(units.get(id) ?? "") && !facts.test(id));

let found: Record<string, BareScores>;
/** By suite, the pages that show its headline score without a link to its caution. */
let unwarned: Record<string, string[]>;
let warned: Record<string, number>;

beforeAll(async () => {
  const { dist } = await usualSite();
  const files = (await readdir(dist, { recursive: true })).filter((path) => path.endsWith(".html"));
  found = {};
  unwarned = {};
  warned = {};
  for (const file of files) {
    const text = await readFile(join(dist, file), "utf8");
    for (const { id, headline, caution } of suites) {
      if (caution === undefined || !text.includes(`data-score="${headline}"`)) continue;
      if (text.includes(`/methodology/${id}/#${caution.anchor}`))
        warned[id] = (warned[id] ?? 0) + 1;
      else unwarned[id] = [...(unwarned[id] ?? []), file];
    }
  }
  for (const file of files.filter((path) => kinds.some(([, pages]) => pages.test(path)))) {
    const document = pageDocument(await readFile(join(dist, file), "utf8"));
    found[file] = bareScores(document, isScore);
  }
});

describe.each(kinds)("%s", (_, pages) => {
  const scoresOfKind = () => Object.entries(found).filter(([path]) => pages.test(path));

  it("have scores", () => {
    expect(scoresOfKind().reduce((sum, [, { count }]) => sum + count, 0)).toBeGreaterThan(0);
  });

  it("have an interval with every score, and mark every score", () => {
    const flaws = scoresOfKind().flatMap(([path, { bare, unmarked }]) =>
      [...bare, ...unmarked.map((metric) => `not marked: ${metric}`)].map(
        (one) => `${path} ${one}`,
      ),
    );
    expect(flaws).toEqual([]);
  });
});

it("only metrics that can't be resampled are shown as without an interval", () => {
  const without = new Set(Object.values(found).flatMap((one) => one.without));
  const others = [...without].filter(
    (metric) => !unresampled.has(metric) && !untoldTimes.test(metric),
  );
  expect(others).toEqual([]);
});

it("every page with a suite's headline score links the caution of the suite", () => {
  // The link leads to the methodology page, which needs none.
  const pages = Object.values(unwarned).flat();
  expect(pages.filter((path) => !path.startsWith("methodology/"))).toEqual([]);
  expect(warned["memory"]).toBeGreaterThan(3);
  expect(warned["quality"]).toBeGreaterThan(0);
});

it("bareScores() finds scores without an interval in columns, rows and alone, and unmarked scores", () => {
  const document = pageDocument(`<table><thead><tr><th>Model</th>
    <th data-score="f1"><a href="/x/#metric-f1">F1</a></th><th><a href="/x/#metric-recall">Recall</a></th></tr></thead>
    <tbody><tr><th>a</th><td>0.500 <small>0.4–0.6</small></td><td>0.5</td></tr>
    <tr><th>b</th><td>0.500</td><td>0.5</td></tr><tr><th>c</th><td>–</td><td>0.5</td></tr></tbody></table>
    <table><tr data-score="p95"><th><a href="/x/#metric-p95">p95</a></th><td>1,200 ms</td></tr></table>
    <p data-score="f1">0.9 (no interval)</p>`);
  expect(bareScores(document, () => true)).toEqual({
    count: 4,
    bare: ["f1: 0.500", "p95: p951,200 ms"],
    without: ["f1"],
    unmarked: ["recall"],
  });
});
