import { describe, expect, it } from "vitest";
import { type Answer, emptyAnswer, type TurnStep } from "../../../contracts/answer.ts";
import type { JsonObject } from "../../../contracts/json.ts";
import { bankRow, bankSample } from "../__fixtures__/bank.ts";
import { defaultOptions, type ToolsOptions } from "../options.ts";
import { checkSample } from "../sample.ts";
import { scoreTools } from "../score/score.ts";

const step = (...calls: [name: string, args: JsonObject][]): TurnStep => ({
  output: calls.length === 0 ? "Done." : null,
  toolCalls: calls.map(([name, args]) => ({ name, arguments: args })),
  latencyMs: 100,
  inputTokens: 10,
  outputTokens: 1,
});
const say = step();
const balance = step(["balance", { owner: "ada" }]);
const transfer = step(["transfer", { from: "ada", to: "bob", amount: 30 }]);
const close = step(["close", { owner: "Cleo" }]);
const right = [
  [balance, say],
  [transfer, say],
  [close, say],
];

const score = (
  turns: TurnStep[][],
  options: Partial<ToolsOptions> = {},
  more: JsonObject = {},
  answer: Partial<Answer> = {},
) =>
  scoreTools(
    bankSample(more),
    { ...emptyAnswer, requests: 6, latencyMs: 600, turns, ...answer },
    { ...defaultOptions, ...options },
  );
const failuresOf = (...given: Parameters<typeof score>) =>
  score(...given).detail.turns!.map(({ failure }) => failure);

describe("scoreTools() on a sample with turns", () => {
  it("finds no failure in a right conversation, and sums time and tokens by turn", () => {
    const { score: value, detail } = score(right);
    expect([value, detail.f1, detail.matched, detail.expected]).toEqual([1, 1, 3, 3]);
    expect(detail.turns?.[0]).toEqual({
      f1: 1,
      expected: 1,
      predicted: 1,
      matched: 1,
      state: true,
      results: true,
      failure: null,
      steps: 2,
      latencyMs: 200,
      inputTokens: 20,
      outputTokens: 2,
    });
    // The mean latency of six requests, relative to the baseline of 500 ms.
    expect(detail.slowness).toBeCloseTo(0.2, 12);
  });

  it("accepts calls in another order, further calls that change nothing, and results of earlier turns", () => {
    const looked = [[balance, transfer, say], [say], [balance, close, say]];
    expect(failuresOf(looked)).toEqual(["state", "empty", null]);
    const early = [[step(["balance", { owner: "ada" }], ["balance", { owner: "bob" }]), say]];
    expect(failuresOf([...early, [transfer, say], [close, say]])).toEqual([null, null, null]);
  });

  it("reports a missing call, a wrong state and a missing result", () => {
    expect(failuresOf([[say], [transfer, say], [close, say]])[0]).toBe("empty");
    const less = step(["transfer", { from: "ada", to: "bob", amount: 3 }]);
    expect(
      failuresOf([
        [balance, say],
        [less, say],
        [close, say],
      ]),
    ).toEqual([null, "state", "state"]);
    const other = step(["balance", { owner: "bob" }]);
    expect(
      failuresOf([
        [other, say],
        [transfer, say],
        [close, say],
      ]),
    ).toEqual(["results", null, null]);
  });

  it("reports a conversation that reached the limit of steps or ended before its last turn", () => {
    const loop = Array.from({ length: 4 }, () => balance);
    expect(failuresOf([loop])).toEqual(["steps", "ended", "ended"]);
    expect(failuresOf([[balance, say], [transfer]])).toEqual([null, "ended", "ended"]);
    expect(failuresOf([[balance, say], [transfer, say], loop])[2]).toBe("steps");
  });

  it("accepts recorded turns without a text after the last call", () => {
    expect(failuresOf([[balance], [transfer], [close]])).toEqual([null, null, null]);
  });

  it("scores a failed request 0, even late in the conversation", () => {
    const error = { class: "timeout" as const, message: "" };
    const { score: value, covered, detail } = score(right, {}, {}, { error });
    expect([value, covered, detail.f1]).toEqual([0, false, 0]);
    expect(detail.turns?.map(({ failure }) => failure)).toEqual([null, null, "ended"]);
  });

  it("ranks by call F1 or by right conversations", () => {
    const extra = [
      [balance, balance, say],
      [transfer, say],
      [close, say],
    ];
    expect(score(extra).score).toBeCloseTo((2 / 3 + 1 + 1) / 3, 12);
    expect(score(extra, { rankBy: "conversations" }).score).toBe(1);
    const wrong = [[say], [transfer, say], [close, say]];
    expect(score(wrong, { rankBy: "conversations" }).score).toBe(0);
  });

  const [first, second] = bankRow["turns"] as [JsonObject, JsonObject];
  const twoTurns = [
    [balance, say],
    [transfer, say],
  ];

  it("checks neither state nor results of a turn without expected calls", () => {
    const more = { turns: [{ ...first, expected_calls: [] }, second] };
    expect(failuresOf(twoTurns, {}, more)).toEqual([null, null]);
    expect(score(twoTurns, {}, more).detail.turns?.[0]?.f1).toBe(0);
  });

  it("compares calls if there is no world", () => {
    const more = { world: null, turns: [first, second] };
    expect(failuresOf(twoTurns, {}, more)).toEqual([null, null]);
    expect(failuresOf([twoTurns[0]!, twoTurns[0]!], {}, more)).toEqual([null, "calls"]);
  });

  it("sums cached tokens and reasoning tokens if endpoints report them", () => {
    const counted = { ...balance, cachedTokens: 8, reasoningTokens: 1 };
    const [first, none] = score([[counted, { ...say, cachedTokens: 2 }], [transfer]]).detail.turns!;
    expect(first).toMatchObject({ inputTokens: 20, cachedTokens: 10, reasoningTokens: 1 });
    expect(none).not.toHaveProperty("cachedTokens");
  });

  it("reads calls from texts of answers made elsewhere, and an answer without turns as the first turn", () => {
    const written = right.map((turn) =>
      turn.map((one) => ({
        ...one,
        toolCalls: null,
        output: one.toolCalls?.length ? JSON.stringify(one.toolCalls) : "Done.",
      })),
    );
    expect(failuresOf(written, {}, {}, { requests: 0 })).toEqual([null, null, null]);
    const { detail } = score([], {}, {}, { turns: undefined, toolCalls: balance.toolCalls });
    expect(detail.turns?.map(({ f1, failure }) => [f1, failure])).toEqual([
      [1, "ended"],
      [0, "ended"],
      [0, "ended"],
    ]);
  });
});

