import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { comparisonSchema } from "../../../shared/contracts/boards/comparison.ts";
import { rowText, textHash } from "../../../shared/contracts/content-hash.ts";
import { scoringVersionOf } from "../../../shared/contracts/judging/scoring-version.ts";
import { inMaze, maze } from "../../../shared/measures/json-schema/__fixtures__/maze.ts";
import { extraction } from "../../../shared/suites/extraction/suite.ts";
import { assay } from "../support/assay.ts";
import { good, ids, none, poor, sampleOf, samples } from "../support/compared-rows.ts";
import { folderWith, jsonl } from "../support/folder-with.ts";

const folder = folderWith({
  "samples.jsonl": samples,
  "good.jsonl": good,
  "poor.jsonl": poor,
  "good-backwards.jsonl": good.toReversed(),
  "without-s2.jsonl": poor.filter(({ id }) => id !== "s2"),
  "failed-s2.jsonl": poor.map((row) => (row.id === "s2" ? { id: "s2", error: "timeout" } : row)),
  "only-s1.jsonl": good.slice(0, 1),
});
afterAll(folder.dispose);

const write = (name: string, rows: readonly unknown[]) =>
  writeFileSync(join(folder.path, name), jsonl(rows));
const run = (args: string[], input?: string) =>
  assay(folder.path, ["compare", "--dataset", "samples.jsonl", ...args], input);
const files = (...names: string[]) => names.flatMap((name) => ["--answers", `${name}.jsonl`]);
async function json(...args: string[]) {
  const { code, stdout, stderr } = await run([...args, "--json"]);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}
/** The cells of the printed lines that start with this text. */
const cells = (text: string, start: string) =>
  text
    .split("\n")
    .filter((line) => line.startsWith(start))
    .map((line) => line.split(/ {2,}/));

