import { expect, it } from "vitest";
import { aComparison } from "./__fixtures__/a-comparison.ts";
import { compareReportHtml } from "./CompareReport.tsx";
import { viewNamed } from "./compared.ts";
import { tieText } from "./Standings.tsx";
import { furthestApart, samplePairs } from "./sample-pairs.ts";
import { winCells } from "./TestSection.tsx";

const compared = aComparison();
const [tested] = compared.comparison.metrics;
if (!tested) throw new Error("the comparison has a metric");

it("winCells() has each pair from both sides, in the order of the standings", () => {
  const rates = winCells(tested).map((row) => row.map((cell) => cell?.rate.toFixed(1) ?? null));
  expect(rates).toEqual([
    [null, "0.7", "0.9"],
    ["0.3", null, "0.8"],
    ["0.1", "0.2", null],
  ]);
  expect(winCells(tested)[2]?.[0]?.mark).toBe("**");
});

it("tieText() names the first run of a tie group", () => {
  const names = new Map([
    ["b", "Beta"],
    ["c", "Gamma"],
  ]);
  const standings = [1, 1, 2, 2, 3].map((tieGroup, i) => ({
    run: ["b", "a", "c", "d", "e"][i] ?? "",
    value: 1,
    interval: null,
    best: 0,
    tieGroup,
    rankInterval: [1, 1] as [number, number],
  }));
  const textsOf = (count: number) =>
    standings.map((_, place) =>
      tieText({ standings, units: { kind: "samples", count } }, place, names),
    );
  expect(textsOf(1)[1]).toBe("1, not tested against Beta");
  expect(textsOf(40)).toEqual([
    "1, the first",
    "1, not significantly different from Beta",
    "2, different from the first",
    "2, not significantly different from Gamma",
    "3, different from the first of each above",
  ]);
});

it("samplePairs() joins samples that both runs scored, with the mean of repeats", () => {
  const row = (id: string, score: number | null) => ({ id, score });
  const first = [row("a", 1), row("b", 0), row("b", 1), row("c", null), row("d", 1)];
  const second = [row("b", 1), row("a", 0.5), row("c", 1)];
  const pairs = samplePairs(first, second);
  expect(pairs).toEqual([
    { id: "a", x: 1, y: 0.5 },
    { id: "b", x: 0.5, y: 1 },
  ]);
  expect(samplePairs([], second)).toEqual([]);
  expect(furthestApart([...pairs, { id: "e", x: 0, y: 0 }, { id: "f", x: 0, y: 1 }], 2)).toEqual([
    { id: "f", x: 0, y: 1 },
    { id: "a", x: 1, y: 0.5 },
  ]);
});

it("compareReportHtml() says that nothing can be tested without a common sample", () => {
  const untested = aComparison({ metrics: [] });
  const shown = { view: viewNamed(untested, null), tested: null, against: null, margin: null };
  const html = compareReportHtml({ compared: untested, shown, jsonUrl: "https://api.example/" });
  expect(html).toContain("These runs have no sample in common");
  expect(html).not.toContain("Ranks and differences");
  expect(html).toContain("On every common sample all of these runs score the same.");
});

it("compareReportHtml() lists settings that differ", () => {
  const differingSettings = [{ setting: "reasoningEffort", values: ["high", "low", null] }];
  const of = aComparison({ differingSettings });
  const shown = { view: viewNamed(of, null), tested, against: null, margin: null };
  const jsonUrl = "https://api.example/";
  expect(compareReportHtml({ compared: of, shown, jsonUrl })).toContain(
    "Settings that differ: reasoningEffort high (Alpha), low (Beta), not stated (Gamma).",
  );
  expect(compareReportHtml({ compared, shown, jsonUrl })).not.toContain("Settings that differ");
});

it("compareReportHtml() warns of runs with too little coverage to be ranked", () => {
  const [first] = compared.comparison.runs;
  const covered = (coverage: number) => {
    const estimate = { value: 0.1, interval: null, n: 9, coverage };
    const figures = new Map([[first?.run ?? "", { [compared.suite.headline]: estimate }]]);
    const shown = { view: viewNamed(compared, null), tested, against: null, margin: null };
    const jsonUrl = "https://api.example/";
    return compareReportHtml({ compared: { ...compared, figures }, shown, jsonUrl });
  };
  expect(covered(0.949)).toContain(`${first?.model.name} (94.9%) of the samples were measured`);
  expect(covered(0.95)).not.toContain("enough to be ranked");
});

const htmlOf = (units: typeof tested.units) => {
  const metrics = [{ ...tested, units }];
  const shown = {
    view: viewNamed(compared, null),
    tested: metrics[0] ?? null,
    against: null,
    margin: null,
  };
  const of = aComparison({ metrics });
  return compareReportHtml({ compared: of, shown, jsonUrl: "https://api.example/" });
};

it("compareReportHtml() lists tests against a margin in the order of the standings", () => {
  const test = { aNoWorse: 0.9, bNoWorse: 0.02, same: 0.7, verdict: "b-no-worse" as const };
  const pairs = tested.pairs.map(({ a, b }) => ({ a, b, ...test }));
  const shown = {
    view: viewNamed(compared, null),
    tested,
    against: null,
    margin: { margin: 0.1, pairs },
  };
  const html = compareReportHtml({ compared, shown, jsonUrl: "https://api.example/" });
  const [, rows = ""] = html.split("<h3>Within 0.100</h3>");
  const [, first = ""] = rows.split("<tbody>");
  const cells = [...first.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)]
    .slice(0, 6)
    .map(([, text]) => text);
  // The API has a − b, but b ranks first.
  expect(cells).toEqual(["Beta − Alpha", "+0.100", "0.020", "0.900", "0.700", "Beta is no worse"]);
});

it("compareReportHtml() names disputed pairs in the table's order, and plans at most a hundred times the samples", () => {
  const html = htmlOf(tested.units);
  expect(html).toContain('<td class="num">over 1,000</td>');
  expect(html).toContain("disagree at 0.05: Beta − Alpha, ");
});

it("compareReportHtml() states the number of clusters, and warns of few", () => {
  expect(htmlOf({ kind: "samples", count: 10 })).not.toContain("Intervals are based on");
  const few = htmlOf({ kind: "clusters", count: 3 });
  expect(few).toContain("Intervals are based on 3 clusters of samples");
  expect(few).toContain("With fewer than 20 clusters");
  expect(htmlOf({ kind: "clusters", count: 20 })).not.toContain("With fewer than 20 clusters");
});

it("compareReportHtml() states the number of corrected tests next to every use of stars and groups", () => {
  const html = htmlOf({ kind: "samples", count: 10 });
  // In the overview, the standings and the win map.
  expect(html.split("corrected for 3 comparisons by Holm")).toHaveLength(4);
});
