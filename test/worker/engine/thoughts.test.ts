import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { platformOf } from "../../../api/index.ts";
import type { SampleResult } from "../../../shared/contracts/run.ts";
import { extraction } from "../../../shared/suites/extraction/suite.ts";
import { suiteById, suites } from "../../../shared/suites/registry.ts";
import { jsonLines } from "../../support/json-lines.ts";
import { aDataset } from "../support/a-dataset.ts";
import { serve } from "../support/client.ts";
import { harness, submitRun } from "../support/harness.ts";

const expected = { vendor: "Brot & Butter", total: 41.5 };
const json = JSON.stringify(expected);
const draft = '{"vendor": "Brot", "total": 4150}';

/** The endpoint's message for each sample, and its number of reasoning tokens. */
const messages = {
  plain: [{ content: json }, undefined],
  inline: [{ content: `<think>\nFirst ${draft}. No.\n</think>\n\n${json}` }, 30],
  field: [{ content: json, reasoning_content: `First ${draft}. No.` }, 12],
  parts: [
    {
      content: [
        { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
        { type: "text", text: json },
      ],
    },
    undefined,
  ],
  alone: [{ content: null, reasoning: draft }, 20],
} as const;
const ids = Object.keys(messages) as (keyof typeof messages)[];

const dataset = async (platform: ReturnType<typeof harness>["platform"]) => {
  const rows = ids.map((id) => ({
    id,
    text: `${id}: Brot & Butter, 41,50 EUR`,
    schema: {
      type: "object",
      properties: { vendor: { type: "string" }, total: { type: "number" } },
      required: ["vendor", "total"],
    },
    expected_output: expected,
  }));
  return aDataset(platform, extraction, rows);
};

/** The endpoint's reply to a request about one of the samples. */
async function reply(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const asked = await new Request(input, init).text();
  const id = ids.find((one) => asked.includes(`${one}: Brot`))!;
  const [message, reasoning_tokens] = messages[id];
  const details = reasoning_tokens && { completion_tokens_details: { reasoning_tokens } };
  return Response.json({
    model: "thinker",
    choices: [{ finish_reason: id === "alone" ? "length" : "stop", message }],
    usage: { prompt_tokens: 50, completion_tokens: 60, ...details },
  });
}

describe("a run of a model that thinks", () => {
  it("is scored by its answers, stores whole messages, and counts reasoning tokens", async () => {
    const { ask } = platformOf({ ...env } as never);
    const suitesPort = { all: suites, byId: suiteById };
    const { platform, deliverAll } = harness({ ask, suites: suitesPort });
    vi.spyOn(globalThis, "fetch").mockImplementation(reply);
    const id = await submitRun(platform, await dataset(platform), { suite: "extraction" });
    await deliverAll();
    const run = await platform.runs.get(id);
    expect(run).toMatchObject({ status: "finished", done: 5, failed: 0 });
    expect(run?.metrics).toMatchObject({
      eqs: { value: 0.8 },
      thoughtsRate: { value: 0.8, n: 5 },
      reasoningTokens: { value: 62, n: 3 },
    });

    const { get } = serve(platform);
    const sample = async (one: string) =>
      (await (await get(`/v1/runs/${id}/samples/${one}`)).json()) as SampleResult;
    const inline = await sample("inline");
    // The output is stored unchanged, because another version may parse it differently.
    expect(inline.answer.output).toBe(messages.inline[0].content);
    expect(inline.said).toEqual({ answer: json, thoughts: `First ${draft}. No.` });
    expect(inline.score).toBe(1);
    const field = await sample("field");
    expect(field.answer).toMatchObject({ output: json, thoughts: `First ${draft}. No.` });
    expect(field.said).toEqual({ answer: json, thoughts: `First ${draft}. No.` });
    expect((await sample("parts")).said).toEqual({ answer: json, thoughts: "Hm." });
    expect(await sample("plain")).not.toHaveProperty("said");
    const alone = await sample("alone");
    expect(alone).toMatchObject({ score: 0, covered: true, detail: { status: "empty" } });
    expect(alone.said).toEqual({ answer: null, thoughts: draft });

    const report = await (await get(`/v1/runs/${id}/samples/inline/report`)).text();
    expect(report).toContain('"title":"Thoughts"');
    const rows = await (await get(`/v1/runs/${id}/answers.jsonl`)).text();
    const lines = jsonLines(rows);
    expect(lines).toContainEqual(
      expect.objectContaining({ id: "field", output: json, thoughts: `First ${draft}. No.` }),
    );

    // The same answers get the same scores when they are submitted.
    const again = await submitRun(platform, run!.datasetName, {
      suite: "extraction",
      models: [{ name: "Again", slug: `acme/${crypto.randomUUID().slice(0, 8)}`, answers: lines }],
    });
    await deliverAll();
    const copied = await platform.runs.get(again);
    for (const metric of ["eqs", "thoughtsRate", "reasoningTokens"]) {
      expect(copied?.metrics?.[metric]?.value).toBe(run?.metrics?.[metric]?.value);
    }
  });
});
