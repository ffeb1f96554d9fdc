import { createPublicKey, verify } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { serviceClient } from "../../../cli/remote/service-client.ts";
import { type RunnerState, runRunner } from "../../../cli/run/runner/run-runner.ts";
import { runnerKey } from "../../../cli/run/runner/runner-key.ts";
import {
  type RunnerPoll,
  type RunnerReply,
  signedReplyText,
} from "../../../shared/contracts/submissions/runner.ts";
import { assay } from "../support/assay.ts";
import { fakeService, problemReply, type Reply } from "../support/fake-service.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-runner-"));
  vi.stubEnv("ASSAY_FOLDER", folder);
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const lab = { name: "lab", keys: ["k"], createdAt: "2026-11-01T00:00:00Z", lastSeenAt: null };
const idle = { body: { requests: [], gone: [] } };
const stored = { body: { stored: true } };

/** A runner whose service gives these replies to its polls, then no more work. */
async function aRunner(polls: Reply[], replies: Reply[] = [], concurrency = 2) {
  const endpoint = await fakeService(() => ({ body: '{"a":1}' }));
  const stop = new AbortController();
  const request = (id: string) => ({
    id,
    lease: `lease-${id}`,
    request: {
      method: "POST",
      url: `${endpoint.url}/v1/chat/completions`,
      headers: {},
      body: "{}",
      timeoutMs: 1_000,
    },
  });
  const service = await fakeService(({ call }) => {
    if (call === "PUT /v1/runners/lab") return { body: lab };
    if (call === "POST /v1/runners/lab/requests") {
      const reply = polls.shift();
      if (reply === undefined) stop.abort();
      return reply ?? idle;
    }
    return replies.shift() ?? stored;
  });
  const states: RunnerState[] = [];
  const run = () =>
    runRunner({
      client: serviceClient({ origin: service.url, apiKey: null }, "runner"),
      name: "lab",
      key: runnerKey("lab"),
      bases: [new URL(`${endpoint.url}/v1`)],
      apiKey: null,
      concurrency,
      say: (state) => states.push(state),
      stop: stop.signal,
    });
  const dispose = async () => {
    await endpoint.dispose();
    await service.dispose();
  };
  const of = (call: string) => service.asked.filter((one) => one.call === call);
  const said = () => states.map(({ state }) => state);
  return { run, of, states, said, request, endpoint, polls, [Symbol.asyncDispose]: dispose };
}

it("runRunner() registers its key, sends the requests and signs the replies", async () => {
  await using setup = await aRunner([]);
  setup.polls.push({ body: { requests: [setup.request("a"), setup.request("b")], gone: [] } });
  await setup.run();
  expect(setup.endpoint.asked).toHaveLength(2);
  expect(setup.said()).toEqual(["ready", "working", "stopping", "stopped"]);
  expect(setup.states.at(-1)).toEqual({ state: "stopped", sent: 2, failed: 0 });
  const [reply] = setup.of("POST /v1/runners/lab/requests/a/reply");
  const { publicKey, keyId } = runnerKey("lab");
  expect(setup.of("PUT /v1/runners/lab")[0]?.body).toEqual({ publicKey });
  expect(reply?.headers).toMatchObject({ "assay-lease": "lease-a", "assay-key-id": keyId });
  const text = signedReplyText({ id: "a", lease: "lease-a" }, JSON.stringify(reply?.body));
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: publicKey }, format: "jwk" });
  const signature = Buffer.from(String(reply?.headers["assay-signature"]), "base64url");
  expect(verify(null, Buffer.from(text), key, signature)).toBe(true);
  expect(reply?.body as RunnerReply).toMatchObject({ status: 200, body: '{"a":1}', failure: null });
});

it("runnerKey() creates a key once, in a file that only the owner can read", () => {
  const { keyId } = runnerKey("lab");
  expect(runnerKey("lab").keyId).toBe(keyId);
  expect(runnerKey("other").keyId).not.toBe(keyId);
  expect(statSync(join(folder, "runners", "lab.key")).mode & 0o077).toBe(0);
  expect(statSync(join(folder, "runners")).mode & 0o077).toBe(0);
});

it("runRunner() survives an outage, reports it once and then delivers its reply", async () => {
  const down = { status: 503, headers: { "retry-after": "1" } };
  await using setup = await aRunner([], [down]);
  setup.polls.push({ body: { requests: [setup.request("a")], gone: [] } }, down, idle);
  await setup.run();
  expect(setup.endpoint.asked).toHaveLength(1);
  expect(setup.of("POST /v1/runners/lab/requests/a/reply")).toHaveLength(2);
  expect(setup.said().filter((state) => state === "unreachable")).toHaveLength(1);
  expect(setup.said()).toContain("back");
  expect(setup.states.at(-1)).toEqual({ state: "stopped", sent: 1, failed: 0 });
}, 20_000);

it("runRunner() drops a reply that another runner has delivered", async () => {
  await using setup = await aRunner([], [problemReply(409, "another runner has it")]);
  setup.polls.push({ body: { requests: [setup.request("a")], gone: [] } });
  await setup.run();
  expect(setup.states.at(-1)).toEqual({ state: "stopped", sent: 0, failed: 0 });
  expect(setup.said()).toContain("dropped");
});

it("runRunner() takes no more requests than its concurrency", async () => {
  await using setup = await aRunner([], [], 1);
  setup.polls.push({ body: { requests: [setup.request("a")], gone: [] } }, idle);
  await setup.run();
  const takes = setup
    .of("POST /v1/runners/lab/requests")
    .map(({ body }) => (body as RunnerPoll).take);
  expect(Math.max(...takes)).toBe(1);
});

it("runRunner() lists the requests that it is sending, so that their leases are renewed", async () => {
  await using setup = await aRunner([]);
  setup.polls.push({ body: { requests: [setup.request("a")], gone: [] } });
  await setup.run();
  const polls = setup.of("POST /v1/runners/lab/requests").map(({ body }) => body as RunnerPoll);
  expect(polls.slice(0, 2).map(({ holding }) => holding)).toEqual([
    [],
    [{ id: "a", lease: "lease-a" }],
  ]);
});

it.each([
  [["--name", "Lab!", "--allow", "http://a.lan/v1"], "--name must be lower case"],
  [["--name", "lab", "--allow", "a.lan"], "--allow must be the address of an endpoint"],
  [["--name", "lab"], "--allow URL is required"],
  [["--name", "lab", "--allow", "http://a.lan", "--concurrency", "0"], "--concurrency must be"],
])("assay runner refuses %o", async (flags, message) => {
  const { code, stderr } = await assay("/none", [
    "runner",
    ...flags,
    "--server",
    "http://localhost:1",
  ]);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
