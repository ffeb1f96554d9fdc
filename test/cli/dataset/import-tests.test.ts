import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { parse } from "yaml";
import { checkSample as checkExtraction } from "../../../shared/suites/extraction/sample.ts";
import { rubricSchema } from "../../../shared/suites/rubric/rubric.ts";
import { checkSample } from "../../../shared/suites/rubric/sample.ts";
import { jsonLines } from "../../support/json-lines.ts";
import { assay } from "../support/assay.ts";
import { folderWith } from "../support/folder-with.ts";

const schema = { type: "object", properties: { total: { type: "number" } }, required: ["total"] };
const tone = { type: "llm-rubric", value: "It is kind.", weight: 3 };

/** A promptfoo result of a test with variables, its own assertions and the shared assertions. */
const result = (
  testIdx: number,
  vars: object,
  own: readonly { type: string; value?: unknown }[],
  more: object = {},
) => ({
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
  gradingResult: {
    componentResults: [...own.filter(({ value }) => value !== undefined), tone].map(
      (assertion, i) => ({ assertion, pass: i === 0 }),
    ),
  },
  failureReason: 0,
  latencyMs: 80,
  response: { output: "Hi.", tokenUsage: {} },
  ...more,
});
const results = (...rows: readonly object[]) =>
  JSON.stringify({ results: { version: 3, results: rows } });

