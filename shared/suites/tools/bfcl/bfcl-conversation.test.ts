import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../contracts/json.ts";
import { answerOf } from "../../../contracts/submissions/submitted-answer.ts";
import { toolsOptionsSchema } from "../options.ts";
import type { ToolsSample } from "../sample.ts";
import { isRight, scoreTools } from "../score/score.ts";
import { bfclSample } from "./bfcl.ts";
import { bfclAnswer } from "./bfcl-results.ts";
import { pythonCalls } from "./python-calls.ts";

const method = (name: string, ...names: string[]): JsonObject => ({
  name,
  description: `Does ${name}.`,
  parameters: {
    type: "dict",
    properties: Object.fromEntries(names.map((one) => [one, { type: "string" }])),
    required: names.slice(0, 1),
  },
});
const documents = new Map([
  [
    "GorillaFileSystem",
    [method("cd", "folder"), method("ls"), method("touch", "file_name"), method("rm", "file_name")],
  ],
]);
const userMessage = (content: string) => [{ role: "user", content }];
const row: JsonObject = {
  id: "multi_turn_miss_func_900",
  question: [userMessage("Go to notes and list them."), userMessage("Delete a.txt."), []],
  initial_config: {
    GorillaFileSystem: {
      root: {
        home: {
          type: "directory",
          contents: {
            notes: {
              type: "directory",
              contents: { "a.txt": { type: "file", content: "A" } },
            },
          },
        },
      },
    },
  },
  involved_classes: ["GorillaFileSystem"],
  excluded_function: ["touch"],
  missed_function: { "2": ["rm"] },
  ground_truth: [["cd(folder='notes')", "ls()"], [], ["rm('a.txt')"]],
};

function imported(more: JsonObject = {}, given = documents): ToolsSample {
  const read = bfclSample({ ...row, ...more }, undefined, given);
  if (!read.ok) throw new Error(read.error.detail ?? read.error.reason);
  return read.value.sample;
}

const options = toolsOptionsSchema.parse({ textRules: "bfcl", strictArguments: true });

/** The failures of the turns that a result file records. */
function failuresOf(result: JsonObject["result"], sample = imported()) {
  const answer = bfclAnswer({ id: sample.id, result: result! }, sample)!;
  const { detail } = scoreTools(sample, answerOf(answer as never), options);
  return detail.turns?.map(({ failure }) => failure);
}

const cd = { cd: '{"folder": "notes"}' };
const ls = { ls: "{}" };
const rm = { rm: '{"file_name": "a.txt"}' };

describe("bfclSample() on a case with several turns", () => {
  it("imports turns, worlds, and functions that are missing at first", () => {
    const { conversation, difficulty, tags } = imported();
    expect([difficulty, tags]).toEqual([
      "hard",
      { source: "bfcl", category: "multi_turn_miss_func", kind: "conversation" },
    ]);
    const names = (tools: JsonObject[]) =>
      tools.map((tool) => (tool["function"] as JsonObject)["name"]);
    expect(names(conversation!.tools)).toEqual(["cd", "ls"]);
    expect(conversation?.turns.map(({ tools }) => names(tools))).toEqual([[], [], ["rm"]]);
    expect(conversation?.turns[2]?.messages[0]?.content).toMatch(/^I have updated some more/);
    expect(conversation?.turns.map(({ calls }) => calls)).toEqual([
      [
        { name: "cd", arguments: { folder: "notes" } },
        { name: "ls", arguments: {} },
      ],
      [],
      [{ name: "rm", arguments: { file_name: "a.txt" } }],
    ]);
  });

  it.each<[string, JsonObject, typeof documents, string]>([
    ["an unknown class", { involved_classes: ["WebSearchAPI"] }, documents, "otherWorld"],
    ["no documents", {}, new Map(), "noDocuments"],
    ["no ground truth", { ground_truth: undefined as never }, documents, "noAnswer"],
    ["a ground truth of another length", { ground_truth: [[]] }, documents, "malformed"],
    ["a ground truth of prose", { ground_truth: [["prose"], [], []] }, documents, "malformed"],
  ])("refuses %s", (_, more, given, reason) => {
    const read = bfclSample({ ...row, ...more }, undefined, given);
    expect(read.ok ? null : read.error.reason).toBe(reason);
  });

  it("refuses cases of the category long_context", () => {
    const padded = { ...row, id: "multi_turn_long_context_900" };
    const read = bfclSample(padded, undefined, documents);
    expect(read).toMatchObject({ error: { reason: "longContext" } });
  });
});

