import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { suites } from "../../../shared/suites/registry.ts";
import { assay } from "../support/assay.ts";
import { folderWith } from "../support/folder-with.ts";
import { answers, samples } from "../support/three-samples.ts";

const [fee, trip, team] = answers;
const folder = folderWith({
  "samples.jsonl": samples,
  "answers.jsonl": answers,
  "broken.jsonl": `${JSON.stringify(fee)}\n{"id": "trip", "output"`,
  "number.jsonl": [fee, { ...trip, latencyMs: "fast" }],
  "list.jsonl": [fee, [trip]],
  "twice.jsonl": [fee, trip, { ...fee, output: "{}" }],
  "stranger.jsonl": [fee, { ...trip, id: "voyage" }, team, { ...trip, id: "nobody" }],
  "misspelt.jsonl": [fee, { ...trip, latency_ms: 5 }],
  "both.jsonl": [{ ...fee, error: "timeout" }],
  "sure.jsonl": [{ ...fee, confidence: 7 }],
  "logprobs.jsonl": [{ ...fee, logprobs: [2.5] }],
  "calls.jsonl": [{ ...fee, toolCalls: [{ name: "ping", arguments: {} }] }],
  "argless.jsonl": [{ ...fee, toolCalls: [{ name: "ping" }] }],
  "half.jsonl": [{ ...fee, outputTokens: 1.5 }],
  "cut.jsonl": `${JSON.stringify(samples[0])}\n{"text`,
  "table.jsonl": "id,text\nfee,The fee\n",
  "empty.jsonl": "\n\n",
  "malformed.jsonl": [{ id: "fee" }],
  "weights.json": '{"weights": {"validity": 1}}',
  "unknown.json": '{"repeat": 3}',
  "no-json.json": "repeats: 3",
});
const inBytes: Record<string, Buffer> = {
  "utf16.jsonl": Buffer.from(`\uFEFF${JSON.stringify(samples[0])}\n`, "utf16le"),
  "unmarked.jsonl": Buffer.from(`${JSON.stringify(samples[0])}\n`, "utf16le"),
  "gzip.jsonl": gzipSync(JSON.stringify(samples[0])),
  "binary.jsonl": Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0]),
};
for (const [name, bytes] of Object.entries(inBytes)) writeFileSync(join(folder.path, name), bytes);
mkdirSync(join(folder.path, "folder"));
afterAll(folder.dispose);

const files = ["--dataset", "samples.jsonl", "--answers", "answers.jsonl"];

/** Arguments of assay score for these files, with more flags. */
function scoring(dataset: string, given: string, ...more: string[]): string[] {
  return ["score", "extraction", "--dataset", dataset, "--answers", given, ...more];
}

/** The error, the arguments and the message, one line. */
type Case = [what: string, args: string[], message: string | RegExp];

