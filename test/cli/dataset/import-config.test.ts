import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { parse } from "yaml";
import { runConfigSchema } from "../../../shared/contracts/submissions/run-config.ts";
import { jsonLines } from "../../support/json-lines.ts";
import { assay } from "../support/assay.ts";
import { folderWith } from "../support/folder-with.ts";

const KEY = "sk-secret-of-a-config";
const schema = { type: "object", properties: { total: { type: "number" } }, required: ["total"] };

type Rendered = (testIdx: number) => string;

/** A result of promptfoo for a test with a text and an expected answer. */
const answered = (testIdx: number, provider: object, rendered: Rendered) => ({
  promptIdx: 0,
  testIdx,
  provider,
  prompt: { label: "p", raw: rendered(testIdx) },
  vars: { text: `Total: ${testIdx}` },
  testCase: {
    vars: { text: `Total: ${testIdx}` },
    assert: [
      { type: "is-json", value: schema },
      { type: "equals", value: { total: testIdx } },
    ],
  },
  response: { output: `{"total":${testIdx}}`, tokenUsage: {} },
});
const plain: Rendered = (testIdx) => `Total: ${testIdx}`;
const promptfoo = (providers: unknown, asked: readonly object[], rendered = plain) =>
  JSON.stringify({
    config: { providers },
    results: {
      version: 3,
      results: asked.flatMap((one) => [1, 2].map((i) => answered(i, one, rendered))),
    },
  });

const log = (its: object, plan: object, scores: readonly unknown[], more: object = {}) =>
  JSON.stringify({
    version: 2,
    eval: its,
    plan,
    samples: scores.map((value, i) => ({
      id: "one",
      epoch: i + 1,
      input: "Total?",
      target: '{"total": 1}',
      messages: [
        { role: "system", content: "Be exact." },
        { role: "user", content: "Total?" },
      ],
      scores: { mine: { value } },
      output: { choices: [{ message: { content: "1" } }] },
      ...more,
    })),
  });

const small = { id: "openai:chat:gpt-5", label: "small" };
const settings = {
  temperature: 0.2,
  max_tokens: 300,
  apiKey: KEY,
  headers: { authorization: KEY },
};
const chat: Rendered = (testIdx) =>
  JSON.stringify([
    { role: "system", content: "Read totals." },
    { role: "user", content: `Text: Total: ${testIdx}` },
  ]);
const folder = folderWith({
  "two.json": promptfoo(
    [{ ...small, config: settings }, "ollama:chat:llama3.1:8b"],
    [small, { id: "ollama:chat:llama3.1:8b" }],
    chat,
  ),
  "odd.json": promptfoo(
    { "exec:python3 ask.py": { label: "program" } },
    [
      { id: "exec:python3 ask.py", label: "program" },
      { id: "https://models.example/ask" },
      { id: "file://provider.js" },
      { id: "togetherai:meta/llama" },
    ],
    (testIdx) => `Total: ${testIdx} in ${["German", "French"][testIdx - 1]}`,
  ),
  "own.json": promptfoo(
    [
      {
        id: "openai:gpt-5",
        config: { apiBaseUrl: "https://proxy.example/v1", temperature: "hot" },
      },
    ],
    [{ id: "openai:gpt-5" }],
  ),
  "log.json": log(
    { model: "grok/grok-4", model_generate_config: { max_tokens: 100, seed: null } },
    { config: { top_p: 0.9 } },
    [0.8, true],
  ),
  "agent.json": log(
    { model: "openai/azure/gpt-5", config: { epochs_reducer: ["max"] } },
    {
      steps: [{ solver: "system_message" }, { solver: "travel_agent" }],
      config: { frequency_penalty: 0.5, stop_seqs: null },
    },
    [1],
  ),
  "figures.json": JSON.stringify({
    ...JSON.parse(
      log({ model: "openai/m", dataset: { samples: 50 } }, {}, [0.3], {
        scores: { match: { value: "C" }, model_graded_qa: { value: 0.3 } },
      }),
    ),
    status: "cancelled",
    results: {
      total_samples: 3,
      completed_samples: 1,
      scores: [
        { name: "match", metrics: { accuracy: { value: 1 }, stderr: { value: 0.1 } } },
        { name: "model_graded_qa", metrics: { mean: { value: 0.3 } } },
      ],
    },
  }),
  "scale.json": log({ model: "openai/m" }, {}, [1, 4]),
  "empty.json": log({ model: "openai/m" }, {}, ["I"], { target: "" }),
  "template.json": log({ model: "openai/m" }, {}, ["C"], {
    messages: [
      { role: "system", content: "One." },
      { role: "system", content: "Two." },
      { role: "user", content: "Question: Total? Answer with a number." },
      { role: "assistant", content: "1" },
      { role: "user", content: "Sure?" },
    ],
  }),
  "turns.json": log({ model: "openai/m" }, {}, ["C"], {
    input: [
      { role: "user", content: "Total: 1" },
      { role: "assistant", content: "Yes?" },
      { role: "user", content: "Which total?" },
    ],
    messages: [],
  }),
  "schema.json": JSON.stringify(schema),
  "there.yaml": "suite: rubric\n",
});
afterAll(folder.dispose);

