import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { assay } from "./support/assay.ts";
import { folderWith } from "./support/folder-with.ts";
import { answers, samples } from "./support/three-samples.ts";

const [fee, trip, team] = answers;
const folder = folderWith({
  "samples.jsonl": samples,
  "answers.jsonl": answers,
  "broken.jsonl": `${JSON.stringify(fee)}\n{"id": "trip", "output"`,
  "number.jsonl": [fee, { ...trip, latencyMs: "fast" }],
  "list.jsonl": [[fee]],
  "twice.jsonl": [fee, trip, { ...fee, output: "{}" }],
  "stranger.jsonl": [fee, { ...trip, id: "voyage" }, team, { ...trip, id: "nobody" }],
  "empty.jsonl": "\n\n",
  "malformed.jsonl": [{ id: "fee" }],
  "weights.json": '{"weights": {"validity": 1}}',
  "unknown.json": '{"repeat": 3}',
  "no-json.json": "repeats: 3",
});
mkdirSync(join(folder.path, "folder"));
afterAll(folder.dispose);

const files = ["--dataset", "samples.jsonl", "--answers", "answers.jsonl"];

/** Arguments that score these files, with more flags. */
function scoring(dataset: string, given: string, ...more: string[]): string[] {
  return ["score", "extraction", "--dataset", dataset, "--answers", given, ...more];
}

/** What is wrong, the arguments, and the one line that says so. */
type Case = [what: string, args: string[], message: string | RegExp];

// biome-ignore-start format: tables
const wrongArguments: Case[] = [
  ["an unknown command", ["scor"], "there is no command scor; did you mean score?"],
  ["an unknown flag alone", ["--versoin"], "there is no flag --versoin; did you mean --version?"],
  [
    "an unknown flag",
    ["score", "--datset", "x"],
    "there is no flag --datset; did you mean --dataset?",
  ],
  [
    "a flag without its value",
    ["score", "--dataset"],
    "Option '--dataset <value>' argument missing",
  ],
  ["no suite", ["score", ...files], "name a suite: extraction"],
  [
    "an unknown suite",
    ["score", "extrction", ...files],
    'there is no suite "extrction"; did you mean extraction?',
  ],
  [
    "two suites",
    ["score", "extraction", "slots", ...files],
    'one suite at a time; "slots" is too much',
  ],
  ["no dataset", ["score", "extraction", "--answers", "answers.jsonl"], "--dataset FILE is needed"],
  ["no answers", ["score", "extraction", "--dataset", "samples.jsonl"], "--answers FILE is needed"],
  [
    "wrong options",
    scoring("samples.jsonl", "answers.jsonl", "--options", "weights.json"),
    "weights.json: /weights: weights must sum to 1",
  ],
  [
    "an unknown option",
    scoring("samples.jsonl", "answers.jsonl", "--options", "unknown.json"),
    /^unknown\.json: \/repeat: there is no field "repeat" here/,
  ],
  [
    "options that are no JSON",
    scoring("samples.jsonl", "answers.jsonl", "--options", "no-json.json"),
    /^no-json\.json: it is not JSON: /,
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
    "a wrong value",
    scoring("samples.jsonl", "number.jsonl"),
    /^number\.jsonl:2: \/latencyMs: .*not "fast"\n$/,
  ],
  [
    "a row that is no object",
    scoring("samples.jsonl", "list.jsonl"),
    /^list\.jsonl:1: the row: .*object/,
  ],
  [
    "an id that stands twice",
    scoring("samples.jsonl", "twice.jsonl"),
    'twice.jsonl:3: the id "fee" stands twice, first on line 1',
  ],
  [
    "answers without a sample",
    scoring("samples.jsonl", "stranger.jsonl"),
    'stranger.jsonl:2: the dataset has no sample with the id "voyage", nor for 1 more',
  ],
  ["an empty dataset", scoring("empty.jsonl", "empty.jsonl"), "empty.jsonl: it holds no sample"],
  [
    "no usable sample",
    scoring("malformed.jsonl", "empty.jsonl"),
    "malformed.jsonl:1: no sample can be used; this one: text must be a string",
  ],
  [
    "scores in no folder",
    scoring("samples.jsonl", "answers.jsonl", "--samples", "none/out.jsonl"),
    "none/out.jsonl: there is no such file",
  ],
  [
    "scores over the input",
    scoring("samples.jsonl", "answers.jsonl", "--samples", "answers.jsonl"),
    "answers.jsonl: it is one of the files to read; give another path",
  ],
  [
    "scores over a folder",
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
    expect([code, stderr]).toEqual([2, "stdin:1: the line is not UTF-8 text\n"]);
  });
});

test("assay leaves no file behind when it refuses", async () => {
  const before = readdirSync(folder.path);
  await assay(folder.path, scoring("samples.jsonl", "stranger.jsonl", "--samples", "out.jsonl"));
  expect(readdirSync(folder.path)).toEqual(before);
});
