import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { platformOf } from "../../../api/index.ts";
import { endpointMemory } from "../../../api/providers/endpoint-memory.ts";
import { controlRun } from "../../../api/runs/service.ts";
import type { RunnerReply } from "../../../shared/contracts/submissions/runner.ts";
import { aSubmission, problemOf, serve } from "../support/client.ts";
import { fakeRunner, type Taken, upperCased } from "../support/fake-runner.ts";
import { anAccount, deliver, harness, relayDataset, submitRun } from "../support/harness.ts";

const endpoint = { runner: "lab", baseUrl: "http://10.0.0.5:8000/v1", model: "m" };
const models = [{ name: "Private", slug: "acme/private", endpoint }];

/** Two requests of a run that the runner has leased. */
async function twoRequests() {
  const { platform, mail } = harness();
  const runner = await fakeRunner(platform);
  await runner.register();
  await runner.take(0);
  const dataset = await relayDataset(platform, 2);
  const run = await submitRun(platform, dataset, { models, options: { concurrency: 2 } });
  const lane = deliver(platform, "evaluate", mail.evaluate.shift());
  const held: Taken[] = [];
  for (let i = 0; held.length < 2 && i < 200; i++) held.push(...(await runner.take(1)).requests);
  return {
    platform,
    runner,
    run,
    held: held as [Taken, Taken],
    /** Cancels the run and marks all runners as away, so the lane ends. */
    async [Symbol.asyncDispose]() {
      await controlRun(platform, anAccount("acme"), run, "cancel");
      await env.DB.prepare("UPDATE runners SET last_seen_at = 0").run();
      await lane;
    },
  };
}

const expire = (id: string) =>
  env.DB.prepare("UPDATE runner_requests SET lease_until = 0 WHERE id = ?").bind(id).run();

describe("two runners with the same name", () => {
  it("share the work; an expired lease passes to the other, and a late reply of the first is refused", async () => {
    await using rig = await twoRequests();
    const { platform, runner, held } = rig;
    const second = await fakeRunner(platform);
    await second.register();
    expect((await second.take()).requests).toEqual([]);
    await expire(held[0].id);
    const { requests } = await second.take();
    expect(requests.map(({ id }) => id)).toEqual([held[0].id]);
    expect(
      (
        await runner.take(
          0,
          [held[0]].map(({ id, lease }) => ({ id, lease })),
        )
      ).gone,
    ).toEqual([held[0].id]);
    const late = await runner.reply(held[0], upperCased(held[0]));
    expect(late.status).toBe(409);
    expect((await problemOf(late)).detail).toContain("another runner has it");
    const good = await second.reply(requests[0]!, upperCased(requests[0]!));
    expect(good.status).toBe(200);
    // A reply that is sent again after a lost response is stored once.
    expect((await second.reply(requests[0]!, upperCased(requests[0]!))).status).toBe(200);
  });

  it("keep their leases by renewal", async () => {
    await using rig = await twoRequests();
    const { runner, held } = rig;
    const soon = Date.now() + 5_000;
    const until = "UPDATE runner_requests SET lease_until = ?1 WHERE id = ?2";
    await env.DB.prepare(until).bind(soon, held[0].id).run();
    const { id, lease } = held[0];
    expect((await runner.take(0, [{ id, lease }])).gone).toEqual([]);
    const row = await env.DB.prepare("SELECT lease_until AS at FROM runner_requests WHERE id = ?")
      .bind(id)
      .first<{ at: number }>();
    expect(row!.at).toBeGreaterThan(soon + 20_000);
  });

  it("do not get a request that five runners failed to answer", async () => {
    await using rig = await twoRequests();
    const { runner, held } = rig;
    for (let i = 1; i < 5; i++) {
      await expire(held[0].id);
      expect((await runner.take()).requests.map(({ id }) => id)).toEqual([held[0].id]);
    }
    await expire(held[0].id);
    expect((await runner.take()).requests).toEqual([]);
  });
});

describe("a forged reply", () => {
  it.each<[what: string, status: number, headers: Record<string, string>]>([
    ["with another lease", 422, { "assay-lease": "lease_of_another" }],
    ["with a signature for another text", 422, { "assay-signature": "A".repeat(86) }],
    ["with a malformed signature", 422, { "assay-signature": "%%%" }],
    ["with an unregistered key", 422, { "assay-key-id": "k".repeat(43) }],
  ])("%s is refused", async (_, status, headers) => {
    await using rig = await twoRequests();
    const { runner, held } = rig;
    const response = await runner.reply(held[0], upperCased(held[0]), headers);
    expect(response.status).toBe(status);
    const kept = await env.DB.prepare("SELECT reply FROM runner_requests WHERE id = ?")
      .bind(held[0].id)
      .first<{ reply: string | null }>();
    expect(kept).toEqual({ reply: null });
  });

  it("with a lease of another request is refused, even if it is signed", async () => {
    await using rig = await twoRequests();
    const { runner, held } = rig;
    const forged = { id: held[0].id, lease: held[1].lease };
    expect((await runner.reply(forged, upperCased(held[0]))).status).toBe(409);
    const unknown = { id: "0".repeat(64), lease: held[1].lease };
    expect((await runner.reply(unknown, upperCased(held[0]))).status).toBe(404);
  });

  it.each<[what: string, change: Partial<Record<keyof RunnerReply, unknown>>]>([
    ["an invalid status", { status: 99 }],
    ["neither status nor failure", { status: null }],
    ["a negative time", { elapsedMs: -1 }],
    ["an invalid time", { elapsedMs: "soon" }],
    ["too many marks", { marks: Array.from({ length: 2_001 }, (_, i) => [i, i]) }],
    [
      "too many headers",
      {
        headers: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`h${i}`, "x"])),
      },
    ],
    ["a body that is too long", { body: "x".repeat(8 * 1024 * 1024 + 1) }],
    ["a service-only class", { status: null, failure: { class: "no_runner", message: "" } }],
  ])("with %s is refused", async (_, change) => {
    await using rig = await twoRequests();
    const { runner, held } = rig;
    const response = await runner.reply(held[0], { ...upperCased(held[0]), ...change });
    expect(response.status).toBe(422);
  });
});