const at = (name: string) => join(folder.path, name);
const run = (...args: string[]) => assay(folder.path, ["import", ...args]);
/** Reads a config file; throws if `assay run` would refuse it. */
const configOf = (name: string) => runConfigSchema.parse(parse(readFileSync(at(name), "utf8")));

it("assay import promptfoo writes a config with the models and settings, without secrets", async () => {
  const files = ["--samples", "two.jsonl", "--rubric", at("two.yaml")];
  const { code, stderr } = await run(
    "promptfoo",
    "two.json",
    "--provider",
    "small",
    ...files,
    "--config",
    at("assay.two.yaml"),
  );
  expect(code).toBe(0);
  expect(stderr).toContain("assay run --config assay.two.yaml");
  expect(configOf("assay.two.yaml")).toEqual({
    suite: "rubric",
    rubric: "two.yaml",
    models: [
      { name: "small", provider: "openai", model: "gpt-5", temperature: 0.2, max_tokens: 300 },
      { name: "ollama:chat:llama3.1:8b", provider: "ollama", model: "llama3.1:8b" },
    ],
    dataset: { name: "two.jsonl" },
    // All tests share the system message. Without a template, the variable in the user message is unknown.
    prompts: { system: "Read totals." },
    options: { passScore: 1 },
    output: { results_dir: "results", generate_report: true, save_predictions: true },
  });
  expect(linesOf("two.jsonl")[0]).toMatchObject({ query: "Text: Total: 1" });
  expect(readFileSync(at("assay.two.yaml"), "utf8")).not.toContain(KEY);
  const checked = await assay(folder.path, ["validate-config", at("assay.two.yaml")]);
  expect([checked.code, checked.stderr]).toEqual([0, ""]);
});

const extraction = ["--suite", "extraction", "--text-field", "text"];

it("assay import promptfoo turns a prompt around the text into the config's prompt", async () => {
  const from = ["promptfoo", "two.json", "--provider", "small", ...extraction];
  await run(...from, "--samples", "totals.jsonl", "--config", at("prompt.yaml"));
  expect(configOf("prompt.yaml").prompts).toEqual({ system: "Read totals.", user: "Text: {text}" });
});

