import { expect, it } from "vitest";
import { emptyAnswer } from "#shared/contracts/answer.ts";
import type { AskModel, EndpointTarget } from "../platform/ports.ts";
import { endpointMemory } from "./endpoint-memory.ts";
import { guardedAsk } from "./guarded-ask.ts";

const calling: AskModel = async () => ({
  kind: "answer",
  answer: { ...emptyAnswer, output: "hi" },
});

async function asked(
  change: Partial<EndpointTarget>,
  allowPrivate: boolean,
  ownHosts: string[] = [],
) {
  const endpoint = {
    baseUrl: "https://api.example.com/v1",
    model: "m",
    maxTokensParam: "max_tokens",
  };
  const limits = { timeoutMs: 1, maxRetries: 0, mayPostpone: false };
  const ask = guardedAsk(calling, { allowPrivateEndpoints: allowPrivate, ownHosts });
  const target = { ...endpoint, ...change } as EndpointTarget;
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

it("guardedAsk() calls no host of the service's own zone, whenever it was submitted", async () => {
  const endpoint = { baseUrl: "https://models.acme.dev/v1" };
  const answer = await asked(endpoint, false, ["assay.acme.dev"]);
  expect(answer?.error).toMatchObject({
    class: "blocked",
    message: expect.stringContaining('"models.acme.dev" is in acme.dev'),
  });
  expect((await asked(endpoint, false, ["assay.other.dev"]))?.output).toBe("hi");
  expect((await asked(endpoint, true, ["assay.acme.dev"]))?.output).toBe("hi");
});
