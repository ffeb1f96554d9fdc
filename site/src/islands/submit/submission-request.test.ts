import { expect, it } from "vitest";
import { submissionRequestSchema } from "#shared/contracts/submissions/submission.ts";
import {
  type FormValues,
  type OptionField,
  optionFields,
  type SettingField,
  settingFields,
} from "./form-values.ts";
import { parseAnswers } from "./parse-answers.ts";
import { submissionRequest } from "./submission-request.ts";

const hash = "d".repeat(64);

const filled: FormValues = {
  suite: "extraction",
  dataset: "stock",
  name: "A model",
  simulated: false,
  slug: "",
  url: "",
  license: "",
  parameters: "",
  quantization: "",
  source: "endpoint",
  baseUrl: " https://a.example/v1 ",
  model: "a-1",
  endpointKey: "k",
  protocol: "",
  ...(Object.fromEntries([...settingFields, ...optionFields].map((field) => [field, ""])) as Record<
    SettingField | OptionField,
    string
  >),
  isBatched: false,
  batches: "",
  answers: null,
  isStandardPrompt: true,
  options: "{}",
  answersFile: "",
  inputPerMillion: "",
  outputPerMillion: "",
  cachedPerMillion: "",
  audioPerMillion: "",
  reasoningPerMillion: "",
  visibility: "public",
};

const endpoint = { baseUrl: "https://a.example/v1", model: "a-1", apiKey: "k" };

it("submissionRequest() for an endpoint matches the API's schema", () => {
  const made = submissionRequest(filled, hash);
  expect(made).toEqual({
    ok: true,
    request: {
      suite: "extraction",
      dataset: "stock",
      options: {},
      visibility: "public",
      models: [{ name: "A model", endpoint }],
    },
  });
  expect(submissionRequestSchema.safeParse(made.ok && made.request).success).toBe(true);
});

it("submissionRequest() omits optional fields that are empty", () => {
  const made = submissionRequest(
    {
      ...filled,
      simulated: true,
      license: " MIT ",
      slug: "acme/a",
      endpointKey: " ",
      protocol: "",
      inputPerMillion: "0.15",
      outputPerMillion: ".6",
      options: ' {"temperature": 0} ',
      visibility: "unlisted",
    },
    hash,
  );
  expect(made).toMatchObject({
    request: {
      options: { temperature: 0 },
      visibility: "unlisted",
      models: [
        {
          license: "MIT",
          slug: "acme/a",
          simulated: true,
          prices: { inputPerMillion: 0.15, outputPerMillion: 0.6 },
          endpoint: { baseUrl: "https://a.example/v1", model: "a-1" },
        },
      ],
    },
  });
  expect(JSON.stringify(made)).not.toContain("apiKey");
});

it("submissionRequest() for answers has the answers and prompt hash, but no endpoint", () => {
  const answers = parseAnswers('{"id":"a","output":"{}"}');
  const made = submissionRequest({ ...filled, source: "answers", answers }, hash);
  const model = { name: "A model", answers: answers.answers, promptHash: hash };
  expect(made).toMatchObject({ request: { models: [model] } });
  expect(JSON.stringify(made)).not.toContain("a.example");
  const own = submissionRequest(
    { ...filled, source: "answers", answers, isStandardPrompt: false },
    hash,
  );
  expect(JSON.stringify(own)).not.toContain("promptHash");
});

it.each([
  [{ source: "answers" }, [["answers", "choose a file of answers"]]],
  [
    { source: "answers", answers: parseAnswers("x") },
    [["answers", "line 1 must be a JSON object"]],
  ],
  [{ inputPerMillion: "1" }, [["outputPerMillion", "give both prices, or neither"]]],
  [
    { inputPerMillion: "1", outputPerMillion: "2", cachedPerMillion: "free" },
    [["cachedPerMillion", 'must be a number such as 2.50, not "free"']],
  ],
  [
    { inputPerMillion: "1", outputPerMillion: "$2" },
    [["outputPerMillion", 'must be a number such as 2.50, not "$2"']],
  ],
] as const)("submissionRequest() refuses %j", (more, errors) => {
  const made = submissionRequest({ ...filled, ...more } as FormValues, hash);
  expect(made).toEqual({ ok: false, errors: errors.map(([field, detail]) => ({ field, detail })) });
});

