import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { BenchResult, MissingRow } from "../../shared/contracts/operator/bench-record.ts";
import type { Bench, BenchRow, Measured, Settings } from "./bench.ts";
import { isMoved, movedRatios, movedTable } from "./beside-load.ts";
import { main } from "./main.ts";
import { resultTable } from "./result-table.ts";
import { benches } from "./rows/all.ts";
import { runBench } from "./run-bench.ts";
import { cpuPair } from "./support/cpu-pair.ts";
import { plainResamples } from "./support/plain-work.ts";

const settings: Settings = { minMs: 1, repeats: 3, warmUps: 2, scale: 1, dataset: "", rows: 1 };
const row = { name: "group/row", what: "a thing", unit: "ms" };

/** Runs the command in this process and returns its exit code and output. */
async function ran(...args: string[]) {
  const [out, err] = (["log", "error"] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(() => {}),
  );
  const before = process.exitCode;
  process.exitCode = undefined;
  try {
    await main(args);
    const [stdout, stderr] = [out, err].map((spy) => spy!.mock.calls.flat().join("\n"));
    return { status: process.exitCode, stdout, stderr };
  } finally {
    process.exitCode = before;
    for (const spy of [out, err]) spy!.mockRestore();
  }
}

/** A bench of one row that returns these measurements in sequence. */
function measuring(changes: Partial<BenchRow>, ...measured: Measured[]): Bench {
  let at = 0;
  return { rows: [{ ...row, ...changes }], prepare: () => () => [measured[at++]!] };
}

const pair = (measured: number, yardstick: number) => ({ measured, yardstick });

describe("runBench()", () => {
  test.each([
    ["at most, held", { atMost: 20 }, true, "≤ 20 ms"],
    ["at most, missed", { atMost: 19 }, false, "≤ 19 ms"],
    ["at least", { atLeast: 20 }, true, "≥ 20 ms"],
    ["none", undefined, null, null],
  ])("returns median and range of values, target %s", async (_, target, isMet, words) => {
    // The first two numbers belong to the warm-up.
    const bench = measuring(target === undefined ? {} : { target }, 1, 99, 20, 10, 40);
    const [result] = await runBench(bench, settings);
    expect(result).toEqual({
      ...row,
      value: 20,
      yardstick: null,
      ratio: null,
      low: 10,
      high: 40,
      repeats: 3,
      target: words,
      isMet,
    });
  });

  test.each([
    ["≤ 2 ×", { atMost: 2 }, 2, [1, 4]],
    ["≥ 0.5 ×", { atLeast: 0.5 }, 0.5, [0.25, 1]],
  ])("tests the median ratio of pairs against %s", async (words, target, ratio, range) => {
    const pairs = [pair(1, 1), pair(1, 1), pair(10, 5), pair(90, 90), pair(40, 10)];
    const yardstick = "other work";
    const [result] = await runBench(measuring({ yardstick, target }, ...pairs), settings);
    expect(result).toMatchObject({ value: 40, yardstick: { what: yardstick, value: 10 }, ratio });
    expect([result?.low, result?.high]).toEqual(range);
    expect([result?.target, result?.isMet]).toEqual([words, true]);
  });

  test("ignores targets unless the sizes are the full ones", async () => {
    const bench = measuring({ target: { atMost: 1 } }, 1, 1, 2, 2, 2);
    const [result] = await runBench(bench, { ...settings, scale: 0.5 });
    expect(result).toMatchObject({ value: 2, target: null, isMet: null });
  });
});

describe("movedRatios()", () => {
  test("a busy machine moves the ratio of CPU times by less than the limit", async () => {
    const values = Float64Array.from({ length: 1_000 }, (_, i) => i);
    const work = (resamples: number) => () => plainResamples(values, resamples);
    const bench: Bench = {
      rows: [{ ...row, yardstick: "half of it" }],
      prepare: () => () => [cpuPair(40, work(400), work(200))],
    };
    const [moved] = await movedRatios(bench, { ...settings, warmUps: 1, repeats: 5 });
    expect(moved?.alone).toBeGreaterThan(1.5);
    expect(isMoved(moved!)).toBe(false);
  }, 60_000);

  test.each([
    [1, 1.2, false],
    [1, 1.3, true],
    [1, 0.79, false],
    [1, 0.7, true],
  ])("from %s to %s is too far: %s", (alone, besideLoad, isTooFar) => {
    const moved = { name: "group/row", alone, besideLoad };
    expect(isMoved(moved)).toBe(isTooFar);
    expect(movedTable([moved]).includes("TOO FAR")).toBe(isTooFar);
  });
});

