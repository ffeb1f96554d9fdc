import { readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { assay } from "../support/assay.ts";
import { folderWith } from "../support/folder-with.ts";

beforeEach(() => {
  vi.stubEnv("MODEL_API_KEY", "a key");
});

/** Output of validate-config for a file, without the folder's path. */
async function checked(text: string, ...flags: string[]) {
  const folder = folderWith({ "assay.yaml": text });
  try {
    const outcome = await assay(folder.path, [
      "validate-config",
      join(folder.path, "assay.yaml"),
      ...flags,
    ]);
    return { ...outcome, lines: outcome.stdout.trimEnd().split("\n") };
  } finally {
    folder.dispose();
  }
}

/** Has every key of the source's configuration. */
const ofTheSource = `
model:
  provider: openai
  name: gpt-4o-mini
  api_base: https://api.example.com/v1
  api_key: \${MODEL_API_KEY}
  temperature: 0.0
dataset:
  name: paraloq/json_data_extraction
  split: test
  cache_dir: ./cache
  sample_size: null
  random_seed: 42
prompts:
  system_prompt: You extract.
  user_prompt: "{text} {schema}"
metrics:
  enabled: [schema_compliance, exact_match, bleu]
  field_matching:
    string_fuzzy_threshold: 0.85
    numeric_tolerance: 0.001
    case_sensitive: false
    normalize_whitespace: true
  aggregation: { f1_type: macro }
output:
  results_dir: ./results
  save_predictions: true
  save_per_sample: true
  generate_report: true
  report_format: html
performance: { batch_size: 8, num_workers: 4, enable_caching: true, cache_dir: ./cache }
`;

/** Like the source's example: a model without a name, keys without values, other metrics. */
const exampleOfTheSource = `
model: { base_url: "http://localhost:8000/v1", api_key: null, model_name: "lab/small-8b", temperature: 0.0, max_tokens: 2048, timeout: 60, max_retries: 3 }
dataset: { name: lab/data, split: test, cache_dir: ./cache, sample_size: null, random_seed: 42 }
prompts:
  system: |
    You extract.
  user: |
    {text} {schema}
metrics:
  enabled: [schema_validity, exact_match, field_f1, field_precision, field_recall, type_accuracy, latency]
  field_matching: { string_fuzzy_threshold: 0.85, numeric_tolerance: 0.001, case_sensitive: false, normalize_whitespace: true }
  aggregation: { f1_type: micro }
output: { results_dir: ./results, save_predictions: true, save_per_sample: true, generate_report: true, report_format: html }
performance: { batch_size: 1, num_workers: 1, enable_caching: true, cache_dir: ./cache }
`;

const model = "model: { name: a, base_url: https://api.example.com/v1 }\n";
const whole = `${model}dataset: { name: stock }\n`;

describe("assay validate-config", () => {
  it("reads assay.yaml of the working folder by default", async () => {
    const folder = folderWith({ "assay.yaml": "suite: extraction\ndataset: { name: stock }\n" });
    const before = process.cwd();
    try {
      process.chdir(folder.path);
      const { code, stdout } = await assay(folder.path, ["validate-config"]);
      expect(code).toBe(0);
      expect(stdout).toContain("assay.yaml is valid");
      unlinkSync("assay.yaml");
      expect(await assay(folder.path, ["validate-config"])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^there is no assay\.yaml or config\.yaml here: name a file/),
      });
    } finally {
      process.chdir(before);
      folder.dispose();
    }
  });

  it("accepts the source's file and explains each key without an effect", async () => {
    const { code, lines } = await checked(ofTheSource);
    expect(code).toBe(0);
    expect(lines.map((line) => /^assay\.yaml:\d+: warning: ([^:]+):/.exec(line)?.[1])).toEqual([
      "dataset.random_seed",
      "metrics.enabled[2]",
      "performance.batch_size",
      undefined,
    ]);
    expect(lines.at(-1)).toBe(
      "assay.yaml is valid: extraction on paraloq/json_data_extraction, gpt-4o-mini",
    );
  });

  it("accepts the source's example and names the model by model_name", async () => {
    const { code, lines } = await checked(exampleOfTheSource);
    expect(code).toBe(0);
    expect(lines.map((line) => /^assay\.yaml:\d+: warning: ([^:]+):/.exec(line)?.[1])).toEqual([
      "dataset.random_seed",
      "performance.batch_size",
      undefined,
    ]);
    expect(lines.at(-1)).toBe("assay.yaml is valid: extraction on lab/data, lab/small-8b");
  });

  it.each([
    ["suit: slots\n", "error: suit: unknown key; did you mean suite?"],
    ["suite: slotz\n", 'error: suite: unknown suite "slotz"; did you mean slots?'],
    ["dataset:\n  nam: stock\n", "2: error: dataset.nam: unknown key; did you mean name?"],
    [
      "model: { name: a, temprature: 0 }\n",
      "model.temprature: unknown key; did you mean temperature?",
    ],
    [
      "model: { name: a, base_url: here }\n",
      'model.base_url: must be an address such as https://api.example.com/v1, not "here"',
    ],
    ["model: { name: a, provider: opnai }\n", "1: error: model.provider: must be one of openai,"],
    [
      "model: { name: a, reasoning_effort: huge }\n",
      "model.reasoning_effort: must be one of none,",
    ],
    [
      "model: { name: a, extra_body: { messages: [] } }\n",
      "model.extra_body.messages: can't be set",
    ],
    ["model: { name: a, timeout: soon }\n", 'model.timeout: must be a number, not "soon"'],
    ["models: []\n", "models: must be at least 1 item"],
    [`${whole}models: [{ name: b }]\n`, "3: error: models: give either model or models, not both"],
    [
      "models: [{ name: a, timeout: 5 }, { name: b, timeout: 9 }]\n",
      "models[1].timeout: must be the same for every model; use separate runs",
    ],
    [
      "performance: { num_workers: 900 }\n",
      "performance.num_workers: must be at most 200, not 900",
    ],
    [
      "metrics: { weights: { validty: 1 } }\n",
      "metrics.weights.validty: unknown key; did you mean validity?",
    ],
    ["metrics: { weights: { validity: 1 } }\n", "metrics.weights: weights must sum to 1"],
    [
      `${model}dataset: { name: rows.jsonl }\n`,
      "2: error: dataset.name: rows.jsonl: there is no such file",
    ],
    [
      `${whole}performance: { max_cost_usd: 5 }\n`,
      "1: error: model.prices: a needs prices { input_per_million, output_per_million }, USD per million tokens: without them max_cost_usd (5) can't be enforced",
    ],
    [
      "metrics: { thresholds: { eq: 0.8 } }\n",
      'metrics.thresholds.eq: extraction has no metric "eq"; did you mean eqs?',
    ],
    [
      "metrics: { thresholds: { eqs: 80 } }\n",
      "metrics.thresholds.eqs: eqs is a share from 0 to 1, not 80",
    ],
    [
      "metrics: { thresholds: targt }\n",
      'metrics.thresholds: must be one of minimum, target, excellence, or numbers by metric, as { eqs: 0.8 }, not "targt"',
    ],
    [
      `suite: slots\n${whole}metrics: { thresholds: target }\n`,
      "metrics.thresholds: slots has no tiers (only extraction); give a metric, such as f1=0.8",
    ],
    [
      "options: { repeat: 2 }\n",
      "options.repeat: extraction has no such option; did you mean repeats?",
    ],
    ["options: { maxTokens: 0 }\n", "options.maxTokens: must be at least 1, not 0"],
    ["a: [1\n", "error: it is not YAML: Flow sequence in block collection"],
    ["suite: slots\nsuite: tools\n", "2: error: it is not YAML: Map keys must be unique"],
    ["just text", "1: error: expected keys with values"],
  ])("refuses %j", async (text, message) => {
    const { code, stdout, stderr } = await checked(text);
    expect(stdout).toContain(message);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^assay\.yaml: \d errors?\n$/)]);
  });

  it("accepts a dataset file next to the config, and a cost limit with prices", async () => {
    const prices = "prices: { input_per_million: 1, output_per_million: 2 }";
    const text = `${model.replace("}", `, ${prices} }`)}dataset: { name: assay.yaml.jsonl }
performance: { max_cost_usd: 5 }\n`;
    const folder = folderWith({ "assay.yaml": text, "assay.yaml.jsonl": [{ id: "a" }] });
    const { code } = await assay(folder.path, ["validate-config", join(folder.path, "assay.yaml")]);
    folder.dispose();
    expect(code).toBe(0);
  });

  it("warns of an unset variable with the same message as assay run", async () => {
    vi.stubEnv("OPENAI_API_KEY", undefined);
    const text = `models: [{ name: a, base_url: https://api.example.com/v1 }, { name: b, provider: openai }]
dataset: { name: stock }\n`;
    const { code, lines } = await checked(text);
    expect([code, lines[0]]).toEqual([
      0,
      "assay.yaml:1: warning: models[1]: b: OPENAI_API_KEY is not set, neither in the environment nor in .env",
    ]);
  });

  it.each(["api_key: sk-a-secret", "api_key: AKIAASECRET", "headers: { X-Api-Key: sk-a-secret }"])(
    "accepts a secret in the file with a warning that does not repeat it: %s",
    async (line) => {
      const { code, stdout } = await checked(`model:\n  name: a\n  ${line}\n`);
      expect(code).toBe(0);
      expect(stdout).toMatch(/warning: model\.(api_key|headers\.X-Api-Key): .*not shown or stored/);
      expect(stdout).not.toMatch(/a-secret|ASECRET/);
    },
  );

  it.each([
    "api_key_env: sk-a-secret",
    'api_key: "$lower"',
    'api_key: ["sk-a-secret"]',
    'api_key: "sk-a-secret with blanks\\n"',
    "headers: { Authorization: sk-a-secret }",
    'api_key: "sk-a-secret',
    "base_url: https://me:a-secret@a.example/v1",
    "url: https://me:a-secret@a.exa mple/",
  ])("refuses a key in the file without repeating it: %s", async (line) => {
    const { code, stdout, stderr } = await checked(`model:\n  name: a\n  ${line}\n`);
    expect(code).toBe(2);
    expect(stdout).toMatch(
      /environment variable|not YAML|user name or password|must be the address|visible|apiKey/,
    );
    expect(stdout + stderr).not.toMatch(/a-secret|ASECRET|\$lower/);
  });

  it("accepts model keys of other programs and says what to do with unknown keys", async () => {
    const { code, lines } = await checked(`
model:
  model_id: a
  endpoint: https://api.example.com/v1
  reasoning: { effort: high }
  extra_headers: { X-Team: forms }
  seed: 7
  top_k: 5
  logit_bias: {}
dataset: { name: hf:lab/data, subset: en, split: test, cache_dir: rows }
logging: { level: info }
performance: { cache_dir: answers }
`);
    expect([code, ...lines]).toEqual([
      0,
      "assay.yaml:8: warning: model.top_k: no effect: write it under extra_body: { top_k: … }",
      expect.stringMatching(
        /^assay\.yaml:9: warning: model\.logit_bias: no effect: unknown key; remove it, or use one of name, /,
      ),
      expect.stringMatching(/^assay\.yaml:11: warning: logging: no effect: unknown key; remove it/),
      "assay.yaml:12: warning: performance.cache_dir: no effect: it is for reused answers: set enable_caching: true",
      "assay.yaml is valid: extraction on hf:lab/data, a",
    ]);
  });

  it.each([
    ["suite: tools\n", "the suite tools scores latency, which a stored answer does not have"],
    ["options: { mode: batch }\n", "batches are always asked"],
    ["model: { name: a, exec: cat }\n", "programs and templates are always asked"],
    ["models: [{ name: a, temperature: 1 }]\n", "only answers at temperature 0 are reused"],
  ])("says why answers are not reused with %j", async (more, why) => {
    const { lines } = await checked(`${more}performance: { enable_caching: true }\n`);
    expect(lines.join("\n")).toContain(`performance.enable_caching: no effect: ${why}`);
  });

  it("accepts metric names of the source, ids and labels", async () => {
    const names = ["F1", "exact-match", "Schema validity", "latency_p95", "throughput", "cost"];
    const { lines } = await checked(`${whole}metrics: { enabled: ${JSON.stringify(names)} }\n`);
    expect(lines).toEqual(["assay.yaml is valid: extraction on stock, a"]);
  });

  it.each([
    [
      "{ name: a, base_url: http://localhost:1/v1, hybrid: { local: { base_url: http://localhost:1/v1 }, cloud: { provider: openai } } }",
      "1: error: model.base_url: write it in hybrid.local or hybrid.cloud",
    ],
    [
      "{ name: a, seed: 1, hybrid: { local: { base_url: http://localhost:1/v1 }, cloud: { provider: openai } } }",
      "1: error: model: a hybrid target takes no seed: evaluate each endpoint",
    ],
    [
      "{ name: a, hybrid: { local: { base_url: http://localhost:1/v1 }, cloud: { model: b } } }",
      "1: warning: model.hybrid.cloud: a has no endpoint: provider, base_url, or the flag --base-url",
    ],
  ])("checks a hybrid target: %s", async (model, message) => {
    const { stdout } = await checked(`model: ${model}\ndataset: { name: stock }\n`);
    expect(stdout).toContain(message);
  });

  it("warns of keys that flags must supply and of options unknown to the suite", async () => {
    const { code, lines } = await checked(
      "suite: tools\nmetrics:\n  exact_match: { array_order: true }\n",
    );
    expect([code, lines]).toEqual([
      0,
      [
        "assay.yaml:1: warning: no model is given: model, or the flag --model",
        "assay.yaml:1: warning: dataset: no dataset is given: name, or the flag --dataset",
        "assay.yaml:3: warning: metrics.exact_match.array_order: no effect: the suite tools has no such option",
        "assay.yaml is valid: with flags for the missing keys",
      ],
    ]);
  });

  it("warns of outputs without a folder and of an unknown report format", async () => {
    const { lines } = await checked(
      `${whole}output: { save_predictions: true, generate_report: true, report_format: pdf }\n`,
    );
    const where = "set results_dir or the flag --output";
    expect(lines).toEqual([
      `assay.yaml:3: warning: output.save_predictions: no effect: ${where}`,
      `assay.yaml:3: warning: output.generate_report: no effect: ${where}`,
      "assay.yaml:3: warning: output.report_format: no effect: a report is written as html, markdown or json",
      "assay.yaml is valid: extraction on stock, a",
    ]);
  });

  it("prints JSON", async () => {
    const { code, stdout } = await checked("suit: slots\n", "--json");
    expect([code, JSON.parse(stdout)]).toMatchObject([
      2,
      { file: "assay.yaml", valid: false, findings: [{ severity: "error", line: 1, key: "suit" }] },
    ]);
  });

  it.each([
    [["a.yaml", "--config", "b.yaml"], "give one file, such as assay validate-config assay.yaml"],
    [["a.yaml", "b.yaml"], 'unexpected argument "b.yaml"; --help lists the arguments'],
    [["/none/assay.yaml"], "assay.yaml: there is no such file"],
  ])("refuses %j", async (args, message) => {
    const outcome = await assay("/none", ["validate-config", ...args]);
    expect(outcome).toEqual({ code: 2, stdout: "", stderr: `${message}\n` });
  });
});

