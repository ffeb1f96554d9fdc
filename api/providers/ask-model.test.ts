import { expect, it } from "vitest";
import { emptyAnswer } from "#shared/contracts/answer.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import { chatCompletions, modeFields } from "#shared/protocols/chat-completions.ts";
import { type AskModel, guardedAsk, modesFor, refusedPart } from "./ask-model.ts";
import { endpointMemory } from "./endpoint-memory.ts";

const { ladder } = chatCompletions;

const schema = { type: "object" };
const request = (mode: "auto" | "guided_json") => ({
  messages: [],
  structured: { name: "n", schema, mode },
});

it("modesFor() steps down from strict to none with auto", () => {
  const modes = modesFor(request("auto"), new Set(), ladder);
  expect(modes).toEqual(["json_schema_strict", "json_schema", "json_object", "none"]);
});

it("modesFor() starts below strict where no strict mode accepts the schema", () => {
  const structured = { name: "n", schema, mode: "auto" as const, neverStrict: true as const };
  const modes = modesFor({ messages: [], structured }, new Set(), ladder);
  expect(modes).toEqual(["json_schema", "json_object", "none"]);
});

it("modesFor() skips modes that the endpoint refused before", () => {
  const modes = modesFor(request("auto"), new Set(["json_schema_strict", "json_schema"]), ladder);
  expect(modes).toEqual(["json_object", "none"]);
});

it("modesFor() uses only the mode that was requested", () => {
  expect(modesFor(request("guided_json"), new Set(["guided_json"]), ladder)).toEqual([
    "guided_json",
  ]);
});

it("modesFor() requests no structure if the suite needs none", () => {
  expect(modesFor({ messages: [] }, new Set(), ladder)).toEqual(["none"]);
});

it.each([
  [
    "json_schema_strict",
    { response_format: { type: "json_schema", json_schema: { name: "n", schema, strict: true } } },
  ],
  [
    "json_schema",
    { response_format: { type: "json_schema", json_schema: { name: "n", schema, strict: false } } },
  ],
  ["structured_outputs", { structured_outputs: { json: schema } }],
  ["guided_json", { guided_json: schema }],
  ["json_object", { response_format: { type: "json_object" } }],
  ["none", {}],
] as const)("modeFields() of %s", (mode, expected) => {
  expect(modeFields(mode, { name: "n", schema, mode: "auto" })).toEqual(expected);
});

it.each<[string, string | null, ReturnType<typeof refusedPart>]>([
  [
    "Invalid schema for response_format 'extraction_result': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    "response_format",
    { kind: "schema" },
  ],
  [
    "'response_format' of type 'json_schema' is not supported with this model.",
    null,
    { kind: "mode" },
  ],
  ["Unrecognized request argument supplied: guided_json", null, { kind: "mode" }],
  [
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    "max_tokens",
    { kind: "parameter", name: "max_tokens" },
  ],
  [
    "Unsupported value: 'temperature' does not support 0.",
    null,
    { kind: "parameter", name: "temperature" },
  ],
  ["Your prompt is too long.", null, { kind: "other" }],
])("refusedPart() reads %j", (message, param, expected) => {
  expect(refusedPart(message, param)).toEqual(expected);
});

const calling: AskModel = async () => ({
  kind: "answer",
  answer: { ...emptyAnswer, output: "hi" },
});

async function asked(change: Partial<Endpoint>, allowPrivate: boolean, ownHosts: string[] = []) {
  const endpoint = {
    baseUrl: "https://api.example.com/v1",
    model: "m",
    maxTokensParam: "max_tokens",
  };
  const limits = { timeoutMs: 1, maxRetries: 0, blockedMs: null };
  const ask = guardedAsk(calling, { allowPrivateEndpoints: allowPrivate, ownHosts });
  const target = { ...endpoint, ...change } as Endpoint;
  const reply = await ask(target, { messages: [] }, limits, endpointMemory());
  return reply.kind === "answer" ? reply.answer : null;
}

it.each([
  [{}, false],
  [{ headers: { "x-api-key": "k" } }, false],
  [{ baseUrl: "http://127.0.0.1:8790/v1" }, true],
])(
  "guardedAsk() calls %j where private endpoints are allowed: %s",
  async (change, allowPrivate) => {
    expect((await asked(change, allowPrivate))?.output).toBe("hi");
  },
);

it.each([
  [{ baseUrl: "http://127.0.0.1:8790/v1" }, false, "baseUrl must begin with https://"],
  [{ baseUrl: "https://10.0.0.1/v1" }, false, 'baseUrl must be a public host: "10.0.0.1"'],
  [{ baseUrl: "http://169.254.169.254/v1" }, true, "baseUrl must be a public host"],
  [{ headers: { Host: "sk-secret" } }, false, 'header "Host" would forge'],
  [{ headers: { "x-a": "sk-secret\n" } }, true, 'header "x-a" must be visible'],
])(
  "guardedAsk() does not call %j where private endpoints are allowed: %s",
  async (change, allowPrivate, reason) => {
    const answer = await asked(change, allowPrivate);
    expect(answer).toMatchObject({
      output: null,
      requests: 1,
      attempts: 0,
      error: { class: "blocked" },
    });
    expect(answer?.error?.message).toContain(reason);
    expect(answer?.error?.message).not.toContain("sk-secret");
  },
);

it("guardedAsk() never calls a host in the service's own zone", async () => {
  const endpoint = { baseUrl: "https://models.acme.dev/v1" };
  const answer = await asked(endpoint, false, ["assay.acme.dev"]);
  expect(answer?.error).toMatchObject({
    class: "blocked",
    message: expect.stringContaining('"models.acme.dev" is in acme.dev'),
  });
  expect((await asked(endpoint, false, ["assay.other.dev"]))?.output).toBe("hi");
  expect((await asked(endpoint, true, ["assay.acme.dev"]))?.output).toBe("hi");
});