const graded = [
  result(0, { text: "a tap" }, [
    { type: "not-icontains-any", value: ["pump", "pipe"] },
    { type: "llm-rubric", value: "It names {{text}}." },
  ]),
  result(1, { text: "a pump" }, [
    { type: "factuality", value: "Pumps push." },
    { type: "javascript", value: "output.length < 9" },
    { type: "latency" },
  ]),
  // The first test again, then its result with another prompt.
  result(
    2,
    { text: "a tap" },
    [
      { type: "not-icontains-any", value: ["pump", "pipe"] },
      { type: "llm-rubric", value: "It names {{text}}." },
    ],
    { response: { output: "Ho." } },
  ),
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
/** The messages that a solver sent, with its own system message. */
const sent = [
  { role: "system", content: "Answer briefly." },
  { role: "user", content: "Question a?" },
];
const log = (...samples: readonly object[]) =>
  JSON.stringify({ version: 2, status: "success", eval: { task: "t" }, samples });

const folder = folderWith({
  "graded.json": results(...graded),
  "totals.json": results(...totals),
  "schema.json": JSON.stringify(schema),
  "log.json": log(
    scored("a", 1, "Yes, it is.", { model_graded_qa: { value: "C" } }, { messages: sent }),
    scored("a", 2, "Yes, it is.", { model_graded_qa: { value: "I" } }),
    scored(
      "b",
      1,
      ["4", "four"],
      { own_scorer: { value: 1 } },
      {
        metadata: { difficulty: "easy", note: "n".repeat(100) },
        input: [
          { role: "system", content: "Be brief." },
          { role: "user", content: [{ type: "text", text: "2 + 2?" }] },
        ],
      },
    ),
    scored("c", 1, "B", { choice: { value: "I" } }, { choices: ["one", "two"] }),
    scored(
      "d",
      1,
      "A cat.",
      {},
      { input: [{ role: "user", content: [{ type: "image", image: "data:…" }] }] },
    ),
  ),
});
afterAll(folder.dispose);

const run = (...args: string[]) => assay(folder.path, ["import", ...args]);
const at = (name: string) => join(folder.path, name);
const rowsOf = (name: string) => jsonLines(readFileSync(at(name), "utf8"));
const rubricOf = (name: string) => rubricSchema.parse(parse(readFileSync(at(name), "utf8")));

it("assay import promptfoo converts tests to samples and model-graded assertions to a rubric", async () => {
  const files = ["--samples", "samples.jsonl", "--rubric", at("rubric.yaml")];
  const out = ["--out", "graded.jsonl"];
  const { code, stdout, stderr } = await run(
    "promptfoo",
    "graded.json",
    "--prompt",
    "0",
    ...files,
    ...out,
  );
  expect(code).toBe(0);
  expect(stdout).toContain("Imported 3 answers to 2 samples\nA sample has up to 2 answers");
  const rows = rowsOf("samples.jsonl");
  expect(rows).toEqual([
    {
      id: "test_1",
      query: 'Answer: {"text":"a tap"}',
      system: "You help.",
      reference:
        'Requirements:\n- This must not be so: It contains one of: "pump", "pipe", in upper or lower case.\n- It names a tap.',
      skip: ["agrees"],
    },
    {
      id: "test_2",
      query: 'Answer: {"text":"a pump"}',
      system: "You help.",
      reference: "Expected answer:\nPumps push.",
      skip: ["requirements"],
    },
  ]);
  expect(rows.map((row) => checkSample(row).ok)).toEqual([true, true]);
  const { criteria } = rubricOf("rubric.yaml");
  expect(criteria).toMatchObject([
    {
      id: "criterion_1",
      question: "Is this true of the answer? It is kind.",
      weight: 3,
      about: ["query"],
    },
    { id: "requirements" },
    { id: "agrees" },
  ]);
  expect(stderr.trimEnd().split("\n")).toEqual([
    "not-icontains-any: a question for the judge, not an exact check (1 check)",
    "llm-rubric: a judge is asked the same (3 checks)",
    "factuality: the expected answer (1 check)",
    expect.stringMatching(/^javascript: not mapped, because code is not run/),
    expect.stringMatching(/^latency: not mapped: set a limit/),
    "criterion requirements: for 1 of 2 tests; the others skip it",
    "criterion agrees: for 1 of 2 tests; the others skip it",
    "2 samples of the suite rubric: samples.jsonl",
    "rubric of criterion_1, requirements, agrees: rubric.yaml",
    "promptfoo: 0 of 3 tests passed",
  ]);
});

it("assay import promptfoo converts verdicts to judgments that assay score reads", async () => {
  const given = (scores: Record<string, number>) =>
    Object.fromEntries(
      Object.entries(scores).map(([id, score]) => [id, { judge: "imported", judgment: { score } }]),
    );
  expect(rowsOf("graded.jsonl").map(({ id, judgments }) => ({ id, judgments }))).toEqual([
    { id: "test_1", judgments: given({ criterion_1: 0, requirements: 1 }) },
    { id: "test_1", judgments: given({ criterion_1: 0, requirements: 1 }) },
    { id: "test_2", judgments: given({ criterion_1: 0, agrees: 2 }) },
  ]);
  const files = ["--rubric", at("rubric.yaml"), "--dataset", "samples.jsonl"];
  const args = ["score", "rubric", ...files, "--answers", "graded.jsonl", "--json"];
  const once = await assay(folder.path, args);
  expect([once.code, once.stderr]).toEqual([2, expect.stringContaining("give --repeats N")]);
  const { code, stdout } = await assay(folder.path, [...args, "--repeats", "2"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).metrics.criterion_1.value).toBe(0);
});

it("assay import promptfoo --suite extraction takes tests with expected JSON and lists the others", async () => {
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
  expect(stderr).toContain("is-json: the schema of the answer (");
});

it("assay import inspect writes each sample once, with its target", async () => {
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
    {
      id: "a",
      query: "Question a?",
      system: "Answer briefly.",
      reference: "Expected answer:\nYes, it is.",
    },
    {
      id: "b",
      query: "2 + 2?",
      system: "Be brief.",
      reference: "Expected answer:\n4\nor: four",
      tags: { difficulty: "easy" },
    },
    { id: "c", query: "Question c?\n\nA) one\nB) two", reference: "Expected answer:\nB" },
  ]);
  const grade = (score: number) => ({ agrees: { judge: "imported", judgment: { score } } });
  expect(rowsOf("answers.jsonl").map(({ id, judgments }) => [id, judgments])).toEqual([
    ["a", grade(2)],
    ["a", grade(0)],
    ["b", undefined],
    ["c", grade(0)],
  ]);
  expect(rubricOf("inspect.yaml").criteria).toMatchObject([{ id: "agrees" }]);
  expect(stderr).toContain("model_graded_qa: the target is the expected answer; a template");
  expect(stderr).toContain("own_scorer: not mapped: ");
  expect(stderr).toContain("choice: the target is the expected answer (1 check)");
  expect(stderr).toContain("left out: its input has images or other media");
});

it.each<[args: string[], message: string]>([
  [["--suite", "extraction", "--samples", "x.jsonl"], "no test can be used: it has no JSON Schema"],
  [["--suite", "extraction", "--rubric", "x.yaml"], "--rubric needs --suite rubric"],
  [["--samples", "graded.json"], "is one of the input files"],
])("refuses %j", async (args, message) => {
  const { code, stderr } = await run("promptfoo", "graded.json", "--prompt", "0", ...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
