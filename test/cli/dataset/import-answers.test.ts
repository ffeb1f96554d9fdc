import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { jsonLines } from "../../support/json-lines.ts";
import { assay } from "../support/assay.ts";
import { folderWith } from "../support/folder-with.ts";
import { samples } from "../support/three-samples.ts";

const fee = '{"amount": 120, "currency": "EUR"}';
const trip = '{"from": "Lisbon", "to": "Bergen"}';

const settings = (prompt: string) => ({ gen_args_0: { arg_0: prompt, arg_1: { until: [] } } });
const logged = (doc_id: number, id: string, resps: unknown, more = {}) => ({
  doc_id,
  doc: { id, case: `case-${id}` },
  target: "x",
  arguments: settings("Extract"),
  resps,
  filtered_resps: ["cleaned"],
  filter: "none",
  exact_match: 1,
  ...more,
});
const lmEval = [
  logged(0, "fee", [[fee]]),
  logged(1, "trip", [[trip]]),
  logged(0, "fee", [[fee]], { filter: "strict", filtered_resps: ["120"] }),
  logged(1, "trip", [[trip]], { filter: "strict", filtered_resps: ["Bergen"] }),
];
const choice = { arguments: { gen_args_0: { arg_0: "Extract", arg_1: " yes" } } };

const said = (content: unknown, more = {}) => ({
  model: "m",
  time: 1.25,
  usage: {
    input_tokens: 3,
    input_tokens_cache_read: 20,
    input_tokens_cache_write: 7,
    output_tokens: 9,
    reasoning_tokens: 4,
    total_tokens: 39,
  },
  choices: [{ message: { role: "assistant", content, ...more }, stop_reason: "stop" }],
});
const log = (inspected: unknown) => ({
  version: 2,
  status: "success",
  eval: { task: "t" },
  plan: {},
  results: {},
  samples: inspected,
});
const call = { id: "c1", function: "ping", arguments: { seconds: 2 } };
const inspected = [
  { id: "fee", epoch: 1, metadata: { case: "f" }, output: said(fee) },
  {
    id: 7,
    epoch: 1,
    metadata: { case: "t" },
    attachments: { ab12: trip },
    output: {
      ...said([
        { type: "reasoning", reasoning: "hm" },
        { type: "text", text: "attachment://ab12" },
      ]),
      time: null,
      usage: null,
    },
  },
  { id: "tool", epoch: 1, output: said("", { tool_calls: [call] }) },
  {
    id: "lost",
    epoch: 1,
    error: { message: "Timed out", traceback: "…" },
    output: { choices: [] },
  },
  {
    id: "long",
    epoch: 1,
    output: { ...said("{"), choices: [{ message: { content: "{" }, stop_reason: "max_tokens" }] },
  },
  // The output is that of the last call.
  { id: "calls", messages: [{ role: "assistant" }, { role: "assistant" }], output: said("done") },
];

const tested = (id: string, output: unknown, more = {}) => ({
  promptIdx: 0,
  testIdx: 0,
  provider: { id: "openai:m", label: "M" },
  vars: { id, text: "…" },

  testCase: { vars: { id }, metadata: { case: `case-${id}` } },
  failureReason: 0,
  latencyMs: 80,
  response: { output, cached: false, tokenUsage: { total: 12, prompt: 10, completion: 2 } },
  ...more,
});
const results = (rows: readonly unknown[], version = 3) => ({
  evalId: "eval-1",
  config: {},
  results: { version, timestamp: "x", results: rows, stats: {} },
});
const promptfoo = [
  tested("fee", { amount: 120, currency: "EUR" }),
  tested("trip", trip, { failureReason: 1, error: "Expected output to equal", success: false }),
  tested("team", null, {
    failureReason: 2,
    error: "API error: 500",
    response: { error: "API error: 500" },
  }),
];
const cached = tested("fee", fee, { response: { output: fee, cached: true } });
const refused = tested("trip", "I won't", { response: { output: "I won't", isRefusal: true } });

