import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { type Answer, emptyAnswer } from "../../shared/contracts/answer.ts";
import { isJsonObject } from "../../shared/contracts/json.ts";
import type { AskedJudge } from "../../shared/contracts/judging/judge.ts";
import { judges } from "../../shared/judges/judges.ts";
import { empathy } from "../../shared/judges/metrics/empathy.ts";
import { readReply } from "../../shared/judges/read-judgment.ts";
import { readCompletion } from "../../shared/protocols/read-completion.ts";

const file = join(import.meta.dirname, "../../../shared/data/api-fixtures/recorded.jsonl");
const where = "left out where ../shared/data/api-fixtures is missing";

interface Recorded {
  id: string;
  provider: string;
  body?: unknown;
}

const bodies = (existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [])
  .map((line): Recorded => JSON.parse(line))
  .filter(({ body }) => body !== undefined);
const bodyOf = (id: string) => bodies.find((one) => one.id === id)?.body;
const isCompletion = ({ body }: Recorded) => isJsonObject(body) && Array.isArray(body["choices"]);
const answerOf = (id: string): Answer => readCompletion(bodyOf(id), null)!;

/** A judge whose judgments have the fields that the recorded model was asked for. */
const judging = (fields: Record<string, z.ZodType>): AskedJudge => ({
  ...empathy,
  judgment: z.object(fields),
});
const invalid = { ok: false, error: { reason: "invalid_judgment", isRepairable: true } };

describe.skipIf(!existsSync(file))(`recorded replies as a judge's (${where})`, () => {
  it("are partly chat completions, and mostly of other interfaces", () => {
    expect(bodies.filter(isCompletion)).toHaveLength(23);
    expect(bodies.length).toBeGreaterThan(60);
  });

  test.each(bodies.filter((one) => !isCompletion(one)).map(({ id, body }) => [id, body]))(
    "%s, an error or a reply of another interface, is not read",
    (_, body) => {
      expect(readCompletion(body, null)).toBeNull();
    },
  );

  test.each([
    ["google-429-retry-info.json", "rate_limited"],
    ["reasoning-model-legacy-parameter-error.json", "bad_request"],
  ] as const)("%s never becomes a judgment", (id, errorClass) => {
    const body = JSON.stringify(bodyOf(id));
    const failed = { ...emptyAnswer, error: { class: errorClass, message: body } };
    for (const judge of judges) {
      expect(readReply(judge, failed)).toMatchObject({
        ok: false,
        error: { reason: "judge_failed", isRepairable: false },
      });
      // Some gateways return errors as the model's message.
      expect(readReply(judge, { ...emptyAnswer, output: body })).toMatchObject(invalid);
    }
  });

  test.each(
    bodies
      .filter(isCompletion)
      .map(({ id, body }) => [id, readCompletion(body, null)] as const)
      .filter(([, answer]) => answer !== null),
  )("%s, which answers another question, is not a judgment for any metric", (_, answer) => {
    expect(answer?.outputTokens).toBeGreaterThan(0);
    for (const judge of judges) expect(readReply(judge, answer!)).toMatchObject(invalid);
  });

  test("mistral-reasoning.json, whose content is a list, is read without its reasoning", () => {
    const body = JSON.stringify(bodyOf("mistral-reasoning.json"));
    const { output } = answerOf("mistral-reasoning.json");
    expect(output).not.toBe("");
    expect(body).toContain(JSON.stringify(output));
    expect(output).not.toMatch(/thinking/i);
  });

  test("deepseek-text.json is truncated, and the error says so", () => {
    const answer = answerOf("deepseek-text.json");
    expect(answer.finishReason).toBe("length");
    expect(readReply(empathy, answer)).toMatchObject({
      ok: false,
      error: { message: "it was cut off at the token limit" },
    });
  });

  test.each<[string, Record<string, z.ZodType>, unknown]>([
    [
      "deepseek-json.json",
      { location: z.string(), condition: z.string(), temperature: z.number() },
      { location: "San Francisco", condition: "cloudy", temperature: 7 },
    ],
    ["cerebras-structured-output-tools.2.json", { result: z.string() }, { result: "2026" }],
  ])("%s is read with the schema of its request", (id, fields, value) => {
    expect(readReply(judging(fields), answerOf(id))).toEqual({ ok: true, value });
    const cut = { ...answerOf(id), finishReason: "length" };
    expect(readReply(judging(fields), cut)).toMatchObject(invalid);
  });

  test("a refusal is recognised for every judge", () => {
    const refused = bodyOf("anthropic-refusal.json") as { stop_details: { explanation: string } };
    const { explanation } = refused.stop_details;
    const body = structuredClone(bodyOf("openai-text.json")) as {
      choices: { message: Record<string, unknown> }[];
    };
    Object.assign(body.choices[0]!.message, { content: null, refusal: explanation });
    for (const judge of judges) {
      expect(readReply(judge, readCompletion(body, null)!)).toEqual({
        ok: false,
        error: { reason: "judge_refused", message: explanation, isRepairable: false },
      });
    }
  });
});
