import { describe, expect, it, vi } from "vitest";
import { consume } from "../../../api/consumers.ts";
import { brokenReason } from "../../../api/engine/record-lost-units.ts";
import { finalizeMessage } from "../../../api/platform/messages.ts";
import { Outage } from "../../../api/platform/retry-storage.ts";
import type { RunRecord } from "../../../api/runs/schema.ts";
import { deliver, harness, relayDataset, submitRun } from "../support/harness.ts";

describe("a dead message", () => {
  it("fails its run with the reason, once", async () => {
    const { platform, mail } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 2));
    while (mail.evaluate.length > 0) await deliver(platform, "evaluate", mail.evaluate.shift());
    const message = finalizeMessage(run);
    expect(mail.finish).toEqual([message]);
    for (let times = 0; times < 2; times++) {
      expect(await deliver(platform, "dead", message)).toBe("ack");
      expect(await platform.runs.get(run)).toMatchObject({
        status: "failed",
        statusReason: brokenReason,
      });
    }
  });

  it("changes nothing if its run has ended or its kind is unknown", async () => {
    const { platform, mail, deliverAll } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 1));
    const [lane] = mail.evaluate;
    await deliverAll();
    const before = await platform.runs.get(run);
    expect(before?.status).toBe("finished");
    for (const message of [lane, finalizeMessage(run), { kind: "unheard of" }]) {
      expect(await deliver(platform, "dead", message)).toBe("ack");
    }
    expect(await platform.runs.get(run)).toEqual(before);
  });
});

describe("a message that fails", () => {
  it("is retried with growing delays, and is logged without its body", async () => {
    const { platform } = harness();
    const logged = vi.spyOn(console, "error").mockReturnValue();
    const delays = await Promise.all(
      [1, 3, 9, 30].map(async (attempts) => {
        const retry = vi.fn();
        const body = { key: "sk-secret" };
        const message = { id: "m", timestamp: new Date(), attempts, body, ack: vi.fn(), retry };
        await consume(platform, { queue: "assay-evaluate", messages: [message] } as never);
        expect(message.ack).not.toHaveBeenCalled();
        return retry.mock.calls[0]?.[0].delaySeconds;
      }),
    );
    const lines = logged.mock.calls.flat().join("\n");
    logged.mockRestore();
    expect(delays).toEqual([2, 8, 300, 300]);
    expect(lines).toContain('"event":"message-failed","queue":"assay-evaluate"');
    expect(lines).not.toContain("sk-secret");
  });
});

it("consume() drops a message that failed by an outage before it is dead, since the cron job sends it again", async () => {
  const { platform } = harness({
    runs: { get: () => Promise.reject(new Outage("D1_ERROR: Network connection lost.")) } as never,
  });
  const logged = vi.spyOn(console, "error").mockReturnValue();
  const seen = await Promise.all(
    ["evaluate", "dead-local"].flatMap((queue) =>
      [1, 5, 15, 16].map(async (attempts) => {
        const [ack, retry] = [vi.fn(), vi.fn()];
        const body = { v: 1, kind: "lane", run: "run_x", lane: 0 };
        const message = { id: "m", timestamp: new Date(), attempts, body, ack, retry };
        await consume(platform, { queue: `assay-${queue}`, messages: [message] } as never);
        return ack.mock.calls.length === 1 ? "dropped" : retry.mock.calls[0]?.[0].delaySeconds;
      }),
    ),
  );
  logged.mockRestore();
  expect(seen).toEqual([2, 30, 30, "dropped", 2, 30, 30, 30]);
});

it("consume() works with queues of any name, and fails runs of messages in the dead-letter queue", async () => {
  const { platform, mail } = harness();
  const mine = { ...platform, settings: { ...platform.settings, deadLetterQueue: "mine-dead" } };
  const send = (queue: string, body: unknown) => {
    const calls = { ack: vi.fn(), retry: vi.fn() };
    const message = { id: "m", timestamp: new Date(), attempts: 1, body, ...calls };
    return consume(mine, { queue, messages: [message] } as never).then(() => message);
  };
  const run = await submitRun(mine, await relayDataset(mine, 2));
  while (mail.evaluate.length > 0) {
    const { ack } = await send("mine-evaluate", mail.evaluate.shift());
    expect(ack).toHaveBeenCalledOnce();
  }
  for (const message of mail.finish.splice(0)) await send("mine-finish", message);
  expect(await mine.runs.get(run)).toMatchObject({ status: "finished", done: 2 });

  const other = await submitRun(mine, await relayDataset(mine, 2));
  mail.evaluate.splice(0);
  await send("mine-dead", finalizeMessage(other));
  expect(await mine.runs.get(other)).toMatchObject({
    status: "failed",
    statusReason: brokenReason,
  });
});

interface Size {
  total: number;
  bytes: number;
  datasetSamples?: number;
}

it.each<[what: string, size: Size, atOnce: number]>([
  ["50 samples", { total: 50, bytes: 1 }, 3],
  ["500 samples", { total: 500, bytes: 1 }, 2],
  ["501 samples", { total: 501, bytes: 1 }, 1],
  ["100,000 samples", { total: 100_000, bytes: 1 }, 1],
  ["50 long answers", { total: 50, bytes: 11_000_000 }, 1],
  ["50 samples of a large dataset", { total: 50, bytes: 1, datasetSamples: 50_000 }, 1],
])("consume() limits how many runs with %s it summarises at once", async (_, size, atOnce) => {
  const { total, bytes, datasetSamples = total } = size;
  const { platform } = harness();
  const most = { underWay: 0 };
  let underWay = 0;
  const recount = async () => {
    most.underWay = Math.max(most.underWay, ++underWay);
    await new Promise((resolve) => setTimeout(resolve, 20));
    underWay -= 1;
  };
  const get = async () => ({ total, done: 0, datasetSamples, status: "running" }) as RunRecord;
  const objects = { ...platform.objects, bytes: async () => bytes };
  const counting = { ...platform, objects, runs: { ...platform.runs, recount, get } };
  const messages = [1, 2, 3].map((run) => finalizeMessage(`run_none_${run}`));
  await Promise.all(messages.map((message) => deliver(counting, "finish", message)));
  expect(most.underWay).toBe(atOnce);
});