describe("assay compare", () => {
  test("matches figures that were computed by hand", async () => {
    const { metrics, ...compared } = await json(...files("good", "poor"));
    expect(metrics[0]).toMatchObject({
      metric: "eqs",
      better: "higher",
      samples: 4,
      units: { kind: "samples", count: 4 },
      standings: [
        { run: "good", value: 0.9375, tieGroup: 1 },
        { run: "poor", value: 0.625, tieGroup: 1 },
      ],
    });
    const [pair] = metrics[0].pairs;
    expect(pair).toMatchObject({ a: "good", b: "poor", difference: { value: 0.3125 } });
    // The mean of 0, 0.25, 1, 0 over its standard deviation √(0.671875 / 3) = 0.473242.
    const sd = Math.sqrt(0.671875 / 3);
    expect(pair.dz).toBeCloseTo(0.3125 / sd, 12);
    expect(pair.t).toBeCloseTo((0.3125 / sd) * 2, 12);
    // Student's t with 3 degrees of freedom: 1 − (2/π)(θ + sin θ cos θ), tan θ = t/√3.
    const angle = Math.atan(pair.t / Math.sqrt(3));
    const p = 1 - (2 / Math.PI) * (angle + Math.sin(angle) * Math.cos(angle));
    expect(pair.p).toBeCloseTo(p, 10);
    expect(pair.pHolm).toBe(pair.p);
    // Over the root of the mean of both variances, 0.046875 / 4 and 0.5625 / 4.
    expect(pair.cohensD).toBeCloseTo(0.3125 / Math.sqrt((0.046875 + 0.5625) / 8), 12);
    expect(pair).toMatchObject({ winRate: 0.75, significantAt: null, samplesToSeparate: 19 });
    expect(pair.detectableDifference).toBeCloseTo((2.801585 * sd) / 2, 6);
    expect(compared.differing).toEqual([
      { id: "s3", scores: [1, 0] },
      { id: "s2", scores: [1, expect.closeTo(0.75, 12)] },
    ]);
    expect(compared.frontiers).toEqual({ latency: ["good", "poor"], cost: null });
  });

  test("prints with --json the API's format, whose fields the help lists", async () => {
    const compared = await json(...files("good", "without-s2"));
    const parsed = comparisonSchema.parse(compared);
    expect(parsed).toMatchObject({
      suite: "extraction",
      dataset: {
        name: "samples",
        version: textHash(samples.map((row) => rowText(row)).join("\n")),
      },
      scoringVersion: scoringVersionOf(extraction, extraction.optionsSchema.parse({})),
      runs: [
        { run: "good", samples: 4, leftOut: 1, headline: { value: 0.9375 } },
        { run: "without-s2", samples: 3, leftOut: 0, headline: { value: 1.75 / 4 } },
      ],
    });
    expect(parsed.runs[0]).toMatchObject({
      model: { name: "good", url: null },
      provenance: { kind: "self-reported", endpointHost: null },
    });
    const { stdout: help } = await assay(folder.path, ["help", "compare"]);
    const keys = [compared, compared.dataset, compared.runs[0], compared.metrics[0]];
    for (const key of keys.flatMap(Object.keys)) expect(help).toMatch(new RegExp(`\\b${key}\\b`));
    expect(compared).toMatchObject({ dataset: { samples: 4, malformedCount: 0 } });
    expect(compared.runs[1]).toMatchObject({ missing: 1, unscored: 0, prices: null });
  });

  test("scores each file as assay score does", async () => {
    const compared = await json(...files("good", "poor"));
    for (const { run: name, headline } of compared.runs) {
      const args = ["score", "extraction", "--dataset", "samples.jsonl", ...files(name), "--json"];
      const { stdout } = await assay(folder.path, args);
      expect(headline).toEqual(JSON.parse(stdout).metrics.eqs);
    }
  });

  test("prints tables that are aligned and no wider than a terminal", async () => {
    const { code, stdout, stderr } = await run(files("good", "poor", "without-s2"));
    expect([code, stderr]).toEqual([0, ""]);
    const [title, left] = stdout.split("\n");
    expect(title).toMatch(
      /^Structured extraction \(extraction .+\), dataset samples: 4 samples, 3 compared in 3 runs$/,
    );
    expect(left).toBe("left out: 1 without a row in without-s2");
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(110);
    const titles = [
      "EQS on the compared samples",
      "EQS: differences",
      "EQS: effect sizes and power",
    ];
    const others = [
      "Other metrics on the compared samples",
      "Best by metric, and Pareto frontiers",
    ];
    for (const one of [...titles, ...others, "Samples that differ most in EQS"]) {
      expect(stdout).toContain(`\n\n${one}\n`);
    }
    expect(cells(stdout, "good ")[0]).toMatchObject(
      ["good", "0.917", /–/, /^1 – [23]$/, /%$/, "1: first"].map(matching),
    );
    expect(cells(stdout, "good − poor")[0]?.slice(0, 2)).toEqual(["good − poor", "+0.333"]);
    expect(stdout).toContain("\nEQS against p95 latency: good, poor\n");
    expect(stdout).toContain("\nEQS against cost: not known without prices and tokens\n");
    expect(stdout).toMatch(/^sample +good +poor +without-s2\ns3 +1\.000 +0\.000 +0\.000$/m);
  });

  test("leaves out samples without a row, and scores failed requests 0", async () => {
    const lacking = await json(...files("good", "without-s2"));
    expect(lacking.metrics[0]).toMatchObject({ samples: 3 });
    expect(lacking.metrics[0].standings[1].value).toBeCloseTo(1.75 / 3, 12);
    const failed = await json(...files("good", "failed-s2"));
    expect(failed.metrics[0]).toMatchObject({ samples: 4 });
    expect(failed.metrics[0].standings[1].value).toBeCloseTo(1.75 / 4, 12);
    expect(failed.runs[1]).toMatchObject({ missing: 0, leftOut: 0 });
  });

  test("leaves out samples that could not be scored, and names the file", async () => {
    const dataset = [...samples, { id: "maze", text: "", schema: maze, expected_output: {} }];
    write("maze.jsonl", dataset);
    write("lost.jsonl", [...good, { id: "maze", output: JSON.stringify(inMaze(5_000)) }]);
    write("found.jsonl", [...poor, { id: "maze", output: "{}" }]);
    const args = ["--dataset", "maze.jsonl", ...files("lost", "found")];
    const { code, stdout } = await assay(folder.path, ["compare", ...args]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /: 5 samples, 4 compared in 2 runs\nleft out: 1 that can't be scored in lost\n/,
    );
  });

  test("prints the same bytes for any order, line ends and source (file or stdin) of the answers", async () => {
    writeFileSync(
      join(folder.path, "windows.jsonl"),
      `\uFEFF${jsonl(poor).replaceAll("\n", "\r\n\r\n")}`,
    );
    const all = await Promise.all([
      run([...files("good", "poor"), "--json"]),
      run([...files("good", "poor"), "--json"]),
      run([...files("good-backwards", "poor"), "--json"]),
      run([...files("good", "windows"), "--json"]),
      run(["--answers", "-", ...files("poor"), "--json"], jsonl(good.toReversed())),
    ]);
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    const renamed = all.map(({ stdout }) =>
      stdout.replace(/good-backwards|stdin/g, "good").replaceAll("windows", "poor"),
    );
    expect(new Set(renamed).size).toBe(1);
  });

  test("gives the same results for any order of the files", async () => {
    const [one, other] = [
      await json(...files("good", "poor")),
      await json(...files("poor", "good")),
    ];
    expect(other.metrics.map(({ standings }: never) => standings)).toEqual(
      one.metrics.map(({ standings }: never) => standings),
    );
    const [pair, turned] = [one.metrics[0].pairs[0], other.metrics[0].pairs[0]];
    const [low, high] = pair.difference.interval;
    expect(turned.difference).toEqual({ value: -0.3125, interval: [0 - high, 0 - low] });
    expect(turned).toMatchObject({ a: "poor", b: "good", p: pair.p, winRate: 0.25 });
  });

  test("says that equal runs are not significantly different", async () => {
    const { stdout } = await run(files("good", "good-backwards"));
    expect(cells(stdout, "good ")[0]).toEqual([
      "good",
      "0.938",
      "0.750 – 1.000",
      "1 – 2",
      "50.0%",
      "1: first",
    ]);
    expect(cells(stdout, "good-backwards ")[0]?.at(-1)).toBe(
      "1: not significantly different from first",
    );
    const pair = cells(stdout, "good − good-backwards");
    expect(pair[0]?.slice(1)).toEqual([
      "0.000",
      "-0.490 to +0.490",
      "1.000",
      "1.000",
      "50.0%",
      "no",
    ]);
    expect(pair[1]?.slice(1)).toEqual(["0.00", "negligible", "–", "–", "–"]);
    expect(stdout).not.toContain("Samples that differ most");
  });

  test("prints no interval and no test for one common sample", async () => {
    const { code, stdout } = await run(files("good", "only-s1"));
    expect(code).toBe(0);
    expect(stdout).toContain("\nNo intervals and no tests below two samples.\n");
    expect(cells(stdout, "good − only-s1")[0]?.slice(1)).toEqual([
      "0.000",
      "–",
      "–",
      "50.0%",
      "not tested",
    ]);
    expect(stdout).toContain("left out: 3 without a row in only-s1\n");
  });

  test("tests clusters if samples share a source", async () => {
    const tags = [{ cluster: "x" }, { cluster: "x" }, { cluster: "y" }, { cluster: "z" }];
    write(
      "sources.jsonl",
      ids.map((id, i) => sampleOf(id, tags[i])),
    );
    const args = ["compare", "--dataset", "sources.jsonl", ...files("good", "poor")];
    const { stdout } = await assay(folder.path, args);
    expect(stdout.replace(/\s+/g, " ")).toContain(
      "Intervals are based on 3 clusters of samples that share a source; each is drawn as a whole. With fewer than 20 clusters",
    );
  });

  test("prints no interval and no test if all samples share one source", async () => {
    write(
      "one-source.jsonl",
      ids.map((id) => sampleOf(id, { cluster: "x" })),
    );
    const args = ["compare", "--dataset", "one-source.jsonl", ...files("good", "poor")];
    const { stdout } = await assay(folder.path, args);
    expect(stdout).toContain("\nIntervals are based on 1 cluster of samples that share a source");
    expect(stdout).toContain("\nNo intervals and no tests below two sources.\n");
  });

  test("averages the repeats of a sample over the existing rows", async () => {
    writeFileSync(join(folder.path, "repeats.json"), '{"repeats": 2}');
    write("repeated.jsonl", [...good, { id: "s1", output: none }]);
    const args = [...files("repeated", "poor"), "--options", "repeats.json"];
    const { metrics } = await json(...args);
    expect(metrics[0].standings[0]).toMatchObject({
      run: "repeated",
      value: (0.5 + 1 + 1 + 0.75) / 4,
    });
    const { stdout } = await run(args);
    expect(stdout).toContain(
      "left out: 3 missing repeats in repeated, 4 missing repeats in poor\n",
    );
  });

  test("accepts prices once for all files or once per file", async () => {
    write(
      "priced-a.jsonl",
      good.map((row) => ({ ...row, inputTokens: 100 })),
    );
    write(
      "priced-b.jsonl",
      poor.map((row) => ({ ...row, inputTokens: 100 })),
    );
    const args = files("priced-a", "priced-b");
    const one = await json(...args, "--price-in", "1", "--price-out", "2");
    expect(one.frontiers.cost).toEqual(["priced-a", "priced-b"]);
    const dearer = ["--price-in", "1", "--price-in", "5", "--price-out", "2", "--price-out", "9"];
    const each = await json(...args, ...dearer);
    expect(each.frontiers.cost).toEqual(["priced-a"]);
    expect(each.runs.map(({ prices }: { prices: unknown }) => prices)).toEqual([
      { inputPerMillion: 1, outputPerMillion: 2 },
      { inputPerMillion: 5, outputPerMillion: 9 },
    ]);
    const { stdout } = await run([...args, ...dearer]);
    expect(stdout).toMatch(/^EQS per USD of 1,000 answers +\d/m);
  });

  test("adds the folder to the run name if files have the same name", async () => {
    for (const [name, rows] of [
      ["a", good],
      ["b", poor],
    ] as const) {
      mkdirSync(join(folder.path, name));
      write(`${name}/answers.jsonl`, rows);
    }
    const { runs } = await json(...files("a/answers", "b/answers"));
    expect(runs.map(({ run: name }: { run: string }) => name)).toEqual(["a/answers", "b/answers"]);
  });

  test("accepts the suite by name, and lists malformed samples once", async () => {
    write("bad.jsonl", [...samples, { id: "s5" }]);
    const args = ["compare", "extraction", "--dataset", "bad.jsonl", ...files("good", "poor")];
    const { code, stdout, stderr } = await assay(folder.path, args);
    expect(code).toBe(0);
    expect(stdout).toContain(": 4 samples, 1 malformed, left out, 4 compared in 2 runs\n");
    expect(stderr).toBe('bad.jsonl:5: sample "s5": text must be a string; left out\n');
  });

  test("compares twenty files in tables of limited width", async () => {
    const names = Array.from({ length: 20 }, (_, i) => `model-${i}`);
    names.forEach((name, i) => {
      write(`${name}.jsonl`, i % 2 === 0 ? good : poor);
    });
    const { code, stdout } = await run(files(...names));
    expect(code).toBe(0);
    expect(cells(stdout, "model-0 − ")).toHaveLength(2 * 19);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(110);
  });
});

