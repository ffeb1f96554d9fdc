import { readFileSync } from "node:fs";
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
  "failed.jsonl": [
    { id: "simple_0", result: "Error during inference: Error code: 429", traceback: "…" },
    { id: "simple_9", result: "No." },
  ],
  "huge.jsonl": [
    { id: "simple_0", result: [{ "taxi.ride": '{"to": "Harbour"}' }] },
    { id: "simple_1", result: [{ "taxi.ride": '{"to": 1e999}' }] },
    { id: "simple_2", result: "[taxi.ride(to=1e999)]" },
  ],
  "scores.jsonl": [
    { accuracy: 2 / 4, correct_count: 2, total_count: 4 },
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
const names = { ls: [], touch: ["file_name"], rm: ["file_name"] };
const documents = Object.entries(names).map(([name, required]) => ({
  name,
  parameters: {
    type: "dict",
    properties: Object.fromEntries(required.map((one) => [one, { type: "string" }])),
    required,
  },
}));
/** BFCL's folders: data, and results and scores of two models. The second model calls no tool. */
const tree = {
  "docs/gorilla_file_system.json": documents,
  "data/multi_turn_func_doc/gorilla_file_system.json": documents,
  "data/BFCL_v4_simple.json": single["cases.jsonl"],
  "data/BFCL_v4_multi_turn_base.json": several["turns.jsonl"],
  "data/possible_answer/BFCL_v4_multi_turn_base.json": several["turns-truth.jsonl"],
  "result/a/BFCL_v4_simple_result.json": single["results.jsonl"],
  "result/a/BFCL_v4_java_result.json": [{ id: "java_0", result: "" }],
  "result/a/multi/BFCL_v4_multi_turn_base_result.json": several["turns-results.jsonl"],
  "result/b/BFCL_v4_simple_result.json": single["results.jsonl"].map(({ id }) => ({
    id,
    result: "No.",
  })),
  "score/a/BFCL_v4_simple_score.json": single["scores.jsonl"],
  "score/a/BFCL_v4_java_score.json": [{ accuracy: 1, correct_count: 1, total_count: 1 }],
  "score/a/multi/BFCL_v4_multi_turn_base_score.json": several["turns-scores.jsonl"],
  "score/b/BFCL_v4_simple_score.json": [
    { accuracy: 1 / 4, correct_count: 1, total_count: 4 },
    ...[0, 1, 2].map((i) => ({ id: `simple_${i}`, valid: false })),
  ],
  // Repeated answers in one category, no usable cases in another, and incomplete scores.
  "twice/BFCL_v4_simple_result.json": Array(9).fill(single["results.jsonl"].slice(0, 3)).flat(),
  "twice/BFCL_v4_multi_turn_base_result.json": several["turns-results.jsonl"],
  "twice/BFCL_v4_simple_score.json": single["scores.jsonl"],
  "twice/BFCL_v4_multi_turn_base_score.json": several["turns-scores.jsonl"],
  "unusable/BFCL_v4_simple.json": single["cases.jsonl"],
  "unusable/BFCL_v4_multi_turn_base.json": several["turns.jsonl"],
  "cut.jsonl": single["scores.jsonl"].slice(0, 2),
  "headless.jsonl": single["scores.jsonl"].slice(1),
  "fewer.jsonl": [{ correct_count: 1, total_count: 3 }, ...single["scores.jsonl"].slice(1)],
};
const folder = folderWith({ ...single, ...several, ...tree });
afterAll(folder.dispose);

const run = (...args: string[]) => assay(folder.path, ["import", "bfcl-results", ...args]);
const ofSingle = ["results.jsonl", "--cases", "cases.jsonl", "--scores", "scores.jsonl"];
const ofTurns = ["turns-results.jsonl", "--cases", "turns.jsonl", "--answers", "turns-truth.jsonl"];

describe("assay import bfcl-results", () => {
  test("states how often the verdicts agree and lists the disagreements", async () => {
    const { code, stdout } = await run(...ofSingle);
    expect([code, stdout]).toEqual([
      0,
      `category  answers  agreement  right here  right at BFCL  left out
results         3     66.67%      66.67%         33.33%         1
Left out: answers without a usable case

Disagreements
results: 1 answer right only here; at BFCL: ast_decoder:decoder_failed (simple_2)
`,
    ]);
  });

  test("writes answers that assay score reads, and prints the agreement as JSON", async () => {
    const { code, stdout } = await run(...ofSingle, "--json", "--out", "answers.jsonl");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      categories: [
        {
          category: "results",
          compared: 3,
          agreed: 2,
          agreement: 2 / 3,
          leftOut: 1,
          disagreements: [{ rightOnly: "here", count: 1, ids: ["simple_2"] }],
        },
      ],
      below: [],
    });
    const [first] = readFileSync(join(folder.path, "answers.jsonl"), "utf8").split("\n");
    expect(JSON.parse(first ?? "")).toEqual({
      id: "simple_0",
      output: null,
      toolCalls: [{ name: "taxi_ride", arguments: { to: "main-harbour" } }],
      latencyMs: 250,
    });
  });

  test("counts skipped answers and failed requests, and fails with a reason when no case is usable", async () => {
    const args = ["failed.jsonl", "--cases", "cases.jsonl", "--out", "failed-answers.jsonl"];
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout.split("\n")[0]]).toEqual([
      0,
      "Imported 1 answer to 1 sample; 1 failed request",
    ]);
    expect(stderr).toMatch(/^1 answer left out: no usable case in --cases;/);
    const unanswered = await run("turns-results.jsonl", "--cases", "turns.jsonl");
    expect([unanswered.code, unanswered.stderr]).toEqual([
      2,
      expect.stringContaining("no case can be imported; most frequent reason:"),
    ]);
  });

  test("treats a number outside the double range as a wrong argument of that answer", async () => {
    const given = ["huge.jsonl", "--cases", "cases.jsonl", "--out", "huge-answers.jsonl"];
    expect(await run(...given)).toMatchObject({ code: 0, stderr: "" });
    const importing = ["import", "bfcl", "--cases", "cases.jsonl", "--out", "huge-samples.jsonl"];
    await assay(folder.path, importing);
    const files = ["--dataset", "huge-samples.jsonl", "--answers", "huge-answers.jsonl"];
    const scored = await assay(folder.path, ["score", "tools", ...files, "--json"]);
    const { metrics } = JSON.parse(scored.stdout) as { metrics: Record<string, { value: number }> };
    expect(metrics["avgF1"]?.value).toBeCloseTo(1 / 3, 9);
  });

  test("imports conversations with the same verdicts as BFCL", async () => {
    const worlds = ["--functions", "docs/"];
    const { stdout, stderr } = await run(...ofTurns, ...worlds, "--scores", "turns-scores.jsonl");
    expect(stderr).toBe("");
    expect(stdout).toContain("turns-results        1    100.00%     100.00%        100.00%");
    await run(...ofTurns, ...worlds, "--out", "turns-answers.jsonl");
    const given = ["--cases", "turns.jsonl", "--answers", "turns-truth.jsonl", ...worlds];
    const importing = ["import", "bfcl", ...given, "--out", "samples.jsonl"];
    const imported = await assay(folder.path, importing);
    expect(imported.stdout).toMatch(/^Imported 1 of 1 cases: 0 easy, 0 medium, 1 hard/);
    const files = ["--dataset", "samples.jsonl", "--answers", "turns-answers.jsonl"];
    const scored = await assay(folder.path, ["score", "tools", ...files, "--json"]);
    const { metrics } = JSON.parse(scored.stdout) as { metrics: Record<string, { value: number }> };
    // One of three calls only reads.
    expect(metrics["conversationRate"]?.value).toBe(1);
    expect(metrics["avgF1"]?.value).toBeCloseTo((2 / 3 + 1) / 2, 9);
  });

  test("compares whole folders by category and fails below --fail-under", async () => {
    const all = ["result/", "--cases", "data/", "--scores", "score/", "--fail-under"];
    const { code, stdout, stderr } = await run(...all, "0.985");
    expect(code).toBe(1);
    expect(stdout).toBe(
      `category         answers  agreement  right here  right at BFCL  left out
java                   0          –           –              –         1
multi_turn_base        1    100.00%     100.00%        100.00%         0
simple                 6     83.33%      33.33%         16.67%         2
all                    7     85.71%      42.86%         28.57%         3
Left out: answers without a usable case

Disagreements
simple: 1 answer right only here; at BFCL: ast_decoder:decoder_failed (simple_2)
`,
    );
    expect(stderr).toBe("simple: verdicts agree on 5 of 6 answers, less than 98.50%\n");
    const passed = await run(...all, "0.8", "--json");
    expect(passed.code).toBe(0);
    expect(JSON.parse(passed.stdout)).toMatchObject({
      categories: [
        { category: "java", files: 1, agreement: null, leftOut: 1 },
        { category: "multi_turn_base", files: 1 },
        { category: "simple", files: 2, agreement: 5 / 6, right: 2, bfclRight: 1 },
      ],
      below: [],
    });
  });

  test("takes each id once, and fails if no answer of a category was compared", async () => {
    const all = ["twice/", "--cases", "unusable/", "--scores", "twice/", "--json"];
    const { code, stdout, stderr } = await run(...all, "--fail-under", "0.6");
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      {
        categories: [
          { category: "multi_turn_base", compared: 0, leftOut: 1 },
          { category: "simple", compared: 3, agreed: 2, disagreements: [{ count: 1 }] },
        ],
        below: ["multi_turn_base"],
      },
    ]);
    expect(stderr).toMatch(/^multi_turn_base: none of 1 answer could be compared; check --cases/);
    expect((await run(...all)).code).toBe(0);
  });

  test.each<[what: string, args: string[], message: RegExp]>([
    [
      "truncated scores",
      [...ofSingle, "--scores", "cut.jsonl"],
      /cut\.jsonl: its first line counts 2 wrong of 4 answers, but 1 are listed/,
    ],
    [
      "scores without counts",
      [...ofSingle, "--scores", "headless.jsonl"],
      /headless\.jsonl: its first line must have correct_count and total_count/,
    ],
    [
      "scores of fewer answers",
      [...ofSingle, "--scores", "fewer.jsonl"],
      /fewer\.jsonl: it has scores of 3 answers, and there are 4/,
    ],
    ["no cases", ["results.jsonl"], /--cases PATH is required/],
    ["no results", ["none.jsonl", "--cases", "cases.jsonl"], /none\.jsonl: there is no such file/],
    ["JSON without scores", [...ofTurns, "--json"], /add --scores PATH/],
    ["an invalid share", [...ofSingle, "--fail-under", "98"], /a share from 0 to 1, .* "98"/],
    ["several files to import", ["result/", "--cases", "data/"], /compared with --scores PATH/],
    ["one score of several", ["result/", ...ofSingle], /give the folder of the scores/],
    ["a folder without results", ["docs/", "--cases", "data/"], /docs\/: has no results/],
    [
      "results without scores",
      ["result/", "--cases", "data/", "--scores", "data/"],
      /BFCL_v4_java_score\.json: there is no such file/,
    ],
    [
      "nothing to compare",
      ["result/a/BFCL_v4_java_result.json", "--cases", "data/", "--scores", "score/a/"],
      /no answer could be compared/,
    ],
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