describe("assay init", () => {
  it("writes a valid file and does not overwrite an existing one", async () => {
    const folder = folderWith({});
    const file = join(folder.path, "assay.yaml");
    const init = () => assay(folder.path, ["init", file, "--server", "https://assay.example.com"]);
    expect(await init()).toMatchObject({ code: 0, stderr: "" });
    const text = readFileSync(file, "utf8");
    expect(text.split("\n")[0]).toBe(
      "# yaml-language-server: $schema=https://assay.example.com/schema/run-config.json",
    );
    expect(text).toMatch(/^visibility: unlisted$/m);
    const valid = await assay(folder.path, ["validate-config", file]);
    expect(valid).toMatchObject({
      code: 0,
      stderr: "",
      stdout: "assay.yaml is valid: extraction on stock, My model\n",
    });
    expect(await init()).toEqual({
      code: 2,
      stdout: "",
      stderr: "assay.yaml: file exists; choose another name\n",
    });
    expect(readFileSync(file, "utf8")).toBe(text);
    folder.dispose();
  });

  it("writes commented examples that are valid without their #", async () => {
    const folder = folderWith({});
    const file = join(folder.path, "assay.yaml");
    await assay(folder.path, ["init", file]);
    const example = /^( *)# (?=( *)(-|[a-z_0-9A-Z]+: ?(\S|$)))(?!yaml-|Shown|A run)/gm;
    const text = readFileSync(file, "utf8").replace(example, "$1");
    expect(text).toContain("\n  api_key_env: MODEL_API_KEY");
    expect(text).toContain("\noptions:\n  repeats: 1");
    writeFileSync(file, text);
    const { code, stdout } = await assay(folder.path, ["validate-config", file]);
    expect([stdout, code]).toEqual(["assay.yaml is valid: extraction on stock, My model\n", 0]);
    folder.dispose();
  });

  it("fails if the folder does not exist", async () => {
    const outcome = await assay("/none", ["init", "/none/assay.yaml"]);
    expect(outcome).toEqual({
      code: 2,
      stdout: "",
      stderr: "assay.yaml: folder does not exist; create it first\n",
    });
  });
});
