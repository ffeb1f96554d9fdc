import { describe, expect, it } from "vitest";
import { isUnknownHost } from "../../../api/providers/failure.ts";
import { retryRun } from "../../../api/runs/retry-run.ts";
import type { Answer } from "../../../shared/contracts/answer.ts";
import { anAccount, answering, harness, relayDataset, submitRun } from "../support/harness.ts";

const samples = 72;

const refusing = (httpStatus: number | null, error: Answer["error"]): Partial<Answer> => ({
  output: null,
  httpStatus,
  error,
});
const noKey = refusing(401, { class: "unauthorized", message: "401 Incorrect API key" });
const noModel = refusing(404, { class: "not_found", message: "404 no model m" });
const forbidden = refusing(403, { class: "unauthorized", message: "403 blocked" });
const noHost = refusing(null, {
  class: "network",
  message: "there is no such host: its name is unknown, or its certificate is not trusted",
});
const late = refusing(null, { class: "timeout", message: "no answer within 60000 ms" });

/** A run whose n-th request (from 0) gets `reply(n)`, or a good answer for null. */
async function runWith(reply: (n: number) => Partial<Answer> | null, concurrency = 20) {
  let sent = 0;
  const ask = answering(() => reply(sent++) ?? {});
  const { platform, deliverAll } = harness({ ask });
  const dataset = await relayDataset(platform, samples);
  const id = await submitRun(platform, dataset, { options: { concurrency } });
  await deliverAll();
  const run = await platform.runs.get(id);
  return { platform, deliverAll, id, run, sent: () => sent };
}

describe("a run whose samples can't be answered", () => {
  it.each([
    ["a refused key", noKey, "unauthorized (401 Incorrect API key). Check the endpoint's key"],
    ["a missing model", noModel, "not found (404 no model m). Check the endpoint's address"],
    [
      "an unknown host",
      noHost,
      "network (there is no such host: its name is unknown, or its certificate is not trusted). Check",
    ],
  ])("stops after the first answers: %s", async (_, answer, reason) => {
    const { run, sent } = await runWith(() => answer);
    // Only the requests in flight before the first reply.
    expect(sent()).toBeLessThanOrEqual(20);
    expect(run).toMatchObject({ status: "failed", done: sent(), failed: sent() });
    expect(run?.statusReason).toContain(`answered none of the first samples: ${reason}`);
    expect(run?.statusReason).toMatch(
      /\. Once that is fixed, retry the run to evaluate all samples$/,
    );
    expect(run?.sealedSecrets).toBe(null);
  });

  it("stops after three samples with a concurrency of 1", async () => {
    const { run, sent } = await runWith(() => noKey, 1);
    expect([sent(), run?.status]).toEqual([3, "failed"]);
  });

  it("continues with all samples when it is retried with a key", async () => {
    let isFixed = false;
    const { platform, deliverAll, id } = await runWith(() => (isFixed ? null : noKey));
    isFixed = true;
    const endpoint = { apiKey: "sk-plain-secret" };
    const retried = await retryRun(platform, anAccount("acme"), id, { endpoint });
    expect(retried.ok).toBe(true);
    await deliverAll();
    expect(await platform.runs.get(id)).toMatchObject({
      status: "finished",
      statusReason: null,
      done: samples,
      failed: 0,
    });
  });
});

describe("a run continues", () => {
  it.each<[string, (n: number) => Partial<Answer> | null, number]>([
    ["after a 401 among good answers", (n) => (n === 7 ? noKey : null), 1],
    ["after a 401 and a 404 before any good answer", (n) => [noKey, noModel][n] ?? null, 2],
    // A sample has two requests.
    ["if its key is refused later", (n) => (n > 3 ? noKey : null), samples - 2],
    ["if a firewall answers 403 to all", () => forbidden, samples],
    ["if all requests time out", () => late, samples],
  ])("%s", async (_, reply, failed) => {
    const { run } = await runWith(reply, 1);
    expect(run).toMatchObject({ status: "finished", done: samples, failed });
  });
});

it("isUnknownHost() distinguishes an unknown host from a failed connection", () => {
  const network = (message: string) => ({ class: "network" as const, message });
  expect(isUnknownHost(network(noHost.error?.message ?? ""))).toBe(true);
  expect(isUnknownHost(network("the connection failed"))).toBe(false);
});
