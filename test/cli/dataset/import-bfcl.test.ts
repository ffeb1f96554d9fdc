import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { checkSample } from "../../../shared/suites/tools/sample.ts";
import { jsonLines } from "../../support/json-lines.ts";
import { assay } from "../support/assay.ts";
import { folderWith } from "../support/folder-with.ts";

const ride = {
  name: "taxi.ride",
  description: "Orders a ride.",
  parameters: { type: "dict", properties: { to: { type: "string" } }, required: ["to"] },
};
const ping = {
  name: "ping",
  description: "Pings a host.",
  parameters: { type: "dict", properties: { seconds: { type: "float" } }, required: [] },
};
const turn = (content: string) => [{ role: "user", content }];
const cases = [
  { id: "simple_0", question: [turn("A ride to the harbour")], function: [ride] },
  { id: "multiple_1", question: [turn("Ping it for two seconds")], function: [ride, ping] },
  { id: "irrelevance_2", question: [turn("Who wrote Emma?")], function: [ping] },
  { id: "live_relevance_3", question: [turn("Ping")], function: [ping] },
  { id: "multi_turn_base_4", question: [turn("One"), turn("Two")] },
];
const answers = [
  { id: "simple_0", ground_truth: [{ "taxi.ride": { to: ["harbour", "the harbour"] } }] },
  { id: "multiple_1", ground_truth: [{ ping: { seconds: [2, ""] } }] },
];
const merged = cases.map((row) => ({ ...row, ...answers.find(({ id }) => id === row.id) }));
const folder = folderWith({
  "cases.jsonl": cases,
  "answers.jsonl": answers,
  "merged.jsonl": merged,
  "strange.jsonl": [...answers, { id: "simple_9", ground_truth: [] }],
  "broken.jsonl": `${JSON.stringify(merged[0])}\n{"id": "cut", "quest\n${JSON.stringify(merged[0])}\n`,
  "cut.jsonl": '{"id": "cut", "quest\n',
  "turns.jsonl": [cases[4]],
  "empty.jsonl": "\n",
  "no-truth.jsonl": [{ id: "simple_0" }],
});
mkdirSync(join(folder.path, "folder"));
afterAll(folder.dispose);

