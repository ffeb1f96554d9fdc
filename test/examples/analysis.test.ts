import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { JSDOM } from "jsdom";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../cli/local/root.ts";
import type { Interval } from "../../shared/stats/bootstrap/bootstrap.ts";
import { spearman } from "../../shared/stats/correlation/spearman.ts";
import { extraction } from "../../shared/suites/extraction/suite.ts";
import { assay } from "../cli/support/assay.ts";
import { folderWith, jsonl } from "../cli/support/folder-with.ts";
import { submitted } from "../demo-snapshot/simulated-answers.ts";
import { aBench, askAll } from "../simulator/support/evaluate.ts";

const folder = folderWith({});
afterAll(folder.dispose);
const analysis = join(root, "examples/analysis");
const stock = join(root, "shared/suites/extraction/stock.jsonl");
const runs = { small: "sim-small", large: "sim-large" };
const sources = ["a", "b", "c"];

// biome-ignore lint/suspicious/noExplicitAny: the command's own JSON.
const summaries: Record<string, any> = {};
// biome-ignore lint/suspicious/noExplicitAny: the command's own JSON.
const comparisons: Record<string, any> = {};

beforeAll(async () => {
  const bench = aBench(extraction);
  const rows = readFileSync(stock, "utf8").trim().split("\n");
  const clustered = rows.map((row, i) => {
    const sample = JSON.parse(row);
    return { ...sample, tags: { ...sample.tags, cluster: sources[i % 7] ?? `${i}` } };
  });
  writeFileSync(join(folder.path, "stock.jsonl"), rows.join("\n"));
  writeFileSync(join(folder.path, "clustered.jsonl"), jsonl(clustered));
  for (const [name, model] of Object.entries(runs)) {
    const answers = askAll(bench, bench.simulation(42), model);
    const given = answers.map((answer, i) => submitted(bench.samples[i].id, answer));
    if (name === "small") given[5] = { id: given[5]?.id ?? "", error: "timeout" };
    writeFileSync(join(folder.path, `${name}-answers.jsonl`), jsonl(given));
    const files = ["--dataset", "stock.jsonl", "--answers", `${name}-answers.jsonl`];
    const written = ["--samples", `${name}.jsonl`, "--fields", "--json"];
    const { stdout } = await assay(folder.path, ["score", "extraction", ...files, ...written]);
    summaries[name] = JSON.parse(stdout);
  }
  const answers = ["small", "large"].flatMap((name) => ["--answers", `${name}-answers.jsonl`]);
  for (const dataset of ["stock", "clustered"]) {
    const args = ["compare", "--dataset", `${dataset}.jsonl`, ...answers, "--json"];
    comparisons[dataset] = JSON.parse((await assay(folder.path, args)).stdout);
  }
}, 60_000);

/** Compares the intervals of two bootstraps of the same data, which differ only in their draws. */
function expectInterval(found: Interval, known: Interval): void {
  const most = 0.08 * (known[1] - known[0]);
  expect(Math.abs(found[0] - known[0])).toBeLessThan(most);
  expect(Math.abs(found[1] - known[1])).toBeLessThan(most);
}