describe("checkSample() on a row with turns", () => {
  const flawOf = (more: JsonObject) => {
    const checked = checkSample({ ...bankRow, ...more });
    return checked.ok ? checked.value.warnings.join("\n") : checked.error;
  };
  const [first] = bankRow["turns"] as [JsonObject];
  const turn = (more: JsonObject) => ({ turns: [{ ...first, ...more }] });

  it("accepts a valid row without warnings", () => {
    expect(flawOf({})).toBe("");
  });

  it.each<[string, JsonObject, RegExp]>([
    ["no turns", { turns: [] }, /turns must be a list of 1 to 50 turns/],
    ["expected calls outside turns", { expected_calls: [] }, /has no field expected_calls/],
    ["invalid messages", { messages: ["Hi"] }, /those before the first turn/],
    ["a limit of 0", { max_steps: 0 }, /whole number from 1 to 100/],
    ["many steps", { turns: Array(50).fill(first), max_steps: 21 }, /times turns must be at most/],
    ["a turn without messages", turn({ messages: [] }), /^turn 1: messages must be a list/],
    ["a turn with a typo", turn({ expected: [] }), /^turn 1: a turn has no field expected$/],
    ["an unknown tool", turn({ expected_calls: [{ name: "x", arguments: {} }] }), /"x", which is/],
    ["a duplicate tool", turn({ tools: bankRow["tools"]! }), /two tools have the same name/],
    ["a state that is a list", turn({ expected_state: [] }), /expected_state must be an object/],
    ["a state without a world", { ...turn({ expected_state: {} }), world: null }, /needs a world/],
    ["an unreadable world", { world: { effects: { a: [{ result: "(" }] } } }, /world\.effects\.a/],
  ])("refuses %s", (_, more, message) => {
    const checked = checkSample({ ...bankRow, ...more });
    expect(checked.ok ? "" : checked.error).toMatch(message);
  });

  it("warns about failing expected calls, unreachable states, and tools that are offered only later", () => {
    const call = (name: string, args: JsonObject) => [{ name, arguments: args }];
    expect(flawOf(turn({ expected_calls: call("balance", { owner: "eve" }) }))).toBe(
      'turn 1, expected call balance: its result is {"error":"no account eve"}',
    );
    expect(flawOf(turn({ expected_state: { log: [1] } }))).toBe(
      "turn 1: after the expected calls log is [], not [1]",
    );
    const later = { turns: [{ ...first, expected_calls: call("close", { owner: "cleo" }) }] };
    const close = (bankRow["turns"] as JsonObject[])[2]!;
    expect(flawOf({ turns: [...later.turns, close] })).toMatch(
      /close: the tool is offered only later/,
    );
  });
});