test.each([
  [["bootstraps"], /no row starts with bootstraps[\s\S]*scoring\/bootstrap\n/],
  [["gold", "--dataset", "/none.jsonl"], /--dataset takes a file of samples.*"\/none.jsonl"/],
  [["offline", "--rows", "1.5"], /--rows takes a whole number of at least 1, not "1.5"/],
  [["gold", "--ms", "Infinity"], /--ms takes a number above 0, not "Infinity"/],
  [["gold", "--record", "--ms", "1"], /--record needs all rows with defaults: omit --ms, gold/],
])("npm run bench refuses %j", async (args, reason) => {
  await expect(main(args)).rejects.toThrow(reason);
});

test("npm run bench -- --beside-load measures the other rows if one can't be measured", async () => {
  vi.stubEnv("PATH", "");
  try {
    const quick = ["--beside-load", "--repeats", "1", "--warm-ups", "1", "--ms", "1"];
    const { stdout, stderr } = await ran("offline", "gold", ...quick);
    expect(stderr).toContain("offline/script could not be measured:");
    expect(stdout).toMatch(/^scoring\/gold +\d/m);
    expect(stdout).not.toContain("offline/");
    // Missing software on the machine is no failure.
    expect((await ran("offline", ...quick)).status).toBeUndefined();
  } finally {
    vi.unstubAllEnvs();
  }
}, 60_000);

test("npm run bench exits with 1 and prints only the reason when it refuses", () => {
  const args = [join(import.meta.dirname, "main.ts"), "gold", "--ms", "0"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect([status, stderr]).toEqual([1, '--ms takes a number above 0, not "0"\n']);
});

test("resultTable() aligns its columns and marks missed targets", () => {
  const ratio = { ratio: 2.5, low: 2, high: 3, target: "≤ 2 ×", isMet: false };
  const result = { ...row, value: 1234.5, yardstick: { what: "less", value: 500 }, repeats: 3 };
  const [head = "", line = ""] = resultTable([{ ...result, ...ratio }]).split("\n");
  expect(line).toBe(
    "group/row  1,235 ms        500  2.5 ×             2 – 3  3  ≤ 2 × MISSED  a thing, vs. less",
  );
  expect(head.indexOf("target")).toBe(line.indexOf("≤ 2"));
});

test("npm run bench --strict fails when a target is missed", async () => {
  const sizes = ["--ms", "1", "--repeats", "1", "--warm-ups", "0"];
  const slow = join(tmpdir(), `assay-bench-${process.pid}.jsonl`);
  // This sample is quick to parse but takes long to score: an array with many wrong fields.
  const schema = { type: "object", properties: { list: { type: "array" } } };
  const expected = { list: Array.from({ length: 300 }, (_, i) => ({ a: i })) };
  writeFileSync(slow, JSON.stringify({ id: "a", text: "", schema, expected_output: expected }));
  try {
    const args = ["scoring/perturbed", "--strict", "--dataset", slow, ...sizes];
    const { status, stderr } = await ran(...args);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/target missed: scoring\/perturbed$/),
    ]);
  } finally {
    rmSync(slow);
  }
}, 60_000);

test("npm run bench measures every requested row, here at a tiny size", async () => {
  // The other rows start whole services and builds, which other tests do, or aggregate other suites in the same way.
  const asked = benches
    .flatMap(({ rows }) => rows.map(({ name }) => name))
    .filter((name) => /^(scoring|offline)\//.test(name))
    .filter((name) => !/(?<!slots)-(finish|pieces)/.test(name));
  const sizes = ["--ms", "1", "--repeats", "1", "--scale", "0.002", "--rows", "500"];
  const { status, stdout, stderr } = await ran("--json", ...sizes, "--warm-ups", "0", ...asked);
  expect(status ?? 0, stderr).toBe(0);
  const { results, missing } = JSON.parse(stdout!) as {
    results: BenchResult[];
    missing: MissingRow[];
  };
  const measured = [...results, ...missing].map(({ name }) => name);
  expect(measured.toSorted()).toEqual(asked.toSorted());
  for (const { name, what, unit, value, ratio, target } of results) {
    expect([name, what, unit].every((part) => part !== "")).toBe(true);
    expect(Number.isFinite(value) && Number.isFinite(ratio ?? 0), name).toBe(true);
    expect(target).toBe(null);
  }
}, 240_000);