test.each([
  [
    ["compare", "--help"],
    /^assay compare FOLDER FOLDER … \[options\]\nassay compare \[suite\] --dataset/,
  ],
  [["help", "compare"], /A sample without a row is left out and counted/],
  [
    ["--help"],
    /^ {2}compare +compare result folders or files of answers, offline, or runs of a service$/m,
  ],
])("assay %j prints help", async (args, text) => {
  const { code, stdout } = await assay(folder.path, args);
  expect(code).toBe(0);
  expect(stdout).toMatch(text);
  for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(110);
});

test("docs/command-line.md shows the real beginning of the output", async () => {
  const guide = readFileSync(new URL("../../../docs/command-line.md", import.meta.url), "utf8");
  const [, args = "", shown] =
    /```\n\$ npx assay (compare .+?[^\\])\n(.+?)\n…\n```/s.exec(guide) ?? [];
  const root = join(import.meta.dirname, "../../..");
  const { stdout } = await assay(root, args.split(/[\s\\]+/));
  expect(shown).toContain("p (Wilcoxon)");
  expect(stdout.startsWith(`${shown}\n\n`)).toBe(true);
});

/** Matches the text, or a string by the regular expression. */
const matching = (wanted: string | RegExp) =>
  typeof wanted === "string" ? wanted : expect.stringMatching(wanted);
