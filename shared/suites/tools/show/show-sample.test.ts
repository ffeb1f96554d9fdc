import { expect, test } from "vitest";
import { type Answer, emptyAnswer } from "../../../contracts/answer.ts";
import type { FieldsBlock, ReportBlock, TableBlock, TextBlock } from "../../../contracts/report.ts";
import { hybridAnswer } from "../../../measures/hybrid.ts";
import { bankSample } from "../__fixtures__/bank.ts";
import { pingSample } from "../__fixtures__/ping.ts";
import { defaultOptions, type ToolsOptions } from "../options.ts";
import type { ToolsSample } from "../sample.ts";
import { scoreTools } from "../score/score.ts";
import { showTools } from "./show-sample.ts";

const call = (n: unknown, name = "ping") => ({ name, arguments: { n } });

function shown(
  given: Partial<Answer>,
  sample: ToolsSample = pingSample("one", "hard", [1, 2]),
  options: Partial<ToolsOptions> = {},
): ReportBlock[] {
  const answer = { ...emptyAnswer, requests: 1, ...given };
  const score = scoreTools(sample, answer, { ...defaultOptions, ...options });
  return showTools({ sample, answer, score });
}

const fieldsOf = (blocks: readonly ReportBlock[]): FieldsBlock =>
  blocks.find((block) => block.kind === "fields") as FieldsBlock;
const titles = (blocks: readonly ReportBlock[]) => blocks.map(({ title }) => title);

test("showTools() shows the conversation and the offered tools", () => {
  const [conversation, offered] = shown({ toolCalls: [call(1)] });
  expect(conversation).toMatchObject({ kind: "text", text: "user: Ping one." });
  expect(offered).toMatchObject({ isCode: true, text: "ping(n: integer)\npong(n: integer)" });
  const bare = {
    ...pingSample("two", "easy", []),
    tools: [{ name: "bare" }, { name: "odd", parameters: 5 }],
  };
  expect(shown({}, bare)[1]).toMatchObject({ text: "bare()\nodd()" });
  expect(shown({}, { ...bare, tools: [] })[1]).toMatchObject({ text: "(none)" });
});

test.each<
  [string, Partial<Answer>, [string, string | null, string | null, string, string | null][]]
>([
  [
    "calls that match",
    { toolCalls: [call(2), call(1)] },
    [
      ["ping", '{"n":1}', '{"n":1}', "match", null],
      ["ping", '{"n":2}', '{"n":2}', "match", null],
    ],
  ],
  [
    "a wrong argument and an extra call",
    { toolCalls: [call(1), call(7), call(1, "pong")] },
    [
      ["ping", '{"n":1}', '{"n":1}', "match", null],
      ["ping", '{"n":2}', '{"n":7}', "wrong arguments", "n: another value"],
      ["pong", null, '{"n":1}', "extra", null],
    ],
  ],
  [
    "a wrong function and a missing call",
    { toolCalls: [call(1, "pong")] },
    [
      ["ping", '{"n":1}', 'pong {"n":1}', "wrong function", null],
      ["ping", '{"n":2}', null, "missed", null],
    ],
  ],
  [
    "malformed and missing arguments",
    {
      toolCalls: [
        { name: "ping", arguments: "{" },
        { name: "ping", arguments: {} },
      ],
    },
    [
      [
        "ping",
        '{"n":1}',
        "(not a JSON object)",
        "wrong arguments",
        "the arguments are not a JSON object",
      ],
      ["ping", '{"n":2}', "{}", "wrong arguments", "n: missing"],
    ],
  ],
])("showTools() shows expected calls next to %s", (_, answer, rows) => {
  expect(
    fieldsOf(shown(answer)).rows.map((row) => [
      row.path,
      row.expected,
      row.answer,
      row.verdict,
      row.note,
    ]),
  ).toEqual(rows);
});

test("showTools() compares surplus arguments only with the option strictArguments", () => {
  const toolCalls = [{ name: "ping", arguments: { n: 1, loud: true } }];
  const sample = pingSample("one", "easy", [1]);
  const verdictOf = (options: object) => fieldsOf(shown({ toolCalls }, sample, options)).rows[0];
  expect(verdictOf({})).toMatchObject({ verdict: "match" });
  expect(verdictOf({ strictArguments: true })).toMatchObject({
    verdict: "wrong arguments",
    note: "loud: not expected",
  });
});

test("showTools() shows the components of the score", () => {
  const table = shown({ toolCalls: [call(1), call(2)], latencyMs: 100, source: "on-device" }).find(
    ({ title }) => title === "Components of the score",
  );
  expect(table).toMatchObject({
    rows: [
      { value: 1, share: 0.6, by: "precision 1.000, recall 1.000" },
      { value: 0.8, share: expect.closeTo(0.12), by: "0.20 of the baseline" },
      { value: 1, share: 0.25, by: "source on-device" },
    ],
  });
});

