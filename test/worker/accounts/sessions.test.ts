import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Session } from "../../../shared/contracts/keys/account.ts";
import { operatorSecret, signInService } from "../support/sign-in-service.ts";

const SESSION = "__Host-assay-session";
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

let last = 50_000;

/** A service and a browser that is signed in there. */
async function signedIn(more: Parameters<typeof signInService>[0] = {}, login?: string) {
  const rig = signInService(more);
  rig.provider.state.person = { id: ++last, login: login ?? `user-${last}` };
  const mona = rig.browser();
  await mona.signIn();
  const token = () => mona.cookies.get(SESSION) ?? "";
  return { ...rig, mona, token };
}

const statusOf = async (browser: { send(path: string): Promise<Response> }) =>
  (await browser.send("/v1/account")).status;

describe("a session", () => {
  it("acts for its account like a key", async () => {
    const { mona } = await signedIn();
    const usage = await mona.send("/v1/usage");
    expect(await usage.json()).toMatchObject({ owner: `user-${last}`, usedSamples: 0 });
    expect((await mona.write("POST", "/v1/submissions", {})).status).toBe(422);
    expect((await mona.send("/v1/keys")).status).toBe(403);
  });

  it("has the scope admin if ADMIN_ACCOUNTS names the account with its provider", async () => {
    const named = await signedIn({ adminAccounts: ["github:chief"] }, "chief");
    expect((await named.mona.account()).scopes).toEqual(["submit", "admin"]);
    expect((await named.mona.send("/v1/keys")).status).toBe(200);
    const other = await signedIn({ adminAccounts: ["openid:deputy"] }, "deputy");
    expect((await other.mona.account()).scopes).toEqual(["submit"]);
  });

  it("shares one daily quota with the account's keys", async () => {
    const { mona, byKey } = await signedIn({ dailySampleQuota: 1_000 });
    const keys = await Promise.all(
      [5_000, 10].map(async (dailySamples) => {
        const created = await mona.write("POST", "/v1/account/keys", { name: "job", dailySamples });
        return ((await created.json()) as { key: string }).key;
      }),
    );
    await env.DB.prepare("INSERT INTO usage (key, day, used, allowed) VALUES (?, ?, 4, 1000)")
      .bind(`account:user-${last}`, "2026-11-30")
      .run();
    const usages = await Promise.all([
      mona.send("/v1/usage"),
      ...keys.map((key) => byKey("GET", "/v1/usage", key)),
    ]);
    const left = await Promise.all(usages.map(async (one) => (await one.json()) as object));
    expect(left).toMatchObject(
      [1_000, 1_000, 10].map((allowedSamples) => ({ usedSamples: 4, allowedSamples })),
    );
  });

  it("ends a week after its last use, and 30 days after sign-in", async () => {
    const { mona, state } = await signedIn();
    for (let day = 0; day < 29; day++) {
      state.clock += DAY;
      expect(await statusOf(mona)).toBe(200);
    }
    state.clock += DAY;
    expect(await statusOf(mona)).toBe(401);
    expect(mona.cookies.has(SESSION)).toBe(false);
    const idle = await signedIn();
    idle.state.clock += 7 * DAY;
    expect(await statusOf(idle.mona)).toBe(401);
  });

  it("gets a new token each hour; concurrent requests may still use the old one", async () => {
    const { mona, state, token, browser } = await signedIn();
    const old = token();
    state.clock += HOUR + 1;
    const late = browser();
    late.cookies.set(SESSION, old);
    expect(await statusOf(mona)).toBe(200);
    expect(token()).not.toBe(old);
    state.clock += MINUTE / 2;
    expect(await statusOf(late)).toBe(200);
    expect(late.cookies.get(SESSION)).toBe(old);
  });

  it("ends if a replaced token is used after its successor, since one was stolen", async () => {
    const { mona, state, token, browser } = await signedIn();
    const thief = browser();
    thief.cookies.set(SESSION, token());
    state.clock += HOUR + 1;
    expect(await statusOf(mona)).toBe(200);
    expect(await statusOf(mona)).toBe(200);
    state.clock += 2 * MINUTE;
    expect(await statusOf(thief)).toBe(401);
    expect(await statusOf(mona)).toBe(401);
  });

  it("continues if the reply with its new token was lost", async () => {
    const { mona, state, token } = await signedIn();
    const old = token();
    state.clock += HOUR + 1;
    await statusOf(mona);
    mona.cookies.set(SESSION, old);
    state.clock += 10 * MINUTE;
    expect(await statusOf(mona)).toBe(200);
    expect(token()).not.toBe(old);
    expect(await statusOf(mona)).toBe(200);
  });

  it("gets its new token with a 304, too", async () => {
    const { mona, state, token } = await signedIn();
    const etag = (await mona.send("/v1/account")).headers.get("etag") ?? "";
    const old = token();
    state.clock += HOUR + 1;
    const again = await mona.send("/v1/account", { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
    expect(token()).not.toBe(old);
  });

  it("is listed with its browser, and is ended alone or with all others", async () => {
    const { mona, browser } = await signedIn();
    const phone = browser();
    await phone.signIn();
    const list = async () =>
      ((await (await mona.send("/v1/account/sessions")).json()) as { sessions: Session[] })
        .sessions;
    const [other] = (await list()).filter(({ isCurrent }) => !isCurrent);
    expect(other?.browser).toBe("Browser 1");
    expect(await list()).toHaveLength(2);
    expect((await mona.write("DELETE", `/v1/account/sessions/${other?.id}`)).status).toBe(200);
    expect(await statusOf(phone)).toBe(401);
    await phone.signIn();
    expect(await (await mona.write("DELETE", "/v1/account/sessions/all")).json()).toEqual({
      ended: 2,
    });
    expect([await statusOf(mona), await statusOf(phone)]).toEqual([401, 401]);
  });

  it("of another account can't be ended", async () => {
    const { mona } = await signedIn();
    const other = await signedIn();
    const { sessions } = (await (await other.mona.send("/v1/account/sessions")).json()) as {
      sessions: Session[];
    };
    const ended = await mona.write("DELETE", `/v1/account/sessions/${sessions[0]?.id}`);
    expect(ended.status).toBe(404);
    expect(await statusOf(other.mona)).toBe(200);
  });

  it("is never set by a reply that shared caches keep", async () => {
    const { mona, state } = await signedIn();
    state.clock += HOUR + 1;
    const reply = await mona.send("/v1/suites");
    const [cookie, mark] = reply.headers.getSetCookie();
    expect(cookie).toContain(SESSION);
    // Scripts can read only this cookie.
    expect(mark).toMatch(/^__Host-assay-signed-in=1; Max-Age=\d+; Path=\/; Secure; SameSite=Lax$/);
    expect(reply.headers.get("cache-control")).toContain("private");
  });
});

describe("a write by a session is refused", () => {
  const key = { name: "job" };

  it.each([
    ["without its token", { "x-csrf-token": "" }],
    ["with another token", { "x-csrf-token": "guess" }],
    ["from another site", { origin: "https://evil.example" }],
    ["from a sibling domain", { origin: "https://evil.assay.test" }],
    ["from a frame without an origin", { origin: "null" }],
  ])("%s", async (_, headers) => {
    const { mona } = await signedIn();
    const created = await mona.write("POST", "/v1/account/keys", key, headers);
    expect(created.status).toBe(403);
    expect(await (await mona.send("/v1/account/keys")).json()).toEqual({ keys: [] });
  });

  it("without an origin or sec-fetch-site header", async () => {
    const { mona } = await signedIn();
    const { csrfToken } = await mona.account();
    const headers = { "x-csrf-token": csrfToken ?? "", "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(key) };
    expect((await mona.send("/v1/account/keys", init)).status).toBe(403);
  });

  it("with the token of another session", async () => {
    const { mona } = await signedIn();
    const other = await signedIn();
    const { csrfToken } = await other.mona.account();
    const headers = { "x-csrf-token": csrfToken ?? "" };
    expect((await mona.write("POST", "/v1/account/keys", key, headers)).status).toBe(403);
  });
});

describe("an account's own keys", () => {
  it("are shown once, listed, used and revoked", async () => {
    const { mona, byKey } = await signedIn();
    const wanted = { name: "job", scopes: ["rate", "submit"], expiresAt: "2027-01-31T00:00:00Z" };
    const created = await mona.write("POST", "/v1/account/keys", wanted);
    expect(created.status).toBe(201);
    expect(created.headers.get("cache-control")).toBe("no-store");
    const { key, id } = (await created.json()) as { key: string; id: string };
    const listed = await (await mona.send("/v1/account/keys")).text();
    expect(listed).toContain(id);
    expect(listed).not.toContain(key);
    const who = await (await byKey("GET", "/v1/account", key)).json();
    expect(who).toMatchObject({ owner: `user-${last}`, keyId: id, csrfToken: null });
    expect((await mona.write("DELETE", `/v1/account/keys/${id}`)).status).toBe(200);
    expect((await byKey("GET", "/v1/account", key)).status).toBe(401);
  });

  it.each([
    ["an admin's scope", { scopes: ["admin"] }, 422],
    ["another owner", { owner: "acme" }, 422],
    ["a past expiry", { expiresAt: "2020-01-01T00:00:00Z" }, 422],
  ])("are not made with %s", async (_, more, status) => {
    const { mona } = await signedIn();
    const created = await mona.write("POST", "/v1/account/keys", { name: "job", ...more });
    expect(created.status).toBe(status);
  });

  it("can't make keys or see sessions, and can revoke only themselves", async () => {
    const { mona, byKey } = await signedIn();
    const keys = await Promise.all(
      ["a", "b"].map(async (name) => {
        const created = await mona.write("POST", "/v1/account/keys", { name });
        return (await created.json()) as { key: string; id: string };
      }),
    );
    const [{ key, id }, other] = keys as [(typeof keys)[0], (typeof keys)[0]];
    expect((await byKey("POST", "/v1/account/keys", key, { name: "c" })).status).toBe(403);
    expect((await byKey("GET", "/v1/account/sessions", key)).status).toBe(403);
    expect((await byKey("DELETE", `/v1/account/keys/${other.id}`, key)).status).toBe(403);
    expect((await byKey("DELETE", `/v1/account/keys/${id}`, key)).status).toBe(200);
    expect((await byKey("GET", "/v1/account", key)).status).toBe(401);
  });

  it("of another account can't be revoked", async () => {
    const { mona, byKey } = await signedIn();
    const created = await byKey("POST", "/v1/keys", operatorSecret, { owner: "acme", name: "job" });
    const { id } = (await created.json()) as { id: string };
    expect((await mona.write("DELETE", `/v1/account/keys/${id}`)).status).toBe(404);
  });

  it("are at most 50, also when made concurrently", async () => {
    const { mona } = await signedIn();
    const created = Array.from({ length: 52 }, (_, i) =>
      mona.write("POST", "/v1/account/keys", { name: `${i}` }),
    );
    const statuses = (await Promise.all(created)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(50).fill(201), 409, 409]);
  });
});