const folder = folderWith({
  "samples.jsonl": samples,
  "lm.jsonl": lmEval,
  "lm-nan.jsonl": `${JSON.stringify(lmEval[0]).replace('"exact_match":1', '"exact_match":NaN')}\n`,
  "lm-plain.jsonl": [{ doc_id: 4, doc: { q: "NaN" }, resps: [["a", "b"]] }],
  "choices.jsonl": [logged(0, "fee", [["-3.5", "False"]], choice)],
  "numbers.jsonl": [logged(0, "fee", [[-3.5]])],
  "other.jsonl": [lmEval[0]!, { id: "fee", output: "x" }],
  "cut.jsonl": `${JSON.stringify(lmEval[0])}\n{"doc_id": 1, "re\n`,
  "empty.jsonl": "\n",
  "inspect.json": JSON.stringify(log(inspected)),
  "epochs.json": JSON.stringify(log([inspected[0], { ...inspected[0], epoch: 2 }])),
  "nan.json": JSON.stringify(log([inspected[0]])).replace('"results":{}', '"results":NaN'),
  "header.json": JSON.stringify({ ...log(null), samples: undefined }),
  "nameless.json": JSON.stringify(log([{ epoch: 1 }])),
  "odd-tool.json": JSON.stringify(log([{ id: "a", output: said("", { tool_calls: [{}] }) }])),
  "list.json": "[]",
  "text.json": "no JSON",
  "quotes.json": `"${'\\"'.repeat(1e6)}`,
  "zip.json": "PK\u0003\u0004",
  "promptfoo.json": JSON.stringify(results(promptfoo)),
  "cached.json": JSON.stringify(results([cached, refused])),
  "two.json": JSON.stringify(
    results([promptfoo[0], { ...promptfoo[0], provider: { id: "local:n" }, promptIdx: 1 }]),
  ),
  "prompts.json": JSON.stringify(
    results([promptfoo[0], { ...promptfoo[1], promptIdx: 4, prompt: { label: "b" } }]),
  ),
  "old.json": JSON.stringify(results(promptfoo, 2)),
  "none.json": JSON.stringify(results([])),
});
afterAll(folder.dispose);

const run = (...args: string[]) => assay(folder.path, ["import", ...args]);
const answersOf = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(...args, "--out", "-");
  expect([code, stderr]).toEqual([0, expect.stringContaining("Imported ")]);
  return jsonLines(stdout);
};

describe("assay import lm-eval", () => {
  it("takes the model's output once if several filters ran", async () => {
    expect(await answersOf("lm-eval", "lm.jsonl")).toEqual([
      { id: "fee", output: fee },
      { id: "trip", output: trip },
    ]);
  });

  it("takes the output of --filter and the id from --id-field", async () => {
    const args = ["lm-eval", "lm.jsonl", "--filter", "strict", "--id-field", "case"];
    expect(await answersOf(...args)).toEqual([
      { id: "case-fee", output: "120" },
      { id: "case-trip", output: "Bergen" },
    ]);
  });

  it("falls back to doc_id, and takes every answer to a repeated request", async () => {
    expect(await answersOf("lm-eval", "lm-plain.jsonl")).toEqual([
      { id: "4", output: "a" },
      { id: "4", output: "b" },
    ]);
  });

  it("reads numbers that only Python writes", async () => {
    expect(await answersOf("lm-eval", "lm-nan.jsonl")).toEqual([{ id: "fee", output: fee }]);
  });

  it("writes a file that assay score reads", async () => {
    const { stdout } = await run("lm-eval", "lm.jsonl", "--out", "answers.jsonl");
    expect(stdout).toBe("Imported 2 answers to 2 samples\nThe answers are in answers.jsonl\n");
    const given = ["--dataset", "samples.jsonl", "--answers", "answers.jsonl"];
    const { code } = await assay(folder.path, ["score", "extraction", ...given]);
    expect(code).toBe(0);
  });
});

describe("assay import inspect", () => {
  it("takes outputs, tool calls, tokens, latencies and errors", async () => {
    const tokens = { inputTokens: 30, cachedTokens: 20, outputTokens: 9, reasoningTokens: 4 };
    const usage = { latencyMs: 1250, ...tokens };
    expect(await answersOf("inspect", "inspect.json")).toEqual([
      { id: "fee", output: fee, finishReason: "stop", ...usage },
      { id: "7", output: trip, thoughts: "hm", finishReason: "stop" },
      {
        id: "tool",
        output: "",
        finishReason: "stop",
        ...usage,
        toolCalls: [{ name: "ping", arguments: { seconds: 2 } }],
      },
      { id: "lost", error: "Timed out" },
      { id: "long", output: "{", finishReason: "length", ...usage },
      { id: "calls", output: "done", finishReason: "stop" },
    ]);
  });

  it("counts a sample of several epochs once", async () => {
    const { stdout } = await run("inspect", "epochs.json", "--json");
    expect(JSON.parse(stdout)).toEqual({ answers: 2, samples: 1, errors: 0, out: null });
  });

  it("takes the id from a metadata field, and reads NaN", async () => {
    const [answer] = await answersOf("inspect", "nan.json", "--id-field", "case");
    expect(answer).toMatchObject({ id: "f", output: fee });
  });
});