describe.for<[program: string, file: string]>([
  ["python3", "analyse.py"],
  [process.execPath, "analyse.mjs"],
])("examples/analysis with %s", ([program, file]) => {
  const isThere = spawnSync(program, ["--version"]).error === undefined;
  if (!isThere) console.warn(`there is no ${program} here: ${file} was not run`);
  const ran = (...args: string[]) =>
    execFileSync(program, [join(analysis, file), ...args], { cwd: folder.path, encoding: "utf8" });

  // biome-ignore lint/suspicious/noExplicitAny: the program's own JSON.
  const figures: Record<string, any> = {};
  beforeAll(() => {
    if (!isThere) return;
    for (const dataset of ["stock", "clustered"]) {
      const files = [`${dataset}.jsonl`, "small.jsonl", "large.jsonl"];
      figures[dataset] = JSON.parse(ran(...files, "--json"));
    }
  }, 60_000);

  it.skipIf(!isThere)("reproduces the scores and groups of the run", () => {
    const found = figures["stock"];
    const { metrics, breakdown } = summaries["small"];
    expect(found.score).toBeCloseTo(metrics.eqs.value, 12);
    expectInterval(found.interval, metrics.eqs.interval);
    expect(found).toMatchObject({ samples: metrics.eqs.n, notCovered: 1 });
    const groups = new Map<string, { n: number; eqs: { value: number; interval: Interval } }>();
    for (const { key, name, n, figures } of breakdown.tags.groups) {
      groups.set(`${key} ${name}`, { n, eqs: figures.eqs });
    }
    for (const { name, n, figures } of breakdown.complexity.bins) {
      groups.set(`schema ${name}`, { n, eqs: figures.eqs });
    }
    let held = 0;
    for (const { tag, name, n, value, interval } of found.tags) {
      const known = groups.get(`${tag} ${name}`);
      if (known === undefined) continue;
      expect([tag, name, n]).toEqual([tag, name, known.n]);
      expect(value).toBeCloseTo(known.eqs.value, 12);
      // The analysis gives no interval for fewer than twenty samples.
      expect(interval === null).toBe(n < 20);
      if (interval !== null) expectInterval(interval, known.eqs.interval);
      held++;
    }
    expect(held).toBe(9);
    const lost = (tag: string) =>
      found.tags
        .filter((row: { tag: string }) => row.tag === tag)
        .reduce((sum: number, row: { lost: number }) => sum + row.lost, 0);
    expect(["domain", "language", "schema"].map(lost)).toEqual(
      [1, 1, 1].map((all) => expect.closeTo(all, 12)),
    );
  });

  it.skipIf(!isThere)("reproduces the field counts of the run", () => {
    const { fields, fieldsLeftOut } = figures["stock"];
    expect(fieldsLeftOut).toBe(0);
    const known = summaries["small"].breakdown.fields.byPath;
    expect(known.length).toBeGreaterThan(0);
    for (const { name, expected, missed, incorrect, invalidOutput, failedRequest } of known) {
      const unusable = invalidOutput + failedRequest;
      expect(fields).toContainEqual({
        path: name,
        expected,
        missed: missed - unusable,
        incorrect,
        unusable,
      });
    }
    const { categories } = summaries["small"].breakdown;
    const sum = (...kinds: string[]) =>
      fields.reduce(
        (total: number, row: Record<string, number>) =>
          total + kinds.reduce((all, kind) => all + (row[kind] ?? 0), 0),
        0,
      );
    expect(sum("missed", "unusable")).toBe(categories.missed);
    expect(sum("incorrect")).toBe(categories.incorrect);
  });

  it.skipIf(!isThere)("gives the same rank correlation of latency and score as spearman()", () => {
    const { latency } = figures["stock"];
    const points: [number, number][] = latency.points;
    const { r, p, n } = spearman(
      points.map(([x]) => x),
      points.map(([, y]) => y),
    );
    expect(latency.n).toBe(n);
    expect(latency.r).toBeCloseTo(r ?? Number.NaN, 12);
    expect(Math.abs(latency.p - (p ?? 1))).toBeLessThan(0.02);
  });

  it.skipIf(!isThere)(
    "compares two runs like assay compare, with samples of a source resampled together",
    () => {
      for (const dataset of ["stock", "clustered"]) {
        const found = figures[dataset];
        const compared = comparisons[dataset];
        const [pair] = compared.metrics[0].pairs;
        const sign = pair.a.startsWith("small") ? 1 : -1;
        const ends = pair.difference.interval.map((end: number) => sign * end);
        expect(found.paired.value).toBeCloseTo(sign * pair.difference.value, 12);
        expectInterval(
          found.paired.interval,
          ends.toSorted((x: number, y: number) => x - y),
        );
        const winRate = sign === 1 ? pair.winRate : 1 - pair.winRate;
        expect(found.paired).toMatchObject({ n: 72, winRate: expect.closeTo(winRate, 12) });
        const standing = compared.metrics[0].standings.find((one: { run: string }) =>
          one.run.startsWith("small"),
        );
        expect(found.score).toBeCloseTo(standing.value, 12);
        expectInterval(found.interval, standing.interval);
      }
    },
  );

  it.skipIf(!isThere)("prints tables and writes labelled charts", () => {
    const printed = ran("stock.jsonl", "small.jsonl", "large.jsonl", "--out", "charts");
    if (file === "analyse.py") {
      const readme = readFileSync(join(analysis, "README.md"), "utf8");
      expect(readme).toContain([" --out charts", printed.trimEnd(), "```", ""].join("\n"));
    }
    const { value } = summaries["small"].metrics.eqs;
    expect(printed).toMatch(`Score ${value.toFixed(3)}, 95% interval 0.`);
    for (const heading of ["By domain", "latency related", "missed most", "better than the other"])
      expect(printed).toContain(heading);
    for (const [name, marks] of Object.entries({ tags: 5, latency: 71, fields: 0, paired: 0 })) {
      const text = readFileSync(join(folder.path, "charts", `${name}.svg`), "utf8");
      const { document } = new JSDOM(text, { contentType: "image/svg+xml" }).window;
      expect(document.documentElement.getAttribute("aria-label")).toMatch(/^\w+ /);
      expect(document.querySelectorAll("circle").length).toBe(marks);
      if (marks === 0) expect(document.querySelectorAll("rect").length).toBeGreaterThan(2);
    }
  });

  it.skipIf(!isThere)("reports input without scores and runs without common samples", () => {
    writeFileSync(join(folder.path, "empty.jsonl"), "");
    const failed = (...args: string[]) =>
      spawnSync(program, [join(analysis, file), ...args], { cwd: folder.path, encoding: "utf8" });
    const empty = failed("stock.jsonl", "empty.jsonl");
    expect([empty.stderr, empty.status]).not.toContain(0);
    expect(empty.stderr.trim()).toBe("empty.jsonl: nothing in it was scored");
    const apart = failed("stock.jsonl", "small.jsonl", "empty.jsonl");
    expect(apart.stderr).toContain("have no scored sample in common: give two runs on one dataset");
  });
});