it("assay import promptfoo lists what the config cannot express", async () => {
  const from = ["promptfoo", "odd.json", "--provider", "program", ...extraction];
  const { stderr } = await run(...from, "--samples", "odd.jsonl", "--config", at("odd.yaml"));
  const { models, prompts } = configOf("odd.yaml");
  expect(prompts).toBeUndefined();
  expect(models).toEqual([
    { name: "program", exec: "python3 ask.py" },
    { name: "https://models.example/ask", http: "https://models.example/ask" },
    { name: "file://provider.js", model: "//provider.js", structured_output: "none" },
    {
      name: "togetherai:meta/llama",
      provider: "together",
      model: "meta/llama",
      structured_output: "none",
    },
  ]);
  expect(stderr).toContain('model "program": asked by the command "python3 ask.py"');
  expect(stderr).toContain('model "https://models.example/ask": describe what its address');
  expect(stderr).toContain('"file://provider.js" is not a provider that Assay knows');
  expect(stderr).toContain("prompts: not mapped");
});

it("assay import promptfoo reports a custom address and configures no provider key for it", async () => {
  const from = ["promptfoo", "own.json", ...extraction];
  const { stderr } = await run(...from, "--samples", "own.jsonl", "--config", at("own.yaml"));
  expect(configOf("own.yaml").models).toEqual([
    {
      name: "openai:gpt-5",
      model: "gpt-5",
      base_url: "https://proxy.example/v1",
      structured_output: "none",
    },
  ]);
  expect(stderr).toContain("asked at https://proxy.example/v1 without a key; add");
});

it("assay import inspect writes a config with the log's epochs, solver message and settings", async () => {
  const files = ["--samples", "log.jsonl", "--schema", "schema.json", "--suite", "extraction"];
  const { code } = await run("inspect", "log.json", ...files, "--config", at("log.yaml"));
  expect(code).toBe(0);
  expect(configOf("log.yaml")).toEqual({
    suite: "extraction",
    models: [
      {
        name: "grok/grok-4",
        provider: "xai",
        model: "grok-4",
        temperature: null,
        max_tokens: 100,
        top_p: 0.9,
        structured_output: "none",
      },
    ],
    dataset: { name: "log.jsonl" },
    prompts: { system: "Be exact.", user: "{text}" },
    options: { repeats: 2 },
    output: { results_dir: "results", generate_report: true, save_predictions: true },
  });
});

it("assay import inspect converts grades of --scorer to judgments, rounded to the levels", async () => {
  const files = ["--samples", "mine.jsonl", "--out", "mine.answers.jsonl"];
  const { code, stderr } = await run("inspect", "log.json", "--scorer", "mine", ...files);
  expect([code, stderr]).toEqual([0, expect.stringContaining("mine: its grades are imported")]);
  const rows = readFileSync(join(folder.path, "mine.answers.jsonl"), "utf8").trimEnd().split("\n");
  const scores = rows.map((line) => JSON.parse(line).judgments.agrees.judgment.score);
  expect(scores).toEqual([2, 2]);
  const odd = await run("inspect", "log.json", "--scorer", "mime", ...files);
  expect([odd.code, odd.stderr]).toEqual([
    2,
    expect.stringContaining('there is no scorer "mime"; did you mean mine?'),
  ]);
});

const linesOf = (name: string) => jsonLines(readFileSync(at(name), "utf8"));

it("assay import --to writes all files into a folder and never overwrites them", async () => {
  const { code, stderr } = await run("inspect", "log.json", "--scorer", "mine", "--to", at("all"));
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /assay score rubric --rubric \S+rubric.yaml --pass-score 1 --repeats 2 --dataset \S+samples.jsonl /,
  );
  expect(configOf("all/assay.yaml")).toMatchObject({
    rubric: "rubric.yaml",
    dataset: { name: "samples.jsonl" },
  });
  expect(linesOf("all/answers.jsonl")).toHaveLength(2);
  const again = await run("inspect", "log.json", "--to", at("all"));
  expect([again.code, again.stderr]).toEqual([
    2,
    expect.stringContaining("rubric.yaml: file exists"),
  ]);
});