describe("assay import promptfoo", () => {
  it("takes outputs of passed and failed assertions, and errors", async () => {
    const usage = { latencyMs: 80, inputTokens: 10, outputTokens: 2 };
    expect(await answersOf("promptfoo", "promptfoo.json")).toEqual([
      { id: "fee", output: '{"amount":120,"currency":"EUR"}', ...usage },
      { id: "trip", output: trip, ...usage },
      { id: "team", error: "API error: 500", latencyMs: 80 },
    ]);
  });

  it("leaves out the latency of cached replies, and takes refusals", async () => {
    expect(await answersOf("promptfoo", "cached.json", "--id-field", "case")).toEqual([
      { id: "case-fee", output: fee },
      { id: "case-trip", output: null, refusal: "I won't", latencyMs: 80 },
    ]);
  });

  it("takes the answers of one provider to one prompt", async () => {
    const args = ["promptfoo", "two.json", "--provider", "M", "--prompt", "0"];
    expect(await answersOf(...args)).toHaveLength(1);
    // promptfoo counts pairs of provider and prompt; here 1 is the second prompt of the only provider.
    for (const prompt of ["1", "b"]) {
      const chosen = await answersOf("promptfoo", "prompts.json", "--prompt", prompt);
      expect(chosen.map(({ id }) => id)).toEqual(["trip"]);
    }
  });
});

it.each<[args: string[], message: string | RegExp]>([
  [["lm-eval"], "<file> is required: The "],
  [["lm-eval", "a", "b"], 'unexpected argument "b"; --help lists the arguments'],
  [["lm-eval", "missing.jsonl"], "missing.jsonl: there is no such file"],
  [["lm-eval", "empty.jsonl"], "empty.jsonl: it has no rows"],
  [["lm-eval", "cut.jsonl"], /^cut.jsonl:2: not JSON: /],
  [
    ["lm-eval", "other.jsonl"],
    'other.jsonl:2: no row of lm-eval --log_samples: there is no "resps"',
  ],
  [["lm-eval", "choices.jsonl"], /^choices.jsonl:1: it compares likelihoods/],
  [["lm-eval", "numbers.jsonl"], "numbers.jsonl:1: resps is -3.5, not a text"],
  [
    ["lm-eval", "lm.jsonl", "--filter", "lax"],
    'lm.jsonl: unknown filter "lax"; choose none, strict',
  ],
  [["lm-eval", "lm.jsonl", "--id-field", "key"], "lm.jsonl:1: it has no doc.key"],
  [["lm-eval", "lm.jsonl", "--out", "lm.jsonl"], /is one of the input files/],
  [["inspect", "header.json"], /^header.json: the log has no samples, so it has no answers/],
  [["inspect", "promptfoo.json"], 'promptfoo.json: not a log of Inspect: there is no "eval"'],
  [["inspect", "nameless.json"], "nameless.json: /samples/0: it has no id"],
  [
    ["inspect", "inspect.json", "--id-field", "key"],
    "inspect.json: /samples/0: it has no metadata.key",
  ],
  [
    ["inspect", "odd-tool.json"],
    /^odd-tool.json: \/samples\/0 \(sample "a"\): \/toolCalls\/0\/name/,
  ],
  [["inspect", "list.json"], "list.json: it is not a JSON object"],
  [["inspect", "text.json"], /^text.json: not JSON: /],
  [["inspect", "quotes.json"], /^quotes.json: not JSON: /],
  [["inspect", "zip.json"], /^zip.json: not a complete zip archive: /],
  [["promptfoo", "zip.json"], "zip.json: it is a zip archive: unpack it first"],
  [["promptfoo", "inspect.json"], /not results of promptfoo: there is no "results.results"/],
  [["promptfoo", "old.json"], "old.json: not version 3 of promptfoo's results: write them again"],
  [["openai-evals", "lm.jsonl"], /not JSON: .*; output items are lines with "object"/],
  [["promptfoo", "text.json"], /not JSON: .*; promptfoo writes JSON with --output results.json/],
  [["promptfoo", "none.json"], "none.json: it has no results"],
  [["promptfoo", "two.json"], /choose one with --provider: M, local:n$/],
  [
    ["promptfoo", "prompts.json"],
    /choose one of its prompts with --prompt: 0 \(no label\), 1 \(b\)$/,
  ],
  [["promptfoo", "two.json", "--provider", "openai:n"], /"openai:n"; did you mean openai:m\?$/],
  [["promptfoo", "prompts.json", "--prompt", "x"], /choose one of its prompts with --prompt: 0 /],
  [
    ["promptfoo", "promptfoo.json", "--id-field", "key"],
    /\/results\/results\/0: its test has no variable "key"/,
  ],
  [["lmeval", "x.jsonl"], "unknown command import lmeval; did you mean lm-eval?"],
])("assay import %j fails with a reason", async (args, message) => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr.trimEnd()).toMatch(message);
  expect(stderr.trimEnd()).not.toContain("\n");
});

it("leaves no file behind when an answer is invalid", async () => {
  await run("lm-eval", "cut.jsonl", "--out", "left.jsonl");
  const left = ["left.jsonl", "left.jsonl.part"].map((name) => existsSync(join(folder.path, name)));
  expect(left).toEqual([false, false]);
});
