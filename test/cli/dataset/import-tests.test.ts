import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { parse } from "yaml";
import { checkSample as checkExtraction } from "../../../shared/suites/extraction/sample.ts";
import { rubricSchema } from "../../../shared/suites/rubric/rubric.ts";
import { checkSample } from "../../../shared/suites/rubric/sample.ts";
import { assay } from "../support/assay.ts";
import { folderWith } from "../support/folder-with.ts";

const schema = { type: "object", properties: { total: { type: "number" } }, required: ["total"] };
const tone = { type: "llm-rubric", value: "It is kind.", weight: 3 };

/** A result of promptfoo: a test with its own variables and assertions, and those of all tests. */
const result = (testIdx: number, vars: object, own: readonly object[], more: object = {}) => ({
  promptIdx: 0,
  testIdx,
  provider: { id: "openai:m" },
  prompt: {
    label: "p",
    raw: JSON.stringify([
      { role: "system", content: "You help." },
      { role: "user", content: `Answer: ${JSON.stringify(vars)}` },
    ]),
  },
  vars,
  testCase: { vars, assert: [...own, tone] },
  failureReason: 0,
  latencyMs: 80,
  response: { output: "Hi.", tokenUsage: {} },
  ...more,
});
const results = (...rows: readonly object[]) =>
  JSON.stringify({ results: { version: 3, results: rows } });

const graded = [
  result(0, { text: "a tap" }, [
    { type: "contains", value: "tap" },
    { type: "assert-set", assert: [{ type: "llm-rubric", value: "It names {{text}}." }] },
  ]),
  result(1, { text: "a pump" }, [
    { type: "factuality", value: "Pumps push." },
    { type: "javascript", value: "output.length < 9" },
    { type: "latency", threshold: 900 },
  ]),
  // Another prompt's result of the first test.
  result(0, { text: "a tap" }, [], { promptIdx: 1 }),
];
const totals = [
  result(0, { text: "Total: 4", id: "a" }, [
    { type: "is-json", value: schema },
    { type: "equals", value: { total: 4 } },
  ]),
  result(1, { text: "Total: 5", id: "b" }, [{ type: "equals", value: '{"total": 5}' }]),
  result(2, { text: "Total: 6", id: "c" }, [{ type: "is-json", value: schema }]),
];

const scored = (id: string, epoch: number, target: unknown, scores: object, more: object = {}) => ({
  id,
  epoch,
  input: `Question ${id}?`,
  target,
  scores,
  output: { choices: [{ message: { content: "Yes." }, stop_reason: "stop" }] },
  ...more,
});
const log = (...samples: readonly object[]) =>
  JSON.stringify({ version: 2, status: "success", eval: { task: "t" }, samples });

const folder = folderWith({
  "graded.json": results(...graded),
  "totals.json": results(...totals),
  "schema.json": JSON.stringify(schema),
  "log.json": log(
    scored("a", 1, "Yes, it is.", { model_graded_qa: { value: "C" } }),
    scored("a", 2, "Yes, it is.", { model_graded_qa: { value: "I" } }),
    scored(
      "b",
      1,
      ["4", "four"],
      { own_scorer: { value: 1 } },
      {
        input: [
          { role: "system", content: "Be brief." },
          { role: "user", content: [{ type: "text", text: "2 + 2?" }] },
        ],
      },
    ),
    scored("c", 1, "B", { choice: { value: 1 } }, { choices: ["one", "two"], input: [] }),
  ),
});
afterAll(folder.dispose);