it("submissionRequest() has the given prices of cached, audio and reasoning tokens", () => {
  const prices = { inputPerMillion: "2", outputPerMillion: "10", cachedPerMillion: "0.2" };
  expect(
    submissionRequest({ ...filled, ...prices, reasoningPerMillion: "12" }, hash),
  ).toMatchObject({
    request: {
      models: [
        {
          prices: {
            inputPerMillion: 2,
            outputPerMillion: 10,
            cachedPerMillion: 0.2,
            reasoningPerMillion: 12,
          },
        },
      ],
    },
  });
});

it("submissionRequest() writes samples, repeats, concurrency and cost as options", () => {
  const fields = { samples: "5", repeats: " 2 ", concurrency: "3", maxCostUsd: "0.5" };
  const more = { ...filled, ...fields, inputPerMillion: "1", outputPerMillion: "2" };
  const made = submissionRequest({ ...more, options: '{"temperature": 0}' }, hash);
  expect(made).toMatchObject({
    request: {
      options: { sample: { n: 5 }, repeats: 2, concurrency: 3, maxCostUsd: 0.5, temperature: 0 },
    },
  });
  expect(submissionRequestSchema.safeParse(made.ok && made.request).success).toBe(true);
});

it("submissionRequest() refuses an invalid number and a duplicate option", () => {
  const unreadable = { ...filled, samples: "NaN", repeats: "2", options: '{"repeats": 3}' };
  expect(submissionRequest(unreadable, hash)).toEqual({
    ok: false,
    errors: [
      { field: "samples", detail: "must be a number such as 5" },
      {
        field: "repeats",
        detail: "is given twice: here, and as `repeats` in the further options",
      },
    ],
  });
});

it("submissionRequest() refuses options that are not JSON, but accepts empty ones", () => {
  expect(submissionRequest({ ...filled, options: "{temperature}" }, hash)).toMatchObject({
    errors: [{ field: "options", detail: expect.stringMatching(/^must be JSON such as/) }],
  });
  expect(submissionRequest({ ...filled, options: " " }, hash)).toMatchObject({
    request: { options: {} },
  });
});

it("submissionRequest() requests batches and names their interface", () => {
  const batched = { isBatched: true, batches: "openai", options: '{"concurrency": 3}' };
  const made = submissionRequest({ ...filled, ...batched }, hash);
  expect(made).toMatchObject({
    request: {
      models: [{ endpoint: { batches: "openai" } }],
      options: { mode: "batch", concurrency: 3 },
    },
  });
  const uploaded = { ...batched, source: "answers", answers: parseAnswers('{"id":"a"}') } as const;
  expect(submissionRequest({ ...filled, ...uploaded }, hash)).toMatchObject({
    request: { options: { concurrency: 3 } },
  });
});

it("submissionRequest() has the given settings, as the API expects them", () => {
  const fields = {
    reasoningEffort: "high",
    temperature: "none",
    topP: "0.9",
    seed: " 7 ",
    toolChoice: "required",
    extraBody: '{"top_k": 20}',
  };
  const made = submissionRequest({ ...filled, ...fields }, hash);
  const settings = {
    reasoningEffort: "high",
    temperature: null,
    topP: 0.9,
    seed: 7,
    toolChoice: "required",
    extraBody: { top_k: 20 },
  };
  expect(made).toMatchObject({ request: { models: [{ endpoint: { settings } }] } });
  expect(submissionRequestSchema.safeParse(made.ok && made.request).success).toBe(true);
  expect(submissionRequest({ ...filled, maxTokens: "many", extraBody: "x" }, hash)).toMatchObject({
    errors: [
      { field: "maxTokens", detail: 'must be a number such as 1, not "many"' },
      { field: "extraBody", detail: expect.stringMatching(/^must be JSON such as/) },
    ],
  });
});
