import { spawnSync } from "node:child_process";
import { existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { inMaze, maze } from "../../../shared/measures/json-schema/__fixtures__/maze.ts";
import { jsonLines } from "../../support/json-lines.ts";
import { assay, assayProcess, launcher } from "../support/assay.ts";
import { folderWith, jsonl } from "../support/folder-with.ts";
import { answers, samples } from "../support/three-samples.ts";

const folder = folderWith({ "samples.jsonl": samples, "answers.jsonl": answers });
afterAll(folder.dispose);

const inFolder = (name: string) => join(folder.path, name);
const run = (args: string[], input?: string) =>
  assay(folder.path, ["score", "extraction", ...args], input);
const linesOf = (name: string) => jsonLines(readFileSync(inFolder(name), "utf8"));
const files = ["--dataset", "samples.jsonl", "--answers", "answers.jsonl"];

describe("assay score", () => {
  test("prints the headline, the board metrics and the causes of lost points", async () => {
    const { code, stdout, stderr } = await run(files);
    expect([code, stderr]).toEqual([0, ""]);
    const names = stdout.split("\n").map((line) => line.split(/ {2,}/)[0]);
    expect(names).toEqual([
      expect.stringMatching(/3 samples$/),
      "EQS 0.917",
      "",
      "metric",
      "Schema validity",
      "Partial F1, mean of samples",
      "Type accuracy",
      "Hallucination rate",
      "Exact match",
      "Pass rate",
      "Latency p95",
      "",
      "Loses points on: to: hallucinated value (1 field)",
      "",
      expect.stringMatching(/^--all prints \d+ metrics, the errors and what to change$/),
      "",
    ]);
  });

  test("prints a table of all measured metrics with --all", async () => {
    const { code, stdout, stderr } = await run([...files, "--all"]);
    expect([code, stderr]).toEqual([0, ""]);
    const [title, headline, blank, head, first] = stdout.split("\n");
    expect(title).toMatch(/^Structured extraction \(extraction .+\): 3 samples$/);
    expect([headline, blank]).toEqual(["EQS 0.917  95% interval 0.750 – 1.000", ""]);
    expect(head?.split(/ {2,}/)).toEqual(["metric", "value", "95% interval", "n", "coverage"]);
    expect(first).toMatch(/^EQS +0\.917 +0\.750 – 1\.000 +3 +100\.0%$/);
    expect(stdout).toMatch(/^\d+ more metrics do not apply here/m);
    expect(stdout).toMatch(/^Latency p50 +200 ms +/m);
  });

  test("exits with 1 below a limit, after printing the metrics, and states the limit", async () => {
    const limits = ["--fail-under", "eqs=0.917", "--fail-under", "latencyP95=9e9"];
    const missed = await run([...files, ...limits, "--json"]);
    expect([missed.code, missed.stderr]).toEqual([
      1,
      expect.stringMatching(/^EQS is 0\.917 .*wanted EQS ≥ 0\.917\n$/),
    ]);
    expect(JSON.parse(missed.stdout).limits).toMatchObject([
      { metric: "eqs", better: "higher", limit: 0.917, met: false },
      { metric: "latencyP95", better: "lower", limit: 9e9, value: 290, met: true },
    ]);
  });

  test.each([
    ["samples", undefined],
    ["sources", { cluster: "one" }],
  ])("prints no interval for fewer than two %s", async (units, tags) => {
    const given = samples.slice(0, units === "samples" ? 1 : 3);
    const name = `one-of-${units}.jsonl`;
    writeFileSync(inFolder(name), jsonl(given.map((sample) => ({ ...sample, tags }))));
    const rows = jsonl(answers.slice(0, given.length));
    const { stdout } = await run(["--dataset", name, "--answers", "-"], rows);
    expect(stdout.split("\n")[1]).toMatch(new RegExp(`  no interval below two ${units}$`));
  });

  test("writes a line per sample with its counts and metrics", async () => {
    await run([...files, "--samples", "out.jsonl"]);
    const [fee, trip, team] = linesOf("out.jsonl");
    expect(fee).toMatchObject({ id: "fee", covered: true, valid: true, exact: 2, eqs: 1 });
    expect(trip).toMatchObject({
      id: "trip",
      parse: "clean",
      exact: 1,
      incorrect: 1,
      partialF1: 0.5,
    });
    expect(trip.eqs).toBeCloseTo(0.75, 12);
    expect(team).toMatchObject({ id: "team", parse: "recovered", exactMatch: true });
    expect(fee).not.toHaveProperty("fields");
  });

  test("adds the verdict on every field with --fields", async () => {
    await run([...files, "--samples", "fields.jsonl", "--fields"]);
    expect(linesOf("fields.jsonl")[0].fields).toHaveLength(2);
  });

  test("prints every aggregate with --json", async () => {
    const { stdout } = await run([...files, "--json"]);
    const summary = JSON.parse(stdout);
    expect(Object.keys(summary)).toEqual([
      "suite",
      "suiteVersion",
      "dataset",
      "answers",
      "options",
      "prices",
      "seed",
      "headline",
      "catalogue",
      "metrics",
      "limits",
      "breakdown",
    ]);
    expect(summary).toMatchObject({
      suite: "extraction",
      dataset: { samples: 3, malformed: [], malformedCount: 0, warnings: [], warningsCount: 0 },
      answers: { wanted: 3, missing: 0 },
      headline: "eqs",
    });
    expect(summary.metrics.eqs).toMatchObject({ n: 3, coverage: 1 });
    expect(summary.metrics.eqs.value).toBeCloseTo(2.75 / 3, 12);
    expect(summary.metrics.latencyP50.value).toBe(200);
    expect(Object.keys(summary.catalogue)).toEqual(Object.keys(summary.metrics));
    const latency = { label: "Latency p50", unit: "ms", better: "lower" };
    expect(summary.catalogue.latencyP50).toEqual(latency);
  });

  test("prints recommendation, service levels and errors with --all", async () => {
    const { stdout } = await run([...files, "--all"]);
    const titles = ["EQS 0.917: Excellent", "Recommendation", "At a glance"];
    const others = ["Errors, each of a single field", "Output handling", "Service levels"];
    for (const title of [...titles, ...others]) expect(stdout).toContain(`\n\n${title}\n`);
    expect(stdout).toMatch(
      /^Success rate +100\.0% +43\.9–100\.0% +Excellent \(too few samples to be sure\) +99\.0% +99\.5% +99\.9% +3$/m,
    );
    expect(stdout).toMatch(/^hallucinated value +to +1 +trip$/m);
    expect(stdout).toMatch(/^p95 below 2,000 ms +yes$/m);
  });

  test("calculates the cost from prices", async () => {
    const priced = [...files, "--price-in", "10", "--price-out", "2", "--json"];
    const summary = JSON.parse((await run(priced)).stdout);
    expect(summary.prices).toEqual({ inputPerMillion: 10, outputPerMillion: 2 });
    const tokens = answers.map((row) => ({ ...row, inputTokens: 100 }));
    const args = ["--dataset", "samples.jsonl", "--answers", "-", ...priced.slice(files.length)];
    const { metrics } = JSON.parse((await run(args, jsonl(tokens))).stdout);
    expect(metrics.costUsd.value).toBeCloseTo((300 * 10 + 24 * 2) / 1e6, 12);
  });

  test("marks truncated outputs and refusals", async () => {
    const rows = [
      { ...answers[0], finishReason: "length" },
      { id: "trip", output: null, refusal: "I can't." },
      answers[2],
    ];
    const args = ["--dataset", "samples.jsonl", "--answers", "-", "--samples", "marked.jsonl"];
    expect((await run(args, jsonl(rows))).code).toBe(0);
    const [fee, trip] = linesOf("marked.jsonl");
    expect(fee).toMatchObject({ truncated: true, valid: true });
    expect(trip).toMatchObject({
      truncated: false,
      status: "refused",
      valid: false,
      covered: true,
    });
  });

  test("writes samples to standard output and the summary to standard error with --samples -", async () => {
    const { code, stdout, stderr } = await run([...files, "--samples", "-"]);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(["fee", "trip", "team"]);
    expect(stderr).toContain("EQS 0.917");
  });

  test("prints the same bytes for any order, line ends and source (file or stdin) of the answers", async () => {
    const shuffled = [answers[2], answers[0], answers[1]];
    writeFileSync(inFolder("shuffled.jsonl"), jsonl(shuffled));
    writeFileSync(
      inFolder("windows.jsonl"),
      `\uFEFF${jsonl(answers).replaceAll("\n", "\r\n\r\n")}`,
    );
    const dataset = ["--dataset", "samples.jsonl", "--json"];
    const all = await Promise.all([
      run([...dataset, "--answers", "answers.jsonl", "--samples", "a.jsonl"]),
      run([...dataset, "--answers", "shuffled.jsonl", "--samples", "b.jsonl"]),
      run([...dataset, "--answers", "windows.jsonl", "--samples", "c.jsonl"]),
      run([...dataset, "--answers", "-", "--samples", "d.jsonl"], jsonl(shuffled)),
    ]);
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(new Set(all.map(({ stdout }) => stdout)).size).toBe(1);
    const written = ["a", "b", "c", "d"].map((name) => linesOf(`${name}.jsonl`));
    for (const lines of written) expect(lines).toEqual(written[0]);
  });

  test("uses another seed for other answers", async () => {
    const other = jsonl([{ ...answers[0], latencyMs: 101 }, ...answers.slice(1)]);
    const [one, two] = await Promise.all([
      run([...files, "--json"]),
      run(["--dataset", "samples.jsonl", "--answers", "-", "--json"], other),
    ]);
    expect(JSON.parse(one.stdout).seed).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.parse(two.stdout).seed).not.toBe(JSON.parse(one.stdout).seed);
  });

  test("scores a sample without an answer 0 and marks it as not covered", async () => {
    const { code, stdout } = await run(
      ["--dataset", "samples.jsonl", "--answers", "-", "--samples", "missing.jsonl"],
      jsonl(answers.slice(0, 2)),
    );
    expect(code).toBe(0);
    expect(stdout).toContain("3 samples, 1 answer missing, scored 0\n");
    const missing = { covered: false, errorClass: "not_submitted", score: 0, eqs: 0 };
    expect(linesOf("missing.jsonl")[2]).toMatchObject({ id: "team", ...missing });
  });

  test("reads several rows with the same id as repeats if the options allow them", async () => {
    writeFileSync(inFolder("repeats.json"), '{"repeats": 2}');
    const rows = [answers[0], answers[1], { ...answers[0], output: "{}" }, answers[2]];
    const args = ["--dataset", "samples.jsonl", "--answers", "-", "--options", "repeats.json"];
    const { code } = await run([...args, "--samples", "repeats.jsonl"], jsonl(rows));
    expect(code).toBe(0);
    const found = linesOf("repeats.jsonl").map(({ id, repeat, covered, exact }) => {
      return [id, repeat, covered, exact];
    });
    expect(found).toEqual([
      ["fee", 0, true, 2],
      ["fee", 1, true, 0],
      ["trip", 0, true, 1],
      ["trip", 1, false, 0],
      ["team", 0, true, 1],
      ["team", 1, false, 0],
    ]);
    const tooMany = await run(args, jsonl([...rows, answers[0]]));
    expect([tooMany.code, tooMany.stderr]).toEqual([
      2,
      'stdin:5: the id "fee" occurs more than 2 times (--repeats)\n',
    ]);
  });

  test("lists malformed samples and leaves them out together with their answers", async () => {
    const broken = `{"id": "trip", "text": "cut`;
    const twice = { ...samples[0], text: "again" };
    const rows = [samples[0], { ...samples[2], schema: 1 }, twice].map((row) =>
      JSON.stringify(row),
    );
    writeFileSync(inFolder("bad-samples.jsonl"), [...rows, broken].join("\n"));
    const args = ["--dataset", "bad-samples.jsonl", "--answers", "answers.jsonl"];
    const { code, stdout, stderr } = await run([...args, "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).dataset).toMatchObject({ samples: 1, malformedCount: 3 });
    const lines = stderr.trimEnd().split("\n");
    expect(lines.slice(0, 2)).toEqual([
      'bad-samples.jsonl:2: sample "team": schema must be a JSON object or boolean; left out',
      'bad-samples.jsonl:3: sample "fee": duplicate id "fee"; left out',
    ]);
    expect(lines[2]).toMatch(
      /^bad-samples\.jsonl:4: sample "trip": the line is not JSON: .*left out$/,
    );
  });

  test("lists twenty malformed samples, counts the others, and groups equal reasons", async () => {
    const broken = Array.from({ length: 25 }, (_, i) => `x${i}`);
    writeFileSync(inFolder("many-bad.jsonl"), `${jsonl([samples[0]])}${broken.join("\n")}\n`);
    const { stderr } = await run(
      ["--dataset", "many-bad.jsonl", "--answers", "-"],
      jsonl([answers[0]]),
    );
    expect(stderr.trimEnd().split("\n")).toHaveLength(21);
    expect(stderr).toContain("many-bad.jsonl: 5 more malformed, left out\n");
    const rows = broken.map((id) => ({ id }));
    writeFileSync(inFolder("same-bad.jsonl"), jsonl([samples[0], ...rows]));
    const same = await run(["--dataset", "same-bad.jsonl", "--answers", "-"], jsonl([answers[0]]));
    expect(same.stderr.trimEnd().split("\n")).toEqual([
      expect.stringMatching(
        /^same-bad\.jsonl:2: sample "x0": .*; left out; the same in lines 3, 4, 5, 6, 7 and 19 more$/,
      ),
    ]);
  });

  test("keeps the old file at --samples until the new one is complete", async () => {
    writeFileSync(inFolder("kept.jsonl"), "before\n");
    const stranger = jsonl([...answers, { id: "nobody" }]);
    const args = ["--dataset", "samples.jsonl", "--answers", "-", "--samples", "kept.jsonl"];
    expect((await run(args, stranger)).code).toBe(2);
    expect(readFileSync(inFolder("kept.jsonl"), "utf8")).toBe("before\n");
    expect((await run(args, jsonl(answers))).code).toBe(0);
    expect(linesOf("kept.jsonl")).toHaveLength(3);
  });
});

test("assay score counts answers that could not be scored and writes the reasons", async () => {
  const sample = { id: "maze", text: "", schema: maze, expected_output: {} };
  writeFileSync(inFolder("maze.jsonl"), jsonl([...samples, sample]));
  const answer = { id: "maze", output: JSON.stringify(inMaze(5_000)) };
  writeFileSync(inFolder("maze-answers.jsonl"), jsonl([...answers, answer]));
  const { code, stdout } = await run([
    "--dataset",
    "maze.jsonl",
    "--answers",
    "maze-answers.jsonl",
    "--samples",
    "mazes.jsonl",
  ]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/: 4 samples, 1 answer could not be scored\nEQS 0\.917 /);
  expect(linesOf("mazes.jsonl").at(-1)).toMatchObject({
    id: "maze",
    outcome: "unscored",
    score: null,
    covered: true,
    unscored: expect.stringMatching(/^the output can't be validated/),
  });
});

test.each([
  [[], /^assay <command> \[options\]/],
  [["--help"], /^assay <command> \[options\]/],
  [["help", "score"], /^assay score <suite> --dataset/],
  [["score", "--help"], /SHA-256/],
  [["--version"], /^\d+\.\d+\.\d+$/m],
])("assay %j prints help", async (args, text) => {
  const { code, stdout } = await assay(folder.path, args as string[]);
  expect(code).toBe(0);
  expect(stdout).toMatch(text);
});

describe("the launcher", () => {
  test("runs the command and passes on its exit code and both outputs", async () => {
    const args = ["score", "extraction", "--dataset", inFolder("samples.jsonl"), "--answers", "-"];
    const [good, bad] = await Promise.all([
      assayProcess([...args, "--json"], jsonl(answers)),
      assayProcess(args, "{"),
    ]);
    const inProcess = await run([...files, "--json"]);
    expect(good).toEqual({ code: 0, stdout: inProcess.stdout, stderr: "" });
    expect(bad).toMatchObject({ code: 2, stdout: "" });
    expect(bad.stderr).toMatch(/^stdin:1: the line is not JSON: /);
  });

  test.runIf(existsSync("/dev/full"))("reports a full disk with exit code 2", () => {
    const stdout = openSync("/dev/full", "w");
    const args = ["score", "extraction", "--dataset", inFolder("samples.jsonl")];
    const file = inFolder("answers.jsonl");
    const outcome = spawnSync(process.execPath, [launcher, ...args, "--answers", file], {
      stdio: ["ignore", stdout, "pipe"],
      encoding: "utf8",
    });
    expect(outcome.stderr).toBe("standard output: its disk is full\n");
    expect(outcome.status).toBe(2);
  });

  test("keeps its exit code if the reader of its output stops early", () => {
    const files = `--dataset ${inFolder("samples.jsonl")} --answers ${inFolder("answers.jsonl")}`;
    const script = `set -o pipefail; "$0" "$1" score extraction ${files} --fail-under eqs=1 | true`;
    const args = ["-c", script, process.execPath, launcher];
    const { status, stderr } = spawnSync("bash", args, { encoding: "utf8" });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^EQS is .*, wanted EQS ≥ 1.000\n$/),
    ]);
  });
});
