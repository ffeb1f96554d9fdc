import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { assay } from "../support/assay.ts";
import { folderWith } from "../support/folder-with.ts";

const turn = (content: string) => [{ role: "user", content }];
const ride = {
  name: "taxi.ride",
  description: "Orders a ride.",
  parameters: { type: "dict", properties: { to: { type: "string" } }, required: ["to"] },
};
const single = {
  "cases.jsonl": ["Harbour", "Station", "Airport"].map((to, i) => ({
    id: `simple_${i}`,
    question: [turn(`A ride to: ${to}`)],
    function: [ride],
    ground_truth: [{ "taxi.ride": { to: [`Main ${to}`, to] } }],
  })),
  "results.jsonl": [
    { id: "simple_0", result: [{ "taxi.ride": '{"to": "main-harbour"}' }], latency: 0.25 },
    { id: "simple_1", result: [{ taxi_ride: '{"to": "Airport"}' }] },
    { id: "simple_2", result: "[taxi.ride(to='AIRPORT')]" },
    { id: "simple_9", result: "No." },
  ],
  "scores.jsonl": [
    { accuracy: 1 / 3, correct_count: 1, total_count: 3 },
    { id: "simple_1", valid: false, error_type: "value_error:string" },
    { id: "simple_2", valid: false, error_type: "ast_decoder:decoder_failed" },
  ],
};
const file = { type: "file", content: "A" };
const several = {
  "turns.jsonl": [
    {
      id: "multi_turn_base_0",
      question: [turn("Make a file b."), turn("Remove a.")],
      involved_classes: ["GorillaFileSystem"],
      initial_config: {
        GorillaFileSystem: { root: { home: { type: "directory", contents: { a: file } } } },
      },
    },
  ],
  "turns-truth.jsonl": [
    {
      id: "multi_turn_base_0",
      ground_truth: [["touch(file_name='b')"], ["rm(file_name='a')"]],
    },
  ],
  "turns-results.jsonl": [
    {
      id: "multi_turn_base_0",
      result: [
        [[{ ls: "{}" }], [{ touch: '{"file_name": "b"}' }], "There it is."],
        [[{ rm: '{"file_name": "a"}' }], "Gone."],
      ],
    },
  ],
  "turns-scores.jsonl": [{ accuracy: 1, correct_count: 1, total_count: 1 }],
};
const folder = folderWith({ ...single, ...several });
const names = { ls: [], touch: ["file_name"], rm: ["file_name"] };
const documents = Object.entries(names).map(([name, required]) => ({
  name,
  parameters: {
    type: "dict",
    properties: Object.fromEntries(required.map((one) => [one, { type: "string" }])),
    required,
  },
}));
mkdirSync(join(folder.path, "docs"));
writeFileSync(
  join(folder.path, "docs/gorilla_file_system.json"),
  documents.map((one) => `${JSON.stringify(one)}\n`).join(""),
);
afterAll(folder.dispose);

const run = (...args: string[]) => assay(folder.path, ["import", "bfcl-results", ...args]);
const ofSingle = ["results.jsonl", "--cases", "cases.jsonl", "--scores", "scores.jsonl"];
const ofTurns = ["turns-results.jsonl", "--cases", "turns.jsonl", "--answers", "turns-truth.jsonl"];

describe("assay import bfcl-results", () => {
  test("says how often the verdicts agree, and on which answers they do not", async () => {
    const { code, stdout } = await run(...ofSingle);
    expect([code, stdout]).toEqual([
      0,
      `Verdicts agree on 2 of 3 answers: 66.67%
Right here 66.67%, at BFCL 33.33%
1 answer to cases that can't be samples

Right only here, with BFCL's reason:
  simple_2  ast_decoder:decoder_failed
`,
    ]);
  });

  test("writes answers that assay score reads, and prints the agreement as JSON", async () => {
    const { code, stdout } = await run(...ofSingle, "--json", "--out", "answers.jsonl");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      compared: 3,
      agreed: 2,
      agreement: 2 / 3,
      rightOnlyHere: [{ id: "simple_2" }],
      rightOnlyAtBfcl: [],
      leftOut: 1,
    });
    const [first] = readFileSync(join(folder.path, "answers.jsonl"), "utf8").split("\n");
    expect(JSON.parse(first ?? "")).toEqual({
      id: "simple_0",
      output: null,
      toolCalls: [{ name: "taxi_ride", arguments: { to: "main-harbour" } }],
      latencyMs: 250,
    });
  });

  test("takes conversations, which score as they did at BFCL", async () => {
    const worlds = ["--functions", "docs/"];
    const { stdout, stderr } = await run(...ofTurns, ...worlds, "--scores", "turns-scores.jsonl");
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^Verdicts agree on 1 of 1 answer: 100\.00%/);
    await run(...ofTurns, ...worlds, "--out", "turns-answers.jsonl");
    const given = ["--cases", "turns.jsonl", "--answers", "turns-truth.jsonl", ...worlds];
    const importing = ["import", "bfcl", ...given, "--out", "samples.jsonl"];
    const imported = await assay(folder.path, importing);
    expect(imported.stdout).toMatch(/^Imported 1 of 1 cases: 0 easy, 0 medium, 1 hard/);
    const files = ["--dataset", "samples.jsonl", "--answers", "turns-answers.jsonl"];
    const scored = await assay(folder.path, ["score", "tools", ...files, "--json"]);
    const { metrics } = JSON.parse(scored.stdout) as { metrics: Record<string, { value: number }> };
    // One of three calls only looks around.
    expect(metrics["conversationRate"]?.value).toBe(1);
    expect(metrics["avgF1"]?.value).toBeCloseTo((2 / 3 + 1) / 2, 9);
  });

  test.each<[what: string, args: string[], message: RegExp]>([
    ["no cases", ["results.jsonl"], /--cases FILE is required/],
    ["no results", ["none.jsonl", "--cases", "cases.jsonl"], /none\.jsonl: there is no such file/],
    ["JSON without scores", [...ofTurns, "--json"], /add --scores FILE/],
    [
      "results without usable cases",
      ["turns-results.jsonl", "--cases", "cases.jsonl"],
      /no answers found/,
    ],
    [
      "a folder without documents",
      [...ofTurns, "--functions", "./"],
      /has no documents of functions, such as gorilla_file_system\.json/,
    ],
  ])("exits with 2: %s", async (_, args, message) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
