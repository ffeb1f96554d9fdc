import { describe, expect, it, onTestFinished } from "vitest";
import { type BatchReply, batchClient } from "../../api/providers/batches/batch-client.ts";
import type { Endpoint } from "../../shared/contracts/submissions/submission.ts";
import { protocolOf } from "../../shared/protocols/protocol-of.ts";
import type { SimulatorOptions } from "../../simulator/simulation.ts";
import { startSimulator } from "../../simulator/start-simulator.ts";

const providers = [
  { batches: "openai", protocol: "chat_completions", root: "/v1" },
  { batches: "openai", protocol: "responses", root: "/v1" },
  { batches: "anthropic", protocol: "messages", root: "/v1" },
  { batches: "gemini", protocol: "generate_content", root: "/v1beta" },
  { batches: "mistral", protocol: "chat_completions", root: "/v1" },
] as const;

/** A batch client of a provider that is simulated with these options. */
async function simulated(
  { batches, protocol, root }: (typeof providers)[number],
  options: SimulatorOptions = {},
) {
  const simulator = await startSimulator({ latencyScale: 0, batchMs: 0, ...options });
  onTestFinished(() => simulator.close());
  const maxTokensParam = "max_tokens" as const;
  const model = "sim-perfect";
  const endpoint: Endpoint = {
    baseUrl: `${simulator.url}${root}`,
    model,
    protocol,
    batches,
    maxTokensParam,
    apiKey: "sk-any-0123456789",
  };
  const client = batchClient(endpoint, Date.now)!;
  const items = ["a", "b", "c", "d"].map((id) => {
    const request = { messages: [{ role: "user" as const, content: `Say ${id}.` }], maxTokens: 99 };
    const asked = { endpoint, request, mode: "none" as const, refused: new Set<string>() };
    const body = protocolOf(endpoint).body({ ...asked, streams: false });
    return { id, text: JSON.stringify(client.bodyOf(body)) };
  });
  return { simulator, client, items, ids: items.map(({ id }) => id) };
}

type Its = Awaited<ReturnType<typeof simulated>>;

async function submitted({ client, items }: Its): Promise<string> {
  const made = await client.submit({ id: "bat_1", items });
  if (!made.ok) throw new Error(made.failure.message);
  return made.value;
}

async function repliesOf({ client, ids }: Its, id: string) {
  const looked = await client.look(id, ids);
  if (!looked.ok || looked.value.kind === "open") throw new Error("the batch is open");
  return { ...looked.value, all: await Array.fromAsync(looked.value.replies()) };
}

const answered = (replies: BatchReply[]) => replies.filter((one) => "answer" in one);

describe.each(providers)("batches of $batches with $protocol", (provider) => {
  it("are submitted, found by name, and answered like live requests", async () => {
    const rig = await simulated(provider);
    const id = await submitted(rig);
    const createdAt = Date.now();
    const lost = { id: "bat_1", requests: 4, createdAt, isFree: async () => true };
    expect(await rig.client.find(lost)).toEqual({ ok: true, value: id });
    const { all, forget } = await repliesOf(rig, id);
    expect(all.map((one) => one.id)).toEqual(["d", "c", "b", "a"]);
    expect(all[0]).toMatchObject({
      answer: {
        output: expect.stringMatching(/\w/),
        outputTokens: expect.any(Number),
        batch: true,
      },
    });
    await forget();
    expect(rig.simulator.log.entries).toHaveLength(4);
  });

  it("can have failed and expired requests", async () => {
    const bad = await simulated(provider, { faults: "500:0.5" });
    const { all } = await repliesOf(bad, await submitted(bad));
    expect(all).toHaveLength(4);
    expect(answered(all).length).toBeLessThan(4);
    const late = await simulated(provider, { batchFaults: "expired:0.5,missing:0.3" });
    const after = await repliesOf(late, await submitted(late));
    expect(answered(after.all).length).toBeLessThan(4);
    for (const one of after.all) {
      if ("failure" in one)
        expect(one.failure).toMatchObject({ class: "timeout", retryable: true });
    }
  });

  it("can be open, cancelled, refused, invalid, or created with a lost reply", async () => {
    const slow = await simulated(provider, { batchMs: 60_000 });
    const id = await submitted(slow);
    expect(await slow.client.look(id, [])).toEqual({ ok: true, value: { kind: "open" } });
    expect(await slow.client.cancel(id)).toMatchObject({ ok: true });
    expect(answered((await repliesOf(slow, id)).all)).toEqual([]);
    const busy = await simulated(provider, { batchFaults: "busy" });
    expect(await busy.client.submit({ id: "bat_1", items: busy.items })).toMatchObject({
      failure: { class: "rate_limited", retryable: true, httpStatus: 429 },
    });
    const unheard = await simulated(provider, { batchFaults: "unheard" });
    const made = await unheard.client.submit({ id: "bat_1", items: unheard.items });
    expect(made).toMatchObject({ failure: { retryable: true, httpStatus: null } });
    const lost = { id: "bat_1", requests: 4, createdAt: Date.now(), isFree: async () => true };
    expect(await unheard.client.find(lost)).toMatchObject({ value: expect.any(String) });
    const invalid = await simulated(provider, { batchFaults: "invalid" });
    expect((await repliesOf(invalid, await submitted(invalid))).all).toEqual([]);
  });
});
