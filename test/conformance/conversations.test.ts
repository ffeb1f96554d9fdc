import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Answer, emptyAnswer } from "../../shared/contracts/answer.ts";
import type { JsonObject } from "../../shared/contracts/json.ts";
import { bankSample } from "../../shared/suites/tools/__fixtures__/bank.ts";
import { next } from "../../shared/suites/tools/ask.ts";
import { defaultOptions } from "../../shared/suites/tools/options.ts";
import { checkSample } from "../../shared/suites/tools/sample.ts";
import type { ExpectedCall } from "../../shared/suites/tools/sample-parts.ts";
import { scoreTools } from "../../shared/suites/tools/score/score.ts";
import { jsonLines } from "../support/json-lines.ts";
import { methodologyText, shown } from "./methodology/methodology-text.ts";

const rows = jsonLines<JsonObject>(
  readFileSync(new URL("../../examples/tools/conversations.jsonl", import.meta.url), "utf8"),
);

const reply = (calls: readonly ExpectedCall[]): Answer => ({
  ...emptyAnswer,
  requests: 1,
  output: calls.length === 0 ? "Done." : null,
  toolCalls: calls.length === 0 ? null : calls.map((call) => ({ ...call })),
});

describe.each(rows.map((row) => [row["id"], row] as const))("example conversation %s", (_, row) => {
  const checked = checkSample(row);
  if (!checked.ok) throw new Error(checked.error);
  const { sample, warnings } = checked.value;
  const { turns } = sample.conversation!;

  it("has no warnings", () => {
    expect(warnings).toEqual([]);
  });

  it("scores 1 for a model that makes each expected call, and 0 for a model that makes none", () => {
    const answered = (callsOf: (calls: readonly ExpectedCall[]) => readonly ExpectedCall[]) => {
      const replies: Answer[] = [];
      const planned = turns.flatMap(({ calls }) => [...callsOf(calls).map((call) => [call]), []]);
      for (const calls of planned) {
        const step = next({ samples: [sample], options: defaultOptions, repeat: 0 }, replies);
        expect(step.kind).toBe("ask");
        replies.push(reply(calls));
      }
      const end = next({ samples: [sample], options: defaultOptions, repeat: 0 }, replies);
      if (end.kind !== "done") throw new Error("asks again after all expected calls");
      return scoreTools(sample, end.answers[0]!, { ...defaultOptions, rankBy: "conversations" });
    };
    const right = answered((calls) => calls);
    expect([right.score, right.detail.f1]).toEqual([1, 1]);
    expect(answered(() => []).score).toBe(0);
  });
});

it("the worked example of conversations has the stated results", () => {
  const { text } = methodologyText("tools");
  const call = (name: string, args: JsonObject) => ({ name, arguments: args });
  const made = [
    [call("balance", { owner: "ada" }), call("balance", { owner: "bob" })],
    [call("transfer", { from: "ada", to: "bob", amount: 30 })],
    [],
  ];
  const untimed = { output: null, latencyMs: null, inputTokens: null, outputTokens: null };
  const turns = made.map((toolCalls) => [{ ...untimed, toolCalls }]);
  const { detail } = scoreTools(bankSample(), { ...emptyAnswer, turns }, defaultOptions);
  const words = { true: ["same", "there"], false: ["other", "missing"], null: ["", ""] } as const;
  for (const { state, results, f1 } of detail.turns ?? []) {
    const cells = [words[`${state}`][0], words[`${results}`][1], shown(f1)];
    expect(text).toContain(`| ${cells.join(" | ")} |`);
  }
  expect(text).toContain(`its call F1 is ${shown(detail.f1)}.`);
  expect(detail.turns?.filter(({ failure }) => failure === null)).toHaveLength(2);
});
