import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { JSDOM } from "jsdom";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assay } from "../support/assay.ts";
import { good, poor, sampleOf, samples } from "../support/compared-rows.ts";
import { folderWith, jsonl } from "../support/folder-with.ts";

const folder = folderWith({
  "samples.jsonl": samples,
  "clustered.jsonl": samples.map(({ id }, i) => sampleOf(id, { cluster: `c${i % 2}` })),
  "good.jsonl": good,
  "poor.jsonl": poor,
});
const at = (...names: string[]) => join(folder.path, ...names);

/** Writes results of `assay score` to a folder of this name. */
async function scored(name: string, dataset = "samples.jsonl", answers = `${name}.jsonl`) {
  mkdirSync(at(name));
  const files = ["--dataset", dataset, "--answers", answers];
  const out = ["--samples", `${name}/samples.jsonl`, "--json"];
  const { stdout } = await assay(folder.path, ["score", "extraction", ...files, ...out]);
  writeFileSync(at(name, "summary.json"), stdout);
}

beforeAll(async () => {
  await scored("good");
  await scored("poor");
});
afterAll(folder.dispose);

const compared = (...args: string[]) => assay(folder.path, ["compare", ...args]);

/** Copies a result folder and changes one of its files. */
function changed(name: string, of: string, file: string, change: (text: string) => string) {
  cpSync(at(of), at(name), { recursive: true });
  writeFileSync(at(name, file), change(readFileSync(at(of, file), "utf8")));
  return at(name);
}

describe("assay compare FOLDER FOLDER", () => {
  it("gives the same results as a comparison of the answers, without dataset and answers", async () => {
    const { code, stdout, stderr } = await compared(at("good"), at("poor"), "--json");
    expect([code, stderr]).toEqual([0, "reading good, poor\n"]);
    const files = "--dataset samples.jsonl --answers good.jsonl --answers poor.jsonl".split(" ");
    const { stdout: ofFiles } = await compared("extraction", ...files, "--json");
    const figures = (text: string) => {
      const { metrics, differing, frontiers, bestBy, dataset: _ } = JSON.parse(text);
      return {
        metrics: metrics.map(({ metric, standings, pairs }: never) => ({
          metric,
          values: (standings as { value: number }[]).map(({ value }) => value),
          tests: (pairs as Record<string, number>[]).map(({ p, pHolm, dz, winRate }) => ({
            p,
            pHolm,
            dz,
            winRate,
          })),
        })),
        differing,
        latencies: frontiers.latency.length,
        best: bestBy.map(({ metric, value }: never) => [metric, value]),
      };
    };
    expect(figures(stdout)).toEqual(figures(ofFiles));
  });

  it("writes a page that compares the two best runs by sample and has no external links", async () => {
    const { code } = await compared(at("good"), at("poor"), "--output", at("page.html"));
    expect(code).toBe(0);
    const { document } = new JSDOM(readFileSync(at("page.html"), "utf8")).window;
    const text = document.body.textContent ?? "";
    expect(text).toContain("EQS by sample: poor (self-reported) against good (self-reported)");
    expect(text).toContain(
      "good (self-reported) is higher on 2, poor (self-reported) on 0, the same on 2",
    );
    const outward = [...document.querySelectorAll("a")].filter(({ hash }) => hash === "");
    expect(outward).toHaveLength(0);
  });

  it("only ranks more than 20 folders, and refuses margins for them", async () => {
    const many = Array.from({ length: 21 }, (_, i) =>
      changed(`many-${i}`, i < 3 ? "good" : "poor", "summary.json", (text) =>
        text.replace(/"seed": *"./, (seed) => `${seed}${i}`),
      ),
    );
    const { code, stdout } = await compared(...many, "--json");
    expect(code).toBe(0);
    const { metrics, runs } = JSON.parse(stdout);
    expect([runs.length, metrics.length, metrics[0].pairs]).toEqual([21, 1, []]);
    const first = metrics[0].standings.slice(0, 4);
    expect(first.map(({ rankInterval, tieGroup }: never) => [rankInterval, tieGroup])).toEqual([
      [[1, 21], 1],
      [[1, 21], 1],
      [[1, 21], 1],
      [[1, 21], 1],
    ]);
    expect((await compared(...many)).stdout).toContain("So many runs are only ranked");
    for (const more of [
      ["--margin", "eqs=0.1"],
      ["--non-inferior", "eqs=0.1"],
    ]) {
      expect((await compared(...many, ...more)).stderr).toContain(
        "more than 20 folders are only ranked: leave out --margin, --non-inferior and .html",
      );
    }
  });

  it("finds folders by the names in --runs", async () => {
    const { stdout, stderr } = await compared("--runs", `${at("good")},${at("poor")}`);
    expect(stderr).toBe("reading good, poor\n");
    expect(stdout).toMatch(/^good +0\.938 /m);
  });

  it("resamples clusters if samples share a source", async () => {
    await scored("clustered-good", "clustered.jsonl", "good.jsonl");
    await scored("clustered-poor", "clustered.jsonl", "poor.jsonl");
    const both = [at("clustered-good"), at("clustered-poor")];
    const { stdout } = await compared(...both, "--json");
    expect(JSON.parse(stdout).metrics[0].units).toMatchObject({ kind: "clusters", count: 2 });
    const old = changed("old", "clustered-good", "samples.jsonl", (text) =>
      text.replaceAll(/"cluster":"c\d",/g, ""),
    );
    expect((await compared(old, at("clustered-poor"))).stderr).toContain(
      "old: its samples share sources that an older version did not write",
    );
  });

  it.each<[string, () => string[], RegExp]>([
    ["one folder", () => [at("good")], /^give 2 to 100 result folders, not 1\n$/],
    ["the same run twice", () => [at("good"), at("good")], /good and good have the same run\n$/],
    [
      "folders mixed with files",
      () => [at("good"), at("poor"), "--dataset", "samples.jsonl"],
      /^--dataset and runs or result folders exclude each other\n$/,
    ],
    ["a missing folder", () => [at("good"), at("nobody")], /^there is no result folder nobody\n$/],
    [
      "another version of the suite",
      () => [
        at("good"),
        changed("other", "poor", "summary.json", (text) =>
          text.replace(/"suiteVersion": "[^"]+"/, '"suiteVersion": "0"'),
        ),
      ],
      /the runs differ in scoring version: /,
    ],
    [
      "a truncated file",
      () => [
        at("good"),
        changed("cut", "poor", "samples.jsonl", (text) =>
          jsonl(
            text
              .split("\n")
              .slice(0, 2)
              .map((line) => JSON.parse(line)),
          ),
        ),
      ],
      /cut: it has samples of 2 answers of 4: write it again\n$/,
    ],
    [
      "samples without counts",
      () => [
        at("good"),
        changed("bare", "poor", "samples.jsonl", (text) => text.replaceAll(/"eqs":[^,}]+,?/g, "")),
      ],
      /bare: the sample "s1" has no counts of suite extraction/,
    ],
  ])("refuses %s", async (_, args, message) => {
    const { code, stderr } = await compared(...args());
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
