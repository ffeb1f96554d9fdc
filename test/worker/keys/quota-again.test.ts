import { describe, expect, it } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import { type Answer, emptyAnswer } from "../../../shared/contracts/answer.ts";
import type { Usage } from "../../../shared/contracts/keys/usage.ts";
import type { Submission } from "../../../shared/contracts/submissions/submission.ts";
import { aSubmission, problemOf, serve } from "../support/client.ts";
import { anAccount, answering, harness, relayDataset } from "../support/harness.ts";
import { relaySuite } from "../support/relay-suite.ts";

const noon = Date.parse("2026-11-21T12:00:00Z");
const later = { ...relaySuite, version: "2" };
const laterSuites = { all: [later], byId: () => later };

const gone: Partial<Answer> = { ...emptyAnswer, error: { class: "lost", message: "gone" } };
const refused: Partial<Answer> = {
  ...emptyAnswer,
  error: { class: "bad_request", message: "400" },
};

/** A finished run of ten samples: two lost by the service, and one refused by the endpoint. */
async function finished(dailySamples: number | null, overrides: Partial<Platform> = {}) {
  const state = { clock: noon, mended: false };
  const ask = answering(({ messages }) => {
    const content = messages[0]?.content ?? "";
    if (state.mended) return {};
    if (/[01]$/.test(content)) return gone;
    return content.endsWith("2") ? refused : {};
  });
  const { platform, deliverAll } = harness({ ask, now: () => state.clock, ...overrides });
  const accountOf = (key: string) =>
    anAccount("acme", { keyId: `${key}-${dataset}`, dailySamples, scopes: ["submit"] });
  const dataset = await relayDataset(platform, 10);
  const accounts = { a: accountOf("a"), b: accountOf("b"), none: anAccount("acme") };
  const api = serve(platform, accounts);
  const as = (key: string) => ({ authorization: `Bearer ${key}` });
  const submitted = await api.post("/v1/submissions", aSubmission(dataset), as("a"));
  const run = ((await submitted.json()) as Submission).runs[0]?.id ?? "";
  await deliverAll();
  state.mended = true;
  const usedBy = async (key: string) =>
    ((await (await api.get("/v1/usage", as(key))).json()) as Usage).usedSamples;
  const retry = (key: string, headers = {}) =>
    api.post(`/v1/runs/${run}/retry`, {}, { ...as(key), ...headers });
  const rescoring = serve({ ...platform, suites: laterSuites }, accounts);
  const rescore = (key: string, headers = {}) =>
    rescoring.post(`/v1/runs/${run}/rescore`, {}, { ...as(key), ...headers });
  const lost = await platform.runs.get(run);
  expect(lost).toMatchObject({ status: "finished", failed: 3 });
  expect(await usedBy("a")).toBe(8);
  return { platform, deliverAll, state, run, usedBy, retry, rescore, dataset };
}

describe("a retry", () => {
  it("charges the samples that were refunded, and shows it at once", async () => {
    const { retry, usedBy, deliverAll } = await finished(10);
    expect((await retry("a")).status).toBe(200);
    expect(await usedBy("a")).toBe(10);
    await deliverAll();
    expect(await usedBy("a")).toBe(10);
  });

  it("refunds samples that are lost again", async () => {
    const { retry, usedBy, deliverAll, state } = await finished(10);
    state.mended = false;
    expect((await retry("a")).status).toBe(200);
    await deliverAll();
    expect(await usedBy("a")).toBe(8);
  });

  it("refunds samples that were not done when it is cancelled", async () => {
    const { platform, retry, usedBy, run } = await finished(10);
    await retry("a");
    await platform.runs.cancel(run, noon);
    expect(await usedBy("a")).toBe(7);
  });

  it("is refused with 429 if the quota is not sufficient, and changes nothing", async () => {
    const { platform, retry, usedBy, run, deliverAll } = await finished(10, {});
    const tight = serve(platform, {
      t: anAccount("acme", { keyId: `tight-${run}`, dailySamples: 1 }),
    });
    const response = await tight.post(`/v1/runs/${run}/retry`, {}, { authorization: "Bearer t" });
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe(`${12 * 3600}`);
    const problem = await problemOf(response);
    expect(problem.type).toContain("/errors/quota-exceeded/");
    expect(problem.detail).toContain("needs 2 samples");
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 10 });
    expect((await retry("a")).status).toBe(200);
    await deliverAll();
    expect(await usedBy("a")).toBe(10);
  });

  it("charges once when it is sent again after a lost reply", async () => {
    const { platform, retry, usedBy } = await finished(10);
    const stored = platform.runs.retry;
    platform.runs.retry = async (wanted) => {
      expect(await stored(wanted)).toBe("retried");
      return stored(wanted);
    };
    expect((await retry("a")).status).toBe(200);
    expect(await usedBy("a")).toBe(10);
  });

  it("charges the key and the day of the retry", async () => {
    const { platform, retry, usedBy, state, deliverAll, dataset } = await finished(10);
    state.clock += 86_400_000;
    expect((await retry("b")).status).toBe(200);
    expect(await usedBy("b")).toBe(2);
    await deliverAll();
    expect(await usedBy("b")).toBe(2);
    expect(await platform.usage.used(`a-${dataset}`, "2026-11-21")).toBe(8);
  });

  it("without a key charges nobody", async () => {
    const { retry, usedBy, deliverAll } = await finished(10);
    expect((await retry("none")).status).toBe(200);
    await deliverAll();
    expect(await usedBy("a")).toBe(8);
  });

  it("refunds on a later day no more than was charged on it", async () => {
    const { platform, retry, usedBy, state, run } = await finished(20);
    state.clock += 86_400_000;
    await retry("b");
    await platform.runs.cancel(run, state.clock);
    expect(await usedBy("b")).toBe(0);
  });
});

describe("a rescoring", () => {
  it("charges its samples, and refunds lost ones", async () => {
    const { rescore, usedBy, platform, deliverAll } = await finished(20);
    expect((await rescore("a")).status).toBe(202);
    expect(await usedBy("a")).toBe(18);
    const suites = platform.suites;
    platform.suites = laterSuites;
    await deliverAll();
    platform.suites = suites;
    expect(await usedBy("a")).toBe(16);
  });

  it("is refused with 429 if the quota is not sufficient, and stores nothing", async () => {
    const { rescore, usedBy } = await finished(17);
    const response = await rescore("a");
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBe(12 * 3600);
    expect((await problemOf(response)).detail).toContain(
      "needs 10 samples (samples × repeats × models), but of this key's daily quota of 17 samples 8 are used and 9 are left",
    );
    expect(await usedBy("a")).toBe(8);
  });

  it("charges once per idempotency key", async () => {
    const { rescore, usedBy } = await finished(20);
    const key = { "idempotency-key": crypto.randomUUID() };
    expect((await rescore("a", key)).status).toBe(202);
    expect((await rescore("a", key)).headers.get("idempotency-replayed")).toBe("true");
    expect(await usedBy("a")).toBe(18);
  });

  it("refunds everything when it is cancelled before it starts", async () => {
    const { rescore, usedBy, platform } = await finished(20);
    const { runs } = (await (await rescore("a")).json()) as Submission;
    await platform.runs.cancel(runs[0]?.id ?? "", noon);
    expect(await usedBy("a")).toBe(8);
  });
});