const run = (...args: string[]) => assay(folder.path, ["import", ...args]);
const at = (name: string) => join(folder.path, name);
const rowsOf = (name: string) =>
  readFileSync(at(name), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const rubricOf = (name: string) => rubricSchema.parse(parse(readFileSync(at(name), "utf8")));

it("tests of promptfoo become samples, and what asks a model a rubric", async () => {
  const files = ["--samples", "samples.jsonl", "--rubric", at("rubric.yaml")];
  const { code, stderr } = await run("promptfoo", "graded.json", "--prompt", "0", ...files);
  expect(code).toBe(0);
  const rows = rowsOf("samples.jsonl");
  expect(rows).toEqual([
    {
      id: "test_1",
      query: 'Answer: {"text":"a tap"}',
      system: "You help.",
      reference: "Requirements:\n- It names a tap.",
    },
    {
      id: "test_2",
      query: 'Answer: {"text":"a pump"}',
      system: "You help.",
      reference: "Expected answer:\nPumps push.",
    },
  ]);
  expect(rows.map((row) => checkSample(row).ok)).toEqual([true, true]);
  const { criteria } = rubricOf("rubric.yaml");
  expect(criteria).toMatchObject([
    { id: "criterion_1", question: "Is this true of the answer? It is kind.", weight: 3 },
    { id: "requirements" },
    { id: "agrees" },
  ]);
  expect(stderr.trimEnd().split("\n")).toEqual([
    expect.stringMatching(/^contains: not mapped: .* \(1 check\)$/),
    "llm-rubric: a judge is asked the same (3 checks)",
    "factuality: the expected answer (1 check)",
    expect.stringMatching(/^javascript: not mapped: code is not run/),
    expect.stringMatching(/^latency: not mapped: set a limit/),
    "2 samples of the suite rubric: samples.jsonl",
    "rubric of criterion_1, requirements, agrees: rubric.yaml",
  ]);
});

it("tests with expected JSON become samples of extraction, others are left out and named", async () => {
  const more = ["--suite", "extraction", "--text-field", "text", "--schema", "schema.json"];
  const { code, stderr } = await run(
    "promptfoo",
    "totals.json",
    "--samples",
    "totals.jsonl",
    ...more,
  );
  expect(code).toBe(0);
  const rows = rowsOf("totals.jsonl");
  expect(rows).toEqual([
    { id: "a", text: "Total: 4", schema, expected_output: { total: 4 } },
    { id: "b", text: "Total: 5", schema, expected_output: { total: 5 } },
  ]);
  expect(rows.map((row) => checkExtraction(row).ok)).toEqual([true, true]);
  expect(stderr).toContain(
    "totals.json: /results/results/2: left out: it has no JSON as expected answer\n",
  );
  expect(stderr).toContain("llm-rubric: not mapped: it asks a model");
});

it("samples of an Inspect log become samples with their targets, each once", async () => {
  const files = [
    "--samples",
    "inspect.jsonl",
    "--rubric",
    at("inspect.yaml"),
    "--out",
    "answers.jsonl",
  ];
  const { code, stderr } = await run("inspect", "log.json", ...files);
  expect(code).toBe(0);
  expect(rowsOf("inspect.jsonl")).toEqual([
    { id: "a", query: "Question a?", reference: "Expected answer:\nYes, it is." },
    { id: "b", query: "2 + 2?", system: "Be brief.", reference: "Expected answer:\n4\nor: four" },
  ]);
  expect(rowsOf("answers.jsonl")).toHaveLength(4);
  expect(rubricOf("inspect.yaml").criteria).toMatchObject([{ id: "agrees" }]);
  expect(stderr).toContain("model_graded_qa: the target is the expected answer (1 check)");
  expect(stderr).toContain("own_scorer: not mapped: ");
  expect(stderr).toContain("choice: not mapped: multiple choice");
  expect(stderr).toContain("left out: its last message is not the user's");
});

it.each<[args: string[], message: string]>([
  [["--suite", "extraction", "--samples", "x.jsonl"], "no test can be used: it has no JSON Schema"],
  [["--suite", "extraction", "--rubric", "x.yaml"], "--rubric needs --suite rubric"],
  [["--samples", "graded.json"], "is one of the input files"],
])("refuses %j", async (args, message) => {
  const { code, stderr } = await run("promptfoo", "graded.json", "--prompt", "0", ...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