// biome-ignore-start format: tables
const wrongArguments: Case[] = [
  ["an unknown command", ["scor"], "unknown command scor; did you mean score?"],
  ["an unknown flag alone", ["--versoin"], "unknown flag --versoin; did you mean --version?"],
  ["an unknown flag", ["score", "--datset", "x"], "unknown flag --datset; did you mean --dataset?"],
  ["a flag without its value", ["score", "--dataset"], "--dataset needs a value"],
  [
    "no suite",
    ["score", ...files],
    `<suite> is required: ${suites.map(({ id }) => id).join(", ")}`,
  ],
  [
    "an unknown suite",
    ["score", "extrction", ...files],
    'unknown suite "extrction"; did you mean extraction?',
  ],
  [
    "two suites",
    ["score", "extraction", "slots", ...files],
    'unexpected argument "slots"; --help lists the arguments',
  ],
  [
    "no dataset",
    ["score", "extraction", "--answers", "answers.jsonl"],
    "--dataset FILE is required",
  ],
  [
    "no answers",
    ["score", "extraction", "--dataset", "samples.jsonl"],
    "--answers FILE is required",
  ],
  [
    "wrong options",
    scoring("samples.jsonl", "answers.jsonl", "--options", "weights.json"),
    "weights.json: /weights: weights must sum to 1",
  ],
  [
    "an unknown option",
    scoring("samples.jsonl", "answers.jsonl", "--options", "unknown.json"),
    'unknown.json: the options: unknown field "repeat"; did you mean repeats?',
  ],
  [
    "a pass score outside the range",
    ["score", "extraction", ...files, "--pass-score", "80%"],
    '--pass-score must be a score from 0 to 1, not "80%"',
  ],
  [
    "only one of the two prices",
    ["score", "extraction", ...files, "--price-in", "1"],
    "give both --price-in and --price-out; 0 if free",
  ],
  [
    "an invalid price",
    ["score", "extraction", ...files, "--price-in", "1", "--price-out", "cheap"],
    '--price-out must be USD per million tokens, 0 or more, not "cheap"',
  ],
  [
    "two outputs on standard output",
    ["score", "extraction", ...files, "--samples", "-", "--json"],
    "--samples - and --json both print to standard output: write one to a file",
  ],
  [
    "options that are not JSON",
    scoring("samples.jsonl", "answers.jsonl", "--options", "no-json.json"),
    /^no-json\.json: not JSON: /,
  ],
];
const wrongFiles: Case[] = [
  [
    "a missing dataset",
    scoring("none.jsonl", "answers.jsonl"),
    "none.jsonl: there is no such file",
  ],
  ["missing answers", scoring("samples.jsonl", "none.jsonl"), "none.jsonl: there is no such file"],
  ["a folder", scoring("samples.jsonl", "folder/"), "folder/: it is a folder, not a file"],
  [
    "bad JSON",
    scoring("samples.jsonl", "broken.jsonl"),
    /^broken\.jsonl:2: the line is not JSON: /,
  ],
  [
    "an invalid value",
    scoring("samples.jsonl", "number.jsonl"),
    /^number\.jsonl:2: \/latencyMs: .*not "fast"\n$/,
  ],
  [
    "a row that is not an object",
    scoring("samples.jsonl", "list.jsonl"),
    /^list\.jsonl:2: the row: .*object/,
  ],
  [
    "a duplicate id",
    scoring("samples.jsonl", "twice.jsonl"),
    'twice.jsonl:3: duplicate id "fee", first on line 1: give --repeats N if samples have several answers',
  ],
  [
    "an answer without a sample",
    scoring("samples.jsonl", "stranger.jsonl"),
    'stranger.jsonl:2: the dataset has no sample with the id "voyage", nor for 1 more',
  ],
  [
    "an answer without a sample and an unreadable row",
    scoring("cut.jsonl", "answers.jsonl"),
    /^answers\.jsonl:2: the dataset has no sample with the id "trip", nor for 1 more; it may be in cut\.jsonl:2: the line is not JSON: /,
  ],
  [
    "a misspelt field",
    scoring("samples.jsonl", "misspelt.jsonl"),
    'misspelt.jsonl:2: the row: unknown field "latency_ms"; did you mean latencyMs?',
  ],
  [
    "a row with an output and an error",
    scoring("samples.jsonl", "both.jsonl"),
    "both.jsonl:1: the row: give output or error, not both: a row with an error has no answer to score",
  ],
  [
    "an invalid confidence",
    scoring("samples.jsonl", "sure.jsonl"),
    "sure.jsonl:1: /confidence: must be at most 1, not 7",
  ],
  [
    "invalid logprobs",
    scoring("samples.jsonl", "logprobs.jsonl"),
    "logprobs.jsonl:1: /logprobs/0: must be at most 0, not 2.5",
  ],
  [
    "a fraction of a token",
    scoring("samples.jsonl", "half.jsonl"),
    "half.jsonl:1: /outputTokens: must be a whole number, not 1.5",
  ],
  [
    "tool calls that the suite does not read",
    scoring("samples.jsonl", "calls.jsonl"),
    "calls.jsonl:1: /toolCalls: suite extraction reads output, not toolCalls",
  ],
  [
    "a tool call without arguments",
    scoring("samples.jsonl", "argless.jsonl"),
    "argless.jsonl:1: /toolCalls/0/arguments: must be an object, or its JSON as the model wrote it",
  ],
  ["empty answers", scoring("samples.jsonl", "empty.jsonl"), "empty.jsonl: no answers found"],
  [
    "a dataset in UTF-16",
    scoring("utf16.jsonl", "answers.jsonl"),
    "utf16.jsonl: it is UTF-16 text: save it as UTF-8",
  ],
  [
    "a dataset in UTF-16 without a byte order mark",
    scoring("unmarked.jsonl", "answers.jsonl"),
    "unmarked.jsonl: it is UTF-16 text: save it as UTF-8",
  ],
  [
    "a compressed dataset",
    scoring("gzip.jsonl", "answers.jsonl"),
    "gzip.jsonl: it is gzip-compressed: unpack it first, for example with gunzip",
  ],
  [
    "a binary dataset",
    scoring("binary.jsonl", "answers.jsonl"),
    "binary.jsonl: it is a binary file, not JSON lines",
  ],
  [
    "a dataset that is not JSON",
    scoring("table.jsonl", "answers.jsonl"),
    /^table\.jsonl:1: no valid sample; the first problem: the line is not JSON: /,
  ],
  [
    "an empty dataset with answers",
    scoring("empty.jsonl", "answers.jsonl"),
    "empty.jsonl: no samples found",
  ],
  ["an empty dataset", scoring("empty.jsonl", "empty.jsonl"), "empty.jsonl: no samples found"],
  [
    "no usable sample",
    scoring("malformed.jsonl", "empty.jsonl"),
    "malformed.jsonl:1: no valid sample; the first problem: text must be a string",
  ],
  [
    "scores in a missing folder",
    scoring("samples.jsonl", "answers.jsonl", "--samples", "none/out.jsonl"),
    "none/out.jsonl: folder does not exist; create it first",
  ],
  [
    "scores that would overwrite the input",
    scoring("samples.jsonl", "answers.jsonl", "--samples", "answers.jsonl"),
    "answers.jsonl is one of the input files; choose another path",
  ],
  [
    "scores that would overwrite a folder",
    scoring("samples.jsonl", "answers.jsonl", "--samples", "folder/"),
    "folder/: it is a folder, not a file",
  ],
];
// biome-ignore-end format: tables

describe("assay refuses", () => {
  test.each([...wrongArguments, ...wrongFiles])("%s", async (_, args, message) => {
    const { code, stdout, stderr } = await assay(folder.path, args);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    if (typeof message === "string") expect(stderr).toBe(`${message}\n`);
    else expect(stderr).toMatch(message);
  });

  test("text that is not UTF-8", async () => {
    const latin1 = Buffer.from('{"id": "fee", "output": "é"}\n', "latin1");
    const { code, stderr } = await assay(folder.path, scoring("samples.jsonl", "-"), latin1);
    expect([code, stderr]).toEqual([
      2,
      "stdin:1: the line is not UTF-8 text: save the file in UTF-8\n",
    ]);
  });
});

test("assay score leaves no file behind when it fails", async () => {
  const before = readdirSync(folder.path);
  await assay(folder.path, scoring("samples.jsonl", "stranger.jsonl", "--samples", "out.jsonl"));
  expect(readdirSync(folder.path)).toEqual(before);
});