const run = (...args: string[]) => assay(folder.path, ["import", "bfcl", ...args]);
const given = ["--cases", "cases.jsonl", "--answers", "answers.jsonl"];
describe("assay import bfcl", () => {
  test("writes valid samples and lists the skipped cases", async () => {
    const { code, stdout, stderr } = await run(...given, "--out", "out.jsonl");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(`Imported 3 of 5 cases: 2 easy, 1 medium, 0 hard; 1 expect no call

Left out:
  1  relevance     a call is right, but BFCL does not say which
  1  severalTurns  several turns without the classes that simulate their world

Renamed 1 name that OpenAI refuses, in tools and expected calls: taxi.ride is taxi_ride

The samples are in out.jsonl
`);
    const samples = jsonLines(readFileSync(join(folder.path, "out.jsonl"), "utf8"));
    expect(samples.map((row) => checkSample(row))).toEqual(
      samples.map((sample) => ({ ok: true, value: { sample, warnings: [] } })),
    );
    expect(samples.map(({ expected_calls }) => expected_calls)).toEqual([
      [{ name: "taxi_ride", arguments: { to: { any_of: ["harbour", "the harbour"] } } }],
      [{ name: "ping", arguments: { seconds: { any_of: [2, ""] } } }],
      [],
    ]);
  });

  test("reads answers from the cases' own file with the same result", async () => {
    const [apart, together] = await Promise.all([
      run(...given, "--out", "-"),
      run("--cases", "merged.jsonl", "--out", "-"),
    ]);
    expect(together.stdout).toBe(apart.stdout);
    expect(jsonLines(apart.stdout)).toHaveLength(3);
    expect(apart.stderr).toMatch(/^Imported 3 of 5.*\nThe samples are on standard output\n$/s);
  });

  test("writes nothing without --out, and says so", async () => {
    const { stdout } = await run(...given);
    expect(stdout).toMatch(/\nNothing was written: --out FILE saves the samples\n$/);
  });

  test("prints the summary as JSON with the ids of skipped cases", async () => {
    const { stdout } = await run("--cases", "cases.jsonl", "--answers", "strange.jsonl", "--json");
    expect(JSON.parse(stdout)).toEqual({
      format: "bfcl",
      suite: "tools",
      cases: 5,
      imported: 3,
      levels: { easy: 2, medium: 1, hard: 0 },
      irrelevance: 1,
      skipped: {
        relevance: { count: 1, ids: ["live_relevance_3"] },
        severalTurns: { count: 1, ids: ["multi_turn_base_4"] },
      },
      malformed: [],
      warned: {},
      renamed: [{ from: "taxi.ride", to: "taxi_ride" }],
      unusedAnswers: 1,
      out: null,
    });
  });

  test("lists malformed rows and duplicate ids on standard error, and imports the others", async () => {
    const { code, stdout, stderr } = await run("--cases", "broken.jsonl");
    expect([code, stdout.split("\n")[0]]).toEqual([
      0,
      "Imported 1 of 3 cases: 1 easy, 0 medium, 0 hard; 0 expect no call",
    ]);
    expect(stderr.split("\n")).toEqual([
      expect.stringMatching(/^broken.jsonl:2: sample "cut": the line is not JSON: .*; left out$/),
      'broken.jsonl:3: sample "simple_0": duplicate id "simple_0"; left out',
      "",
    ]);
  });

  test("has a help page that lists every reason for skipping", async () => {
    const { stdout } = await run("--help");
    expect(stdout).toMatch(/^assay import bfcl --cases /);
    expect(stdout).toMatch(/^ {2}otherLanguage +its values are source code/m);
  });

  test.each<[what: string, args: string[], message: string | RegExp]>([
    ["another", ["import", "bfc"], "unknown command import bfc; did you mean bfcl?"],
    ["a loose file", ["import", "bfcl", "x.json"], /did you mean --cases x\.json/],
    ["no cases", ["import", "bfcl"], "--cases FILE is required"],
    ["an empty file", ["import", "bfcl", "--cases", "empty.jsonl"], "empty.jsonl: it has no cases"],
    [
      "a missing file",
      ["import", "bfcl", "--cases", "no.jsonl"],
      "no.jsonl: there is no such file",
    ],
    [
      "broken cases",
      ["import", "bfcl", "--cases", "cut.jsonl"],
      /^cut.jsonl:1: no case can be imported; here: the line is not JSON/,
    ],
    [
      "no usable case",
      ["import", "bfcl", "--cases", "turns.jsonl"],
      /^turns.jsonl: no case can be imported; most frequent reason: several turns without/,
    ],
    [
      "no answers in the file of answers",
      ["import", "bfcl", "--cases", "cases.jsonl", "--answers", "no-truth.jsonl"],
      "no-truth.jsonl:1: not a possible answer {id, ground_truth}",
    ],
    [
      "its own input as output",
      ["import", "bfcl", ...given, "--out", "cases.jsonl"],
      "cases.jsonl is one of the input files; choose another path",
    ],
    [
      "a folder as output",
      ["import", "bfcl", ...given, "--out", "folder/"],
      /folder\/: it is a folder, not a file/,
    ],
  ])("exits with 2 and one line: %s", async (_, args, message) => {
    const { code, stdout, stderr } = await assay(folder.path, args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.trimEnd()).toMatch(message);
    expect(stderr.trimEnd()).not.toContain("\n");
  });

  test("leaves no file behind when nothing can be imported", async () => {
    await run("--cases", "turns.jsonl", "--out", "none.jsonl");
    const left = ["none.jsonl", "none.jsonl.part"].map((name) =>
      existsSync(join(folder.path, name)),
    );
    expect(left).toEqual([false, false]);
  });
});
