import { describe, expect, it } from "vitest";
import { aSubmission, problemOf, serve } from "../support/client.ts";
import { harness, relayDataset } from "../support/harness.ts";
import { relaySuite } from "../support/relay-suite.ts";
import { knobSuite } from "../support/swept.ts";

const suites = { all: [knobSuite], byId: () => knobSuite };
const count = (n: number, step = 0.01) => Array.from({ length: n }, (_, i) => i * step);

/** The errors of a submission with these options, which must not be stored. */
async function errorsOf(options: object, model: object = {}, more: object = {}) {
  const insert = () => expect.unreachable("it was stored");
  const { platform } = harness({ suites });
  const dataset = await relayDataset(platform, 2);
  const refusing = { ...platform, runs: { ...platform.runs, insert } };
  const body = aSubmission(dataset, { options, ...more }, model);
  const response = await serve(refusing as never).post("/v1/submissions", body);
  expect(response.status).toBe(422);
  return (await problemOf(response)).errors?.map(({ pointer, detail }) => [pointer, detail]);
}

describe("options.sweep is refused with", () => {
  it.each([
    [
      { temperature: count(5), top_p: count(7), max_tokens: [1, 2] },
      "/options/sweep",
      "makes 5 × 7 × 2 = 70 variants, but a sweep may have at most 64: shorten temperature to 4 (it has 5), or top_p to 6 (it has 7), or max_tokens to 1 (it has 2)",
    ],
    [
      { temperature: count(65) },
      "/options/sweep",
      "makes 65 variants, but a sweep may have at most 64: shorten temperature to 64 (it has 65)",
    ],
    [
      { temperature: count(64), top_p: count(64), max_tokens: [1, 2] },
      "/options/sweep",
      "makes 64 × 64 × 2 = 8192 variants, but a sweep may have at most 64: shorten more than one list",
    ],
    [
      {},
      "/options/sweep",
      "names no parameter to sweep: leave it out, or give lists for some of temperature, top_p, max_tokens",
    ],
    [{ temperature: [] }, "/options/sweep/temperature", "list at least one value"],
    [{ temperature: 0.5 }, "/options/sweep/temperature", "must be an array, not 0.5"],
    [
      { temperature: [[1]] },
      "/options/sweep/temperature/0",
      "must be a number, a text, true, false or null",
    ],
    [
      { topP: [1] },
      "/options/sweep/topP",
      'can\'t be swept in suite "relay"; these can: temperature, top_p, max_tokens',
    ],
    [
      { constructor: [1] },
      "/options/sweep/constructor",
      'can\'t be swept in suite "relay"; these can: temperature, top_p, max_tokens',
    ],
    [{ temperature: [0.7, 1, 0.7] }, "/options/sweep/temperature/2", "duplicate 0.7 in this list"],
    [{ temperature: [0, 2.5] }, "/options/sweep/temperature/1", "must be at most 2, not 2.5"],
    [{ top_p: ["1"] }, "/options/sweep/top_p/0", 'must be a number, not "1"'],
    [{ max_tokens: [null] }, "/options/sweep/max_tokens/0", "must be a number, not null"],
    [
      { temperature: [1, 2], top_p: [0] },
      "/options/sweep",
      "the variant temperature 2, top_p 0: temperature 2 and topP 0 don't go together",
    ],
  ])("%j", async (sweep, pointer, detail) => {
    expect(await errorsOf({ sweep })).toEqual([[pointer, detail]]);
  });

  it("an option that is also given as a single value", async () => {
    expect(await errorsOf({ topP: 1, sweep: { top_p: [0.5] } })).toEqual([
      [
        "/options/topP",
        "is given both as options.sweep.top_p and as a single value: leave one of them out",
      ],
    ]);
  });

  it("all errors in the sweep and in single options at once", async () => {
    const errors = await errorsOf({ strict: 5, sweep: { temperature: [3, 3], style: [1] } });
    expect(errors?.map(([pointer]) => pointer)).toEqual([
      "/options/strict",
      "/options/sweep/style",
      "/options/sweep/temperature/0",
      "/options/sweep/temperature/1",
    ]);
  });

  it("answers made elsewhere", async () => {
    const answers = [{ id: "s0", output: "x" }];
    const model = { endpoint: undefined, answers };
    expect(await errorsOf({ sweep: { temperature: [0, 1] } }, model)).toEqual([
      [
        "/models/0/answers",
        '"Model" has submitted answers, but a sweep requests new ones: give an endpoint, or submit the answers of each variant without options.sweep',
      ],
    ]);
  });

  it("more runs than a submission may have", async () => {
    const models = Array.from({ length: 10 }, (_, i) => ({
      name: `Model ${i}`,
      endpoint: { baseUrl: "http://127.0.0.1:8790/v1", model: "m" },
    }));
    expect(await errorsOf({ sweep: { temperature: count(30) } }, {}, { models })).toEqual([
      [
        "/options/sweep",
        "10 models × 30 variants make 300 runs, but a submission may have at most 256: shorten the lists to 25 variants, or submit 8 models at a time",
      ],
    ]);
  });

  it("a suite without sweeps", async () => {
    const { platform } = harness({ suites: { all: [relaySuite], byId: () => relaySuite } });
    const body = aSubmission(await relayDataset(platform, 1), {
      options: { sweep: { seed: [1] } },
    });
    const response = await serve(platform).post("/v1/submissions", body);
    expect((await problemOf(response)).errors).toEqual([
      { pointer: "/options/sweep", detail: `suite "relay" can't be swept: leave it out` },
    ]);
  });
});

describe("options.prompts is refused with", () => {
  it.each([
    [
      { prompts: {} },
      "/options/prompts",
      "names no prompt: leave it out, or give prompts by name with style",
    ],
    [
      { prompts: { a: { stile: "x" } } },
      "/options/prompts/a/stile",
      'is no prompt of suite "relay", which has style',
    ],
    [
      { style: "x", prompts: { a: { style: "y" } } },
      "/options/prompts/a/style",
      "is also given as options.style: leave one of them out",
    ],
    [
      { prompts: { a: {}, b: { style: "0123456789" } } },
      "/options/prompts",
      'the variant prompt b: is too long for a style, not "0123456789"',
    ],
    [
      {
        prompts: Object.fromEntries(count(33, 1).map((n) => [`${n}`, {}])),
        sweep: { temperature: [0, 1] },
      },
      "/options/sweep",
      "makes 2 × 33 = 66 variants, but a sweep may have at most 64: shorten temperature to 1 (it has 2), or prompt to 32 (it has 33)",
    ],
  ])("%j", async (options, pointer, detail) => {
    expect(await errorsOf(options)).toEqual([[pointer, detail]]);
  });
});

describe("a sweep with the maximum number of runs", () => {
  it("is stored completely", async () => {
    const { platform, mail } = harness({ suites });
    const dataset = await relayDataset(platform, 1);
    const models = Array.from({ length: 4 }, (_, i) => ({
      name: `Model ${i}`,
      endpoint: { baseUrl: "http://127.0.0.1:8790/v1", model: "m", apiKey: "sk-test" },
    }));
    const sweep = { temperature: count(8), max_tokens: count(8, 1).map((n) => n + 1) };
    const body = aSubmission(dataset, { models, options: { sweep } });
    const response = await serve(platform).post("/v1/submissions", body);
    expect(response.status).toBe(202);
    const { runs } = (await response.json()) as { runs: unknown[] };
    expect([runs.length, mail.evaluate.length]).toEqual([256, 256]);
  });
});