it("assay import inspect lists settings of the log that it cannot map", async () => {
  const { stderr } = await run("inspect", "agent.json", "--scorer", "mine", "--to", at("agent"));
  expect(stderr).toContain("solver travel_agent: not mapped");
  expect(stderr).not.toContain("solver system_message");
  expect(stderr).toContain("epochs_reducer max: not mapped");
  expect(stderr).toContain('"openai/azure/gpt-5": not mapped: frequency_penalty\n');
  expect(stderr).toContain('"openai/azure/gpt-5" is not a provider that Assay knows');
});

it("assay import inspect prints the log's results, the differences and the scorer in use", async () => {
  const { stderr } = await run("inspect", "figures.json", "--to", at("figures"));
  for (const line of [
    "Inspect, match: accuracy 1.000",
    "Inspect, model_graded_qa: mean 0.300",
    "status cancelled: the log may lack some of the 50 samples of its dataset",
    "2 samples failed: they score 0, and Inspect leaves them out",
    "match: not mapped: the grades come from model_graded_qa; use --scorer match to import these (1 check)",
  ]) {
    expect(stderr).toContain(`${line}\n`);
  }
  expect(stderr).toContain("to the rubric; numbers are rounded to 0, ½ or 1 (1 check)\n");
  expect(stderr).not.toContain("stderr");
});

it("assay import inspect keeps the grade of a sample without a target", async () => {
  await run("inspect", "empty.json", "--scorer", "mine", "--to", at("empty"));
  const [{ judgments }] = linesOf("empty/answers.jsonl");
  expect(judgments.agrees.judgment.score).toBe(0);
});

it("assay import inspect shows the judge the messages before the first answer", async () => {
  await run("inspect", "template.json", "--scorer", "mine", "--to", at("template"));
  expect(linesOf("template/samples.jsonl")).toEqual([
    { id: "one", query: "Total?", reference: 'Expected answer:\n{"total": 1}' },
  ]);
  expect(configOf("template/assay.yaml")).toMatchObject({
    prompts: { system: "One.\n\nTwo.", user: "Question: {query} Answer with a number." },
    options: { passScore: 1 },
  });
  const alone = ["--samples", "alone.jsonl"];
  await run("inspect", "template.json", "--scorer", "mine", ...alone);
  expect(linesOf("alone.jsonl")).toMatchObject([
    { system: "One.\n\nTwo.", query: "Question: Total? Answer with a number." },
  ]);
  const args = ["--suite", "extraction", "--schema", "schema.json", "--to", at("fields")];
  await run("inspect", "template.json", ...args);
  expect(linesOf("fields/samples.jsonl")).toMatchObject([{ text: "Total?" }]);
  expect(configOf("fields/assay.yaml").prompts).toEqual({
    system: "One.\n\nTwo.",
    user: "Question: {text} Answer with a number.",
  });
  const turns = await run("inspect", "turns.json", ...args.slice(0, 4), "--samples", "t.jsonl");
  expect([turns.code, turns.stderr]).toEqual([2, expect.stringContaining("has several turns")]);
});

it("assay import inspect refuses grades on another scale", async () => {
  const { code, stderr } = await run(
    "inspect",
    "scale.json",
    "--scorer",
    "mine",
    "--to",
    at("scale"),
  );
  expect([code, stderr]).toEqual([2, expect.stringContaining('scorer "mine" gives 4')]);
  expect(existsSync(at("scale"))).toBe(false);
});

it.each<[args: string[], message: string]>([
  [["--config", at("new.yaml")], "add --samples FILE and --rubric FILE"],
  [["--config", at("new.yaml"), "--suite", "extraction"], "add --samples FILE"],
  [
    ["--config", at("there.yaml"), "--samples", "x.jsonl", "--rubric", at("x.yaml")],
    "there.yaml: file exists, and may have changes of yours",
  ],
])("refuses %j", async (args, message) => {
  const { code, stderr } = await run("inspect", "log.json", ...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(existsSync(at("new.yaml"))).toBe(false);
});