describe("another account", () => {
  it("gets no requests with a runner of the same name, and can't reply to them", async () => {
    await using rig = await twoRequests();
    const { platform, held } = rig;
    const mallory = await fakeRunner(platform, { as: "mallory" });
    expect((await mallory.poll({ take: 1 })).status).toBe(404);
    await mallory.register();
    await expire(held[0].id);
    expect((await mallory.take()).requests).toEqual([]);
    expect((await mallory.reply(held[0], upperCased(held[0]))).status).toBe(404);
  });

  it("can't use this account's runner", async () => {
    const { platform } = harness();
    await (await fakeRunner(platform, { name: "ours" })).register();
    const model = { endpoint: { ...endpoint, runner: "ours" } };
    const accounts = { mallory: anAccount("mallory") };
    const body = aSubmission(await relayDataset(platform, 1), {}, model);
    const response = await serve(platform, accounts).post("/v1/submissions", body, {
      authorization: "Bearer mallory",
    });
    expect(response.status).toBe(422);
    expect((await problemOf(response)).errors).toEqual([
      {
        pointer: "/models/0/endpoint/runner",
        detail:
          '"mallory" has no runner "ours": start it first with assay runner --name ours; "mallory" has lab',
      },
    ]);
  });
});

it.each([
  [{ apiKey: "sk-0123456789" }, "/models/0/endpoint/apiKey"],
  [{ headers: { "x-team": "a" } }, "/models/0/endpoint/headers"],
])("an endpoint of a runner takes no secrets: %o", async (more, pointer) => {
  const { platform } = harness();
  const body = aSubmission("any", {}, { endpoint: { ...endpoint, ...more } });
  const response = await serve(platform).post("/v1/submissions", body);
  expect(response.status).toBe(422);
  expect((await problemOf(response)).errors?.[0]?.pointer).toBe(pointer);
});

it("a runner's key can't delete runners of its account, a key that submits can", async () => {
  const { platform } = harness();
  const status = async (as: "acme" | "submitter") => (await fakeRunner(platform, { as })).remove();
  await (await fakeRunner(platform)).register();
  expect(await status("acme")).toBe(403);
  expect(await status("submitter")).toBe(204);
});

it("a key without the scope runner can't take requests", async () => {
  const { platform } = harness();
  const runner = await fakeRunner(platform, { as: "submitter" });
  expect((await runner.register()).status).toBe(403);
  expect((await runner.poll({ take: 1 })).status).toBe(403);
});

it("the service itself never calls an endpoint of a runner", async () => {
  const { ask } = platformOf({ ...env } as never);
  const limits = { timeoutMs: 1_000, maxRetries: 0, blockedMs: null };
  const reply = await ask(
    { ...endpoint, maxTokensParam: "max_tokens" },
    { messages: [{ role: "user", content: "a" }] },
    limits,
    endpointMemory(),
  );
  expect(reply).toMatchObject({
    kind: "answer",
    answer: { error: { class: "blocked", message: "only the runner lab calls this endpoint" } },
  });
});

it("a runner has at most twenty keys and an account at most a hundred runners, also with concurrent requests", async () => {
  const { platform } = harness();
  const api = serve(platform, { busy: { ...anAccount("busy"), scopes: ["runner"] } });
  const register = (name: string, i: number) => {
    const publicKey = `${"A".repeat(39)}${`${i}`.padStart(3, "0")}A`;
    return api.put(`/v1/runners/${name}`, { publicKey }, { authorization: "Bearer busy" });
  };
  const keys = await Promise.all(Array.from({ length: 22 }, (_, i) => register("lab", i)));
  const refused = keys.filter(({ status }) => status === 409);
  expect(refused).toHaveLength(2);
  expect((await problemOf(refused[0]!)).detail).toContain('"lab" has 20 keys');
  const names = Array.from({ length: 101 }, (_, i) => register(`lab-${i}`, 0));
  const others = (await Promise.all(names)).filter(({ status }) => status === 409);
  expect(others).toHaveLength(2);
  expect((await problemOf(others[0]!)).detail).toContain('"busy" has 100 runners');
});
