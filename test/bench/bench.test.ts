import { spawn, spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import type { Bench, BenchResult, Settings } from "./bench.ts";
import { resultTable } from "./result-table.ts";
import { benches } from "./rows/all.ts";
import { runBench } from "./run-bench.ts";

const settings: Settings = { minMs: 1, repeats: 3, warmUps: 2, scale: 1, dataset: "", rows: 1 };
const row = { name: "group/row", what: "a thing", unit: "ms" };

/** A bench of one row that measures these numbers one after the other. */
function measuring(target: Bench["rows"][number]["target"], ...numbers: number[]): Bench {
  let at = 0;
  const rows = [target === undefined ? row : { ...row, target }];
  return { rows, prepare: () => () => [numbers[at++]!] };
}

describe("runBench()", () => {
  test.each([
    ["at most", { atMost: 30, words: "≤ 30 ms" }, 1.5],
    ["at least", { atLeast: 10, words: "≥ 10 ms" }, 2],
    ["nothing", undefined, null],
  ])("gives median, range and ratio where the target is %s", async (_, target, ratio) => {
    // The first two numbers are of the warm-up.
    const [result] = await runBench(measuring(target, 1, 99, 20, 10, 40), settings);
    expect(result).toEqual({
      ...row,
      value: 20,
      low: 10,
      high: 40,
      repeats: 3,
      target: target?.words ?? null,
      ratio,
      isPromised: target !== undefined,
    });
  });

  test("says how far a target holds where it isn't promised", async () => {
    const elsewhere = { atMost: 10, words: "≤ 10 ms", isPromised: false } as const;
    const [result] = await runBench(measuring(elsewhere, 1, 1, 20, 20, 20), settings);
    expect(result).toMatchObject({ ratio: 0.5, isPromised: false });
    expect(resultTable([result!])).toContain("0.50  not promised here: ≤ 10 ms");
  });

  test("holds none to no rows at all, but by as many as there are", async () => {
    const none = { atMost: 0, words: "none" };
    const ratios = [];
    for (const value of [0, 1]) {
      const [result] = await runBench(measuring(none, 1, 1, value, value, value), settings);
      ratios.push(result?.ratio);
    }
    expect(ratios).toEqual([1, 0]);
  });

  test("holds no target at other sizes than the full ones", async () => {
    const quick = { ...settings, scale: 0.5 };
    const [result] = await runBench(measuring({ atMost: 1, words: "≤ 1" }, 1, 1, 2, 2, 2), quick);
    expect(result).toMatchObject({ value: 2, target: null, ratio: null });
  });
});

test("npm run bench lists its rows where a name is none of them", () => {
  const args = [`${import.meta.dirname}/main.ts`, "bootstraps"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(status).toBe(1);
  expect(stderr).toContain("no row starts with bootstraps");
  expect(stderr).toContain("scoring/bootstrap\n");
});

test.each([
  [["cold"], "cold is scoring/cold and start/cold: say which"],
  [
    ["gold", "--dataset", "/none.jsonl"],
    '--dataset takes a file of samples, JSON Lines; "/none.jsonl" is none',
  ],
  [["offline", "--rows", "1.5"], '--rows takes a whole number from 1 on, not "1.5"'],
  [["gold", "--ms", "Infinity"], '--ms takes a number above 0, not "Infinity"'],
])("npm run bench refuses %j", (args, reason) => {
  const main = `${import.meta.dirname}/main.ts`;
  const { status, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: "utf8" });
  expect([status, stderr]).toEqual([1, `${reason}\n`]);
});

test("resultTable() aligns its columns", () => {
  const result = { ...row, value: 1234.5, low: 1, high: 2000, repeats: 3, target: "≤ 1" };
  const [head = "", line = ""] = resultTable([{ ...result, ratio: 2, isPromised: true }]).split(
    "\n",
  );
  expect(line).toBe("group/row  1,235 ms         1 – 2,000  3   2.00  ≤ 1     a thing");
  expect(head.indexOf("target")).toBe(line.indexOf("≤ 1"));
});

test("npm run bench --strict fails where a target is missed", async () => {
  const sizes = ["--ms", "1", "--repeats", "1", "--warm-ups", "0"];
  const main = `${import.meta.dirname}/main.ts`;
  const slow = join(tmpdir(), `assay-bench-${process.pid}.jsonl`);
  // So many fields that no machine scores twenty thousand of them a second.
  const expected = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`f${i}`, `v ${i}`]));
  const row = { id: "a", text: "", schema: { type: "object" }, expected_output: expected };
  writeFileSync(slow, JSON.stringify(row));
  try {
    const args = [main, "scoring/gold", "--strict", "--dataset", slow, ...sizes];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining("below the target: scoring/gold\n"),
    ]);
  } finally {
    rmSync(slow);
  }
}, 60_000);

test("npm run bench measures every row it is asked for, here at a tiny size", async () => {
  // These begin whole services and builds, which other tests do, or are others of a larger size or of other suites.
  const asked = benches
    .flatMap(({ rows }) => rows.map(({ name }) => name))
    .filter((name) => !/^(service|cost|reads|site|start|publication|package)\//.test(name))
    .filter((name) => !/-finish-10000+$/.test(name))
    .filter((name) => !/(?<!slots)-finish-/.test(name));
  const sizes = ["--ms", "1", "--repeats", "1", "--scale", "0.002", "--rows", "500"];
  const cold = ["--warm-ups", "0"];
  const main = `${import.meta.dirname}/main.ts`;
  const child = spawn(process.execPath, [main, "--json", ...sizes, ...cold, ...asked]);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(child.exitCode ?? 0, stderr).toBe(0);
  const results = JSON.parse(stdout) as BenchResult[];
  expect(results.map(({ name }) => name)).toEqual(asked);
  expect(results.find(({ name }) => name === "scoring/gold-invalid")?.value).toBe(0);
  for (const { name, what, unit, value, repeats, target, ratio } of results) {
    expect([name, what, unit].every((part) => part !== "")).toBe(true);
    expect(Number.isFinite(value), name).toBe(true);
    expect(repeats).toBe(1);
    expect(target === null).toBe(ratio === null);
  }
}, 240_000);