test.each<[string, Partial<Answer>, Partial<ToolsOptions>, string[]]>([
  ["prose", { output: "I can't." }, {}, ["Text of the answer"]],
  ["text with calls", { output: "Here:", toolCalls: [call(1)] }, {}, ["Text with the calls"]],
  ["unreadable calls", { output: '[{"name": "pi' }, { toolMode: "prompt" }, ["Text of the answer"]],
  ["a refusal", { refusal: "No." }, {}, ["Refusal"]],
  [
    "a call that is cut off",
    { toolCalls: [{ name: "ping", arguments: "{" }], finishReason: "length" },
    {},
    ["Cut off", "Arguments that do not fit the schema"],
  ],
  ["an answer without call and text", {}, {}, []],
])("showTools() adds the expected extra blocks for %s", (_, answer, options, more) => {
  const blocks = shown(answer, undefined, options);
  const usual = /^(Conversation|Tools|Expected|Components of the score)/;
  expect(titles(blocks).filter((title) => !usual.test(title))).toEqual(more);
});

test("showTools() shows no score for a failed request", () => {
  const blocks = shown({ error: { class: "server_error", message: "503" } });
  expect(titles(blocks)).toEqual([
    "Conversation",
    "Tools offered",
    "No answer",
    "Expected calls and calls made",
  ]);
  expect(blocks[2]).toMatchObject({
    text: "The request failed: server error. 503",
  });
  expect(fieldsOf(blocks).rows.map(({ verdict }) => verdict)).toEqual(["missed", "missed"]);
});

test("showTools() shows which endpoint's answer was used", () => {
  const local = { ...emptyAnswer, toolCalls: [call(9)], confidence: 0.4, latencyMs: 50 };
  const cloud = { ...emptyAnswer, toolCalls: [call(1), call(2)], latencyMs: 300 };
  const tableOf = (answer: Answer) =>
    shown(answer).find(({ title }) => title === "Endpoints") as { rows?: unknown } | undefined;
  expect(tableOf(hybridAnswer(local, cloud, { confidenceThreshold: 0.5 }))?.rows).toEqual([
    { endpoint: "local", state: "answer not used", f1: 0, confidence: 0.4, ms: 50 },
    { endpoint: "cloud", state: "answer used", f1: 1, confidence: null, ms: 300 },
  ]);
  expect(tableOf(hybridAnswer(local, null, { confidenceThreshold: 0.1 }))?.rows).toMatchObject([
    { endpoint: "local", state: "answer used" },
  ]);
});

test("showTools() shows the unchanged calls without a detail", () => {
  const sample = pingSample("one", "easy", [1]);
  const score = { status: "scored", score: 1, detail: null } as const;
  const answer = { ...emptyAnswer, output: "Well.", toolCalls: [{ name: "ping", arguments: "{" }] };
  expect(titles(showTools({ sample, answer, score }))).toEqual([
    "Conversation",
    "Tools offered",
    "Expected calls",
    "Calls made",
    "Text of the answer",
  ]);
});

test("showTools() cuts long texts and tables, and counts the omitted rows", () => {
  const deep = JSON.parse(`${"[".repeat(9_000)}${"]".repeat(9_000)}`);
  const toolCalls = [
    call(deep),
    call("x".repeat(9_000)),
    ...Array.from({ length: 900 }, (_, n) => call(n + 5)),
  ];
  const blocks = shown({ toolCalls, output: "😀".repeat(9_000) });
  const fields = fieldsOf(blocks);
  expect(fields.rows).toHaveLength(12);
  // Two calls are expected, and 902 made.
  expect(fields.left).toBe(902 - 12);
  expect(fields.rows[0]?.answer).toBe("(nested too deep)");
  expect(fields.rows[1]?.answer).toHaveLength(201);
  expect(JSON.stringify(blocks).length).toBeLessThan(12_000);
});

test("showTools() shows a conversation by turn, with calls, results and failures", () => {
  const step = { latencyMs: 100, inputTokens: 10, outputTokens: 2, output: null, toolCalls: null };
  const calling = (name: string, args: object) => ({
    ...step,
    toolCalls: [{ name, arguments: args }],
  });
  const turns = [
    [calling("balance", { owner: "ada" }), { ...step, output: "She has 100." }],
    [calling("transfer", { from: "ada", to: "bob", amount: 31 })],
    [calling("close", { owner: "eve" })],
  ];
  const blocks = shown({ turns, latencyMs: 400 }, bankSample());
  const table = blocks.find(({ title }) => title === "Turns") as TableBlock;
  expect(
    table.rows.map(({ turn, verdict, steps, ms, input }) => [turn, verdict, steps, ms, input]),
  ).toEqual([
    [1, "right", 2, 200, 20],
    [2, "wrong state", 1, 100, 10],
    [3, "wrong state", 1, 100, 10],
  ]);
  const text = (title: string) => (blocks.find((block) => block.title === title) as TextBlock).text;
  expect(text("Turn 1")).toBe(
    'user: How much has Ada?\ncall balance({"owner":"ada"}) → {"balance":100}\nassistant: She has 100.',
  );
  expect(text("Turn 2")).toContain('{"left":69}');
  expect(fieldsOf(blocks).rows.map(({ path, verdict }) => [path, verdict])).toEqual([
    ["balance", "match"],
    ["transfer", "wrong arguments"],
    ["close", "wrong arguments"],
  ]);
});