describe("bfclAnswer() on several turns", () => {
  it("imports native calls, texts, latencies and tokens", () => {
    const sample = imported();
    const result = [[[cd, ls], "Here."], [[]], [[rm]]];
    const took = { latency: [[0.5, 0.1], [0.2], [1]], input_token_count: [[7, 9], [11], [13]] };
    expect(bfclAnswer({ id: row["id"]!, result, ...took }, sample)?.["turns"]).toEqual([
      [
        {
          output: null,
          toolCalls: [
            { name: "cd", arguments: { folder: "notes" } },
            { name: "ls", arguments: {} },
          ],
          latencyMs: 500,
          inputTokens: 7,
        },
        { output: "Here.", toolCalls: [], latencyMs: 100, inputTokens: 9 },
      ],
      [{ output: null, toolCalls: [], latencyMs: 200, inputTokens: 11 }],
      [
        {
          output: null,
          toolCalls: [{ name: "rm", arguments: { file_name: "a.txt" } }],
          latencyMs: 1000,
          inputTokens: 13,
        },
      ],
    ]);
  });

  it("leads to BFCL's verdicts", () => {
    expect(failuresOf([[[cd, ls]], [[]], [[rm]]])).toEqual([null, null, null]);
    expect(
      failuresOf([[["[cd(folder='notes'), ls()]"][0]!], ["No."], ["rm(file_name='a.txt')"]]),
    ).toEqual([null, null, null]);
    // The results of both calls are needed by the end of the turn; calls of earlier turns count.
    expect(failuresOf([[[cd]], [[ls, rm]], [[ls]]])).toEqual(["results", null, null]);
    expect(failuresOf([[[cd, ls]], [[]], ["Sorry."]])).toEqual([null, null, "empty"]);
    expect(failuresOf([[[cd, ls]], [[]]])).toEqual([null, "ended", "ended"]);
    // A step with an unreadable call has no calls.
    const cut = { rm: '{"file_name": "a.t' };
    expect(failuresOf([[[cd, ls]], [[]], [[cut, rm]]])).toEqual([null, null, "empty"]);
  });

  it("imports an error instead of a result as a failed request", () => {
    const sample = imported();
    const answer = bfclAnswer({ id: sample.id, result: `Error: ${"x".repeat(900)}` }, sample)!;
    const { covered, detail } = scoreTools(sample, answerOf(answer as never), options);
    expect([covered, isRight(detail)]).toEqual([false, false]);
  });
});

describe("pythonCalls()", () => {
  it.each<[string, unknown]>([
    ["f()", [["f", [], {}]]],
    [
      "[a.b(x=1, y=-2.5e1), g('s', \"t\")]",
      [
        ["a.b", [], { x: 1, y: -25 }],
        ["g", ["s", "t"], {}],
      ],
    ],
    [
      "f(x=[True, False, None], y=(1, 2), z={'a': {'b': ()}},)",
      [["f", [], { x: [true, false, null], y: [1, 2], z: { a: { b: [] } } }]],
    ],
    [
      "f(x='it\\'s\\n' 'more \\u00e9', y=\"\"\"a\n'b'\"\"\")",
      [["f", [], { x: "it's\nmore é", y: "a\n'b'" }]],
    ],
    ["[]", []],
    ["I would call f(x).", null],
    ["f(x=g(1))", null],
    ["f(x=1", null],
    ["f(x='open)", null],
    [`f(${"[".repeat(100)}${"]".repeat(100)})`, null],
  ])("reads %s", (text, expected) => {
    const calls = pythonCalls(text);
    expect(calls?.map(({ name, positional, named }) => [name, positional, named]) ?? null).toEqual(
      expected,
    );
  });
});
