import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { accountOfToken } from "../../../api/keys/account.ts";
import { createApiKey } from "../../../api/keys/make-key.ts";
import { banAccount, liftBan } from "../../../api/operator/moderation.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { anApp, aSubmission } from "../support/client.ts";
import { anAccount, relayDataset } from "../support/harness.ts";
import { someRows } from "../support/hosted.ts";
import { signInService } from "../support/sign-in-service.ts";

const SERVICE = "https://assay.test";
const admin = anAccount("root", { scopes: ["admin"] });

/** A body whose second half is sent after `before`. */
function heldBody(text: string, type: string, before: () => Promise<unknown>) {
  const bytes = new TextEncoder().encode(text);
  const parts = [bytes.slice(0, 5), bytes.slice(5)];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const [part] = parts.splice(0, 1);
      if (parts.length === 0) await before();
      if (part) controller.enqueue(part);
      if (parts.length === 0) controller.close();
    },
  });
  return { method: "POST", body, duplex: "half", headers: { "content-type": type } };
}

const appOf = (platform: Platform) =>
  anApp(platform, (_c, token) => accountOfToken(token, "", platform.apiKeys, platform.now()));

/** A service with an account that has a key. `send` runs `meanwhile` while the body of a request is being sent. */
async function aService() {
  const { platform, state } = signInService();
  const owner = `slow-${crypto.randomUUID().slice(0, 8)}`;
  const wanted = { owner, name: "k", scopes: ["submit" as const] };
  const { key, record } = await createApiKey(platform, wanted);
  const app = appOf(platform);
  const send = (
    path: string,
    { text, type }: { text: string; type: string },
    meanwhile: () => Promise<unknown>,
    ms = 2_000,
  ) => {
    const held = heldBody(text, type, async () => {
      state.clock += ms;
      await meanwhile();
    });
    const headers = { ...held.headers, authorization: `Bearer ${key}` };
    return app.request(`${SERVICE}${path}`, { ...held, headers } as RequestInit);
  };
  const upload = `/v1/datasets?suite=relay&name=${owner}/rows`;
  return { platform, owner, record, send, upload };
}

const countOf = (table: string, owner: string) =>
  env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE owner = ?1`).bind(owner).first("n");

describe("a request with a slow body", () => {
  it("is refused if the account is banned or the key revoked meanwhile", async () => {
    const rig = await aService();
    const { platform, owner, record } = rig;
    const rows = someRows().ordered.join("\n");
    const dataset = await relayDataset(platform, 2);
    const form = `--b\r\ncontent-disposition: form-data; name="file"; filename="f.jsonl"\r\n\r\n${rows}\r\n--b--\r\n`;
    const submission = JSON.stringify(aSubmission(dataset));
    const requests = [
      ["/v1/submissions", { text: submission, type: "application/json" }],
      [rig.upload, { text: rows, type: "application/jsonl" }],
      [rig.upload, { text: form, type: "multipart/form-data; boundary=b" }],
    ] as const;
    for (const [path, body] of requests) {
      const reply = await rig.send(path, body, () => banAccount(platform, admin, owner, "spam"));
      expect([body.type, reply.status]).toEqual([body.type, 403]);
      expect(await reply.text()).toContain("your rights changed while the body was under way");
      await platform.bans.remove(owner);
    }
    const [path, body] = requests[1];
    const revoke = () => platform.apiKeys.revoke(record.id, platform.now());
    expect((await rig.send(path, body, revoke)).status).toBe(403);
    expect([await countOf("runs", owner), await countOf("datasets", owner)]).toEqual([0, 0]);
  });

  it("is accepted within a second of a ban, but its runs are hidden", async () => {
    const { platform, owner, send } = await aService();
    const text = JSON.stringify(aSubmission(await relayDataset(platform, 2)));
    const body = { text, type: "application/json" };
    const ban = () => banAccount(platform, admin, owner, "spam");
    const reply = await send("/v1/submissions", body, ban, 100);
    expect(reply.status).toBe(202);
    const { runs } = (await reply.json()) as { runs: { id: string }[] };
    const hidden = async () => (await platform.runs.get(runs[0]?.id ?? ""))?.hiddenReason;
    expect(await hidden()).toBe(`the account "${owner}" is banned`);
    await liftBan(platform, owner);
    expect(await hidden()).toBeNull();
  });

  it("is carried out if the account still has the same rights, for every content type", async () => {
    const rig = await aService();
    const dataset = await relayDataset(rig.platform, 2);
    const rows = someRows().ordered.join("\n");
    const form = `--b\r\ncontent-disposition: form-data; name="file"; filename="f.jsonl"\r\n\r\n${rows}\r\n--b--\r\n`;
    const nothing = async () => {};
    const submission = JSON.stringify(aSubmission(dataset));
    const replies = [
      await rig.send("/v1/submissions", { text: submission, type: "application/json" }, nothing),
      await rig.send(rig.upload, { text: rows, type: "application/jsonl" }, nothing),
      await rig.send(rig.upload, { text: form, type: "multipart/form-data; boundary=b" }, nothing),
    ];
    expect(replies.map(({ status }) => status)).toEqual([202, 201, 201]);
  });
});

describe("a member who is removed while the body of a key request is being sent", () => {
  it.each([0, 2_000])("gets no key %i ms later", async (ms) => {
    const { platform, browser, provider, state } = signInService();
    const tag = crypto.randomUUID().slice(0, 8);
    const signedIn = async (id: number, login: string) => {
      provider.state.person = { id, login };
      const client = browser();
      await client.signIn();
      return { ...client, view: await client.account() };
    };
    const ada = await signedIn(777_001 + ms, `ada-${tag}`);
    const owner = `org-${tag}`;
    expect((await ada.write("POST", "/v1/organisations", { owner, name: "O" })).status).toBe(201);
    const path = `/v1/organisations/${owner}`;
    const invited = await ada.write("POST", `${path}/invitations`, { role: "submit", days: 1 });
    const invitation = ((await invited.json()) as { link: string }).link.split("=")[1] ?? "";
    const bob = await signedIn(777_002 + ms, `bob-${tag}`);
    const accept = "/v1/invitation/accept";
    const joined = await bob.write("POST", accept, undefined, { "x-invitation": invitation });
    expect(joined.status).toBe(200);
    const text = JSON.stringify({ name: "k", scopes: ["submit"] });
    const held = heldBody(text, "application/json", async () => {
      state.clock += ms;
      const removed = await ada.write("DELETE", `${path}/members/${bob.view.owner}`);
      expect(removed.status).toBe(200);
    });
    const headers = {
      ...held.headers,
      origin: SERVICE,
      "x-csrf-token": bob.view.csrfToken ?? "",
      "x-assay-owner": owner,
      cookie: [...bob.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    };
    const request = { ...held, headers } as RequestInit;
    const reply = await appOf(platform).request(`${SERVICE}/v1/account/keys`, request);
    expect(reply.status).toBe(403);
    expect(await platform.apiKeys.liveOf(owner, state.clock)).toEqual([]);
    const { results } = await env.DB.prepare("SELECT * FROM audit_log WHERE action = 'key.create'")
      .bind()
      .all();
    expect(JSON.stringify(results)).not.toContain(owner);
  });
});
