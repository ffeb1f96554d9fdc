import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { mayRead, ownersOf, readerOf } from "../../../api/keys/account.ts";
import type { Member } from "../../../shared/contracts/keys/organisation.ts";
import type { Share } from "../../../shared/contracts/keys/share.ts";
import type { AuditEntry } from "../../../shared/contracts/operator/audit.ts";
import type { Submission } from "../../../shared/contracts/submissions/submission.ts";
import { aSubmission, problemOf } from "../support/client.ts";
import { relayDataset } from "../support/harness.ts";
import { operatorSecret, signInService } from "../support/sign-in-service.ts";

let last = 200_000;
const DAY = 86_400_000;

/** An organisation with its admin Mona, and functions to sign in and invite others. */
async function acme() {
  const rig = signInService();
  const owner = `acme-${++last}`;
  const person = async () => {
    const login = `person-${++last}`;
    rig.provider.state.person = { id: last, login };
    const browser = rig.browser();
    await browser.signIn();
    return { ...browser, login };
  };
  const mona = await person();
  const created = await mona.write("POST", "/v1/organisations", { owner, name: "Acme GmbH" });
  expect(created.status).toBe(201);
  const path = `/v1/organisations/${owner}`;
  const invite = async (body: object = {}) => {
    const invited = await mona.write("POST", `${path}/invitations`, body);
    const { link, id } = (await invited.json()) as { link: string; id: string };
    return { token: link.split("#invitation=")[1] ?? "", id, link };
  };
  type Somebody = Awaited<ReturnType<typeof person>>;
  const accept = (who: Somebody, token: string) =>
    who.write("POST", "/v1/invitation/accept", undefined, { "x-invitation": token });
  /** A person who joined with a role. */
  const member = async (role: string) => {
    const who = await person();
    expect((await accept(who, (await invite({ role })).token)).status).toBe(200);
    return who;
  };
  const acting = { "x-assay-owner": owner };
  const as = (who: Somebody, method: string, at: string, body?: unknown) =>
    method === "GET" ? who.send(at, { headers: acting }) : who.write(method, at, body, acting);
  const members = async () => {
    const listed = await mona.send(`${path}/members`);
    return ((await listed.json()) as { members: Member[] }).members;
  };
  return { ...rig, owner, path, mona, person, invite, accept, member, as, members };
}

describe("an organisation", () => {
  it("is an owner for which its members' sessions act, and keys made in these", async () => {
    const { owner, member, as, byKey } = await acme();
    const jo = await member("submit");
    expect(await (await as(jo, "GET", "/v1/usage")).json()).toMatchObject({ owner });
    expect((await jo.account()).owner).toBe(jo.login);
    const created = await as(jo, "POST", "/v1/account/keys", { name: "ci" });
    const { key, createdBy } = (await created.json()) as { key: string; createdBy: string };
    expect(createdBy).toBe(jo.login);
    expect(await (await byKey("GET", "/v1/account", key)).json()).toMatchObject({ owner });
  });

  it("can't have a name that is taken, reserved or similar to one", async () => {
    const { owner, mona } = await acme();
    for (const name of [owner, owner.replace("-", "."), "admin", mona.login]) {
      const created = await mona.write("POST", "/v1/organisations", { owner: name, name: "X" });
      expect([name, created.status]).toEqual([name, 409]);
    }
  });

  it("is one of twenty per person at most, also when created or joined concurrently", async () => {
    const { mona, invite, person, accept } = await acme();
    const names = Array.from({ length: 21 }, () => `acme-${++last}`);
    const make = (owner: string) =>
      mona.write("POST", "/v1/organisations", { owner, name: "Acme" });
    const made = await Promise.all(names.map(make));
    const refused = made.filter(({ status }) => status !== 201);
    expect(refused.map(({ status }) => status)).toEqual([409, 409]);
    expect((await problemOf(refused[0]!)).detail).toContain("at most 20 organisations");

    const jo = await person();
    for (let i = 0; i < 19; i++) {
      const owner = `acme-${++last}`;
      await jo.write("POST", "/v1/organisations", { owner, name: "Jo" });
    }
    const tokens = [(await invite()).token, (await (await acme()).invite()).token];
    const joined = await Promise.all(tokens.map((token) => accept(jo, token)));
    expect(joined.map(({ status }) => status).sort()).toEqual([200, 409]);
    // The refused invitation stays valid.
    const left = tokens[joined.findIndex(({ status }) => status === 409)] ?? "";
    const shown = await jo.send("/v1/invitation", { headers: { "x-invitation": left } });
    expect(shown.status).toBe(200);
  });

  it("is created and changed once if the store's replies are lost", async () => {
    const { platform, mona, path, invite, accept, member, person, members } = await acme();
    const { organisations } = platform;
    const calls = Object.entries(organisations) as [string, (...given: unknown[]) => unknown][];
    const twice = calls.map(([name, call]) => [
      name,
      async (...given: unknown[]) => {
        await call(...given);
        return call(...given);
      },
    ]);
    platform.organisations = Object.fromEntries(twice) as typeof organisations;

    const made = { owner: `acme-${++last}`, name: "Acme" };
    expect((await mona.write("POST", "/v1/organisations", made)).status).toBe(201);
    const jo = await member("submit");
    const changes = [
      accept(await person(), (await invite()).token),
      mona.write("DELETE", `${path}/invitations/${(await invite()).id}`),
      mona.write("PATCH", `${path}/members/${jo.login}`, { role: "read" }),
    ];
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await mona.write("DELETE", `${path}/members/${jo.login}`)).status).toBe(200);
    expect(await members()).toHaveLength(2);
    const { invitations } = await (await mona.send(`${path}/invitations`)).json<{
      invitations: unknown[];
    }>();
    expect(invitations).toEqual([]);
  });

  it("shows its private data only to its members", async () => {
    const { owner, member, person, platform } = await acme();
    const { sessionOf } = await import("../../../api/accounts/sessions.ts");
    const readerBy = async (who: { cookies: Map<string, string> }) => {
      const token = who.cookies.get("__Host-assay-session") ?? "";
      return readerOf((await sessionOf(platform, token))?.account ?? null);
    };
    const [reader, stranger] = [
      await readerBy(await member("read")),
      await readerBy(await person()),
    ];
    expect([mayRead(reader, owner), mayRead(stranger, owner)]).toEqual([true, false]);
    expect(ownersOf(reader)).toContain(owner);
    expect(mayRead(readerOf(null), owner)).toBe(false);
  });

  it("does not let strangers see or change its members, or act for it", async () => {
    const { path, person, as } = await acme();
    const eve = await person();
    expect((await eve.send(`${path}/members`)).status).toBe(404);
    expect((await eve.write("POST", `${path}/invitations`, {})).status).toBe(404);
    expect((await eve.write("DELETE", `${path}/members/${eve.login}`)).status).toBe(404);
    expect((await as(eve, "GET", "/v1/account")).status).toBe(403);
    expect((await as(eve, "POST", "/v1/account/keys", { name: "x" })).status).toBe(403);
  });

  it("is managed with a key that an admin made by a program's sign-in, and with no other key", async () => {
    const { owner, path, mona, as, byKey, person, accept, platform } = await acme();
    const { createApiKey } = await import("../../../api/keys/make-key.ts");
    const login = (who: string, by: string | null, account = who) =>
      createApiKey(platform, { owner: account, name: "login", scopes: ["organisations"] }, by);
    const { key } = await login(mona.login, mona.login);
    expect(await (await byKey("GET", "/v1/organisations", key)).json()).toMatchObject({
      organisations: [{ owner, role: "admin" }],
    });
    const invited = await byKey("POST", `${path}/invitations`, key, { role: "read" });
    const { link } = (await invited.json()) as { link: string };
    const jo = await person();
    expect((await accept(jo, link.split("#invitation=")[1] ?? "")).status).toBe(200);
    const change = { role: "submit" };
    const of = (who: string) => `${path}/members/${who}`;
    expect((await byKey("PATCH", of(jo.login), key, change)).status).toBe(200);
    // A key has no more rights than its person's role.
    const joKey = (await login(jo.login, jo.login)).key;
    expect((await byKey("DELETE", of(mona.login), joKey)).status).toBe(403);
    const created = await as(mona, "POST", "/v1/account/keys", { name: "ci" });
    const ofOperator = await login(mona.login, null);
    for (const other of [((await created.json()) as { key: string }).key, ofOperator.key]) {
      expect((await byKey("GET", `${path}/members`, other)).status).toBe(403);
      expect((await byKey("POST", "/v1/organisations", other, {})).status).toBe(403);
    }
    const wanted = { name: "x", scopes: ["organisations"] };
    expect((await mona.write("POST", "/v1/account/keys", wanted)).status).toBe(422);
    expect((await byKey("DELETE", of(jo.login), key)).status).toBe(200);
  });

  it("lets no reader submit, and only admins manage it", async () => {
    const { path, member, as, mona } = await acme();
    const [reader, submitter] = [await member("read"), await member("submit")];
    expect((await as(reader, "POST", "/v1/submissions", {})).status).toBe(403);
    expect((await as(reader, "POST", "/v1/account/keys", { name: "x" })).status).toBe(403);
    expect((await as(submitter, "POST", "/v1/submissions", {})).status).toBe(422);
    for (const who of [reader, submitter]) {
      expect((await who.write("POST", `${path}/invitations`, {})).status).toBe(403);
      const role = { role: "admin" };
      expect((await who.write("PATCH", `${path}/members/${who.login}`, role)).status).toBe(403);
      expect((await who.write("DELETE", `${path}/members/${mona.login}`)).status).toBe(403);
    }
  });

  it("revokes the keys of a removed member, and keeps keys of others", async () => {
    const { path, member, as, mona, byKey } = await acme();
    const jo = await member("submit");
    const keys = await Promise.all(
      [jo, mona].map(async (who) => {
        const created = await as(who, "POST", "/v1/account/keys", { name: "ci" });
        return (await created.json()) as { key: string; id: string };
      }),
    );
    expect((await as(jo, "DELETE", `/v1/account/keys/${keys[1]?.id}`)).status).toBe(403);
    expect((await mona.write("DELETE", `${path}/members/${jo.login}`)).status).toBe(200);
    const statuses = await Promise.all(
      keys.map(async ({ key }) => (await byKey("GET", "/v1/account", key)).status),
    );
    expect(statuses).toEqual([401, 200]);
    expect((await as(jo, "GET", "/v1/account")).status).toBe(403);
  });

  it("revokes the links of members who may no longer submit, and keeps links of others", async () => {
    const { platform, path, member, as, mona, person } = await acme();
    const wanted = { ...aSubmission(await relayDataset(platform, 1)), visibility: "private" };
    const submitted = await as(mona, "POST", "/v1/submissions", wanted);
    const run = ((await submitted.json()) as Submission).runs[0]?.id;
    const [jo, kim] = [await member("submit"), await member("submit")];
    const tokenOf = async (who: typeof jo) => {
      const created = await as(who, "POST", `/v1/runs/${run}/shares`, {});
      return ((await created.json()) as { token: string }).token;
    };
    const tokens = [await tokenOf(jo), await tokenOf(kim), await tokenOf(mona)];
    const stranger = await person();
    const opened = async () => {
      const replies = tokens.map((token) =>
        stranger.send(`/v1/runs/${run}`, { headers: { "assay-share": token } }),
      );
      return (await Promise.all(replies)).map(({ status }) => status);
    };
    expect(await opened()).toEqual([200, 200, 200]);
    await mona.write("PATCH", `${path}/members/${jo.login}`, { role: "admin" });
    expect(await opened()).toEqual([200, 200, 200]);
    await mona.write("PATCH", `${path}/members/${jo.login}`, { role: "read" });
    await mona.write("DELETE", `${path}/members/${kim.login}`);
    expect(await opened()).toEqual([404, 404, 200]);
  });

  it("lets its admins see and revoke the links of members, by session or by key", async () => {
    const { platform, owner, path, member, as, mona, byKey, person } = await acme();
    const wanted = { ...aSubmission(await relayDataset(platform, 1)), visibility: "private" };
    const [jo, kim, eve] = [await member("submit"), await member("submit"), await person()];
    const submitted = await as(jo, "POST", "/v1/submissions", wanted);
    const run = ((await submitted.json()) as Submission).runs[0]?.id;
    const link = async () => {
      const created = await as(jo, "POST", `/v1/runs/${run}/shares`, {});
      expect(created.status).toBe(201);
      return ((await created.json()) as Share).id;
    };
    const links = [await link(), await link(), await link(), await link()];
    const { createApiKey } = await import("../../../api/keys/make-key.ts");
    const scopes = ["submit", "organisations"] as const;
    const grant = { owner: mona.login, name: "login", scopes: [...scopes] };
    const { key } = await createApiKey(platform, grant, mona.login);
    const lesser = await createApiKey(platform, { ...grant, scopes: ["submit"] }, mona.login);
    const at = (id = "") => `/v1/shares/${id}`;
    const listed = `/v1/shares?owner=${owner}`;
    for (const who of [jo, kim, eve]) {
      expect((await who.write("DELETE", at(links[0]))).status).toBe(404);
      expect((await who.send(listed)).status).toBe(403);
    }
    expect((await byKey("DELETE", at(links[0]), lesser.key)).status).toBe(404);
    expect((await byKey("GET", listed, lesser.key)).status).toBe(403);
    for (const seen of [await mona.send(listed), await byKey("GET", listed, key)]) {
      const { shares } = (await seen.json()) as { shares: Share[] };
      expect(shares.map((one) => [one.id, one.createdBy])).toEqual(
        links
          .toSorted()
          .toReversed()
          .map((id) => [id, jo.login]),
      );
    }
    const revoked = [
      await as(mona, "DELETE", at(links[0])),
      await mona.write("DELETE", at(links[1])),
      await byKey("DELETE", at(links[2]), key),
      await byKey("DELETE", at(links[3]), operatorSecret),
    ];
    expect(revoked.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const log = await byKey("GET", `/v1/operator/audit?target=${links[1]}`, operatorSecret);
    const { entries } = (await log.json()) as { entries: AuditEntry[] };
    const opened = { owner, kind: "run", runs: [run] };
    expect(entries).toMatchObject([
      { action: "share.revoke", actor: mona.login, before: opened },
      { action: "share.create", actor: jo.login, after: opened },
    ]);
    await mona.write("PATCH", `${path}/members/${jo.login}`, { role: "admin" });
    await jo.write("PATCH", `${path}/members/${mona.login}`, { role: "read" });
    expect((await byKey("GET", listed, key)).status).toBe(403);
  });

  it("shares the quota of its creator with the creator's other organisations", async () => {
    const { platform, owner, member, as, mona } = await acme();
    platform.settings = { ...platform.settings, dailySampleQuota: 10 };
    const jo = await member("submit");
    const dataset = await relayDataset(platform, 4);
    const submission = { ...aSubmission(dataset), visibility: "private" };
    const second = `second-${owner}`;
    await mona.write("POST", "/v1/organisations", { owner: second, name: "Second" });
    const statuses = [
      (await mona.write("POST", "/v1/submissions", submission)).status,
      (await as(jo, "POST", "/v1/submissions", submission)).status,
      (await mona.write("POST", "/v1/submissions", submission, { "x-assay-owner": second })).status,
      (await jo.write("POST", "/v1/submissions", submission)).status,
    ];
    expect(statuses).toEqual([202, 202, 429, 202]);
    const usage = await as(jo, "GET", "/v1/usage");
    expect(await usage.json()).toMatchObject({
      owner,
      usedSamples: 8,
      remainingSamples: 2,
      // Members do not see the creator's other organisations.
      sharedWith: [mona.login],
    });
    const own = (await (await mona.send("/v1/usage")).json()) as { sharedWith: string[] };
    expect(own.sharedWith.toSorted()).toEqual([owner, second].toSorted());
  });

  it("gives no key to a program that a removed member approved before", async () => {
    const { path, member, as, mona, browser } = await acme();
    const jo = await member("submit");
    const started = await browser().send("/v1/device?name=x", { method: "POST" });
    const { deviceCode, userCode } = (await started.json()) as Record<string, string>;
    const approved = await as(jo, "POST", `/v1/device/${userCode}`, { approve: true });
    expect(approved.status).toBe(200);
    await mona.write("DELETE", `${path}/members/${jo.login}`);
    const headers = { "x-device-code": deviceCode ?? "" };
    const asked = await browser().send("/v1/device/key", { method: "POST", headers });
    expect(asked.status).toBe(403);
  });

  it("has webhooks that are set active only with a key", async () => {
    const { member, as, byKey } = await acme();
    const jo = await member("submit");
    const webhook = { url: "https://hooks.example/x", events: ["run.finished"] };
    const created = await as(jo, "POST", "/v1/webhooks", webhook);
    expect([created.status, await created.text()]).toEqual([
      403,
      expect.stringContaining("make a key"),
    ]);
    const key = (await (await as(jo, "POST", "/v1/account/keys", { name: "ci" })).json()) as {
      key: string;
    };
    const hook = (await (await byKey("POST", "/v1/webhooks", key.key, webhook)).json()) as {
      id: string;
    };
    const change = (body: object) => as(jo, "PATCH", `/v1/webhooks/${hook.id}`, body);
    for (const body of [{ status: "active" }, { url: "https://hooks.example/y" }]) {
      expect((await change(body)).status).toBe(403);
    }
    expect((await change({ status: "paused" })).status).toBe(200);
    const active = { status: "active" };
    const set = await byKey("PATCH", `/v1/webhooks/${hook.id}`, key.key, active);
    expect(set.status).toBe(200);
  });

  it("always has an admin, and is handed over by changing roles", async () => {
    const { path, member, mona } = await acme();
    const gone = `${path}/members/${mona.login}`;
    expect((await mona.write("DELETE", gone)).status).toBe(409);
    expect((await mona.write("PATCH", gone, { role: "read" })).status).toBe(409);
    const jo = await member("submit");
    const promoted = await mona.write("PATCH", `${path}/members/${jo.login}`, { role: "admin" });
    expect(promoted.status).toBe(200);
    expect((await jo.write("DELETE", gone)).status).toBe(200);
    expect((await mona.send(`${path}/members`)).status).toBe(404);
    expect((await jo.write("DELETE", `${path}/members/${jo.login}`)).status).toBe(409);
    const left = (await (await jo.send(`${path}/members`)).json()) as { members: Member[] };
    expect(left.members).toMatchObject([{ role: "admin" }]);
  });
});

describe("an invitation", () => {
  it("is accepted once, by anyone with the link", async () => {
    const { invite, accept, person, members } = await acme();
    const { token, link } = await invite({ role: "read" });
    expect(link).toMatch(/^https:\/\/assay\.test\/account\/organisations\/#invitation=[\w-]{43}$/);
    const stored = await env.DB.prepare("SELECT * FROM invitations").all();
    expect(JSON.stringify(stored.results)).not.toContain(token);
    const [jo, eve] = [await person(), await person()];
    const shown = await jo.send("/v1/invitation", { headers: { "x-invitation": token } });
    expect(await shown.json()).toMatchObject({ role: "read", person: null });
    expect((await accept(jo, token)).status).toBe(200);
    expect((await accept(eve, token)).status).toBe(404);
    expect((await members()).map((one) => [one.person, one.role])).toContainEqual([
      jo.login,
      "read",
    ]);
  });

  it("for one account is not accepted by another", async () => {
    const { invite, accept, person } = await acme();
    const [jo, eve] = [await person(), await person()];
    const { token } = await invite({ person: jo.login });
    expect((await accept(eve, token)).status).toBe(404);
    expect((await accept(jo, token)).status).toBe(200);
  });

  it("expires or is revoked", async () => {
    const { invite, accept, person, state, mona, path } = await acme();
    const jo = await person();
    const [late, revoked] = [await invite({ days: 1 }), await invite()];
    const taken = await mona.write("DELETE", `${path}/invitations/${revoked.id}`);
    expect(taken.status).toBe(200);
    expect((await accept(jo, revoked.token)).status).toBe(404);
    state.clock += DAY;
    expect((await accept(jo, late.token)).status).toBe(404);
  });

  it("is one of a hundred at most, also when made concurrently", async () => {
    const { mona, path } = await acme();
    const all = Array.from({ length: 102 }, () => mona.write("POST", `${path}/invitations`, {}));
    const refused = (await Promise.all(all)).filter(({ status }) => status !== 201);
    expect(refused.map(({ status }) => status)).toEqual([409, 409]);
    expect((await problemOf(refused[0]!)).detail).toContain("100 open invitations");
  });

  it("is invalid once its author is no longer an admin", async () => {
    const { path, member, mona, accept, person } = await acme();
    const jo = await member("admin");
    const created = await jo.write("POST", `${path}/invitations`, { role: "admin", days: 30 });
    const { link } = (await created.json()) as { link: string };
    expect((await mona.write("DELETE", `${path}/members/${jo.login}`)).status).toBe(200);
    for (const who of [jo, await person()]) {
      expect((await accept(who, link.split("#invitation=")[1] ?? "")).status).toBe(404);
    }
  });

  it("does not lower a member's role", async () => {
    const { invite, accept, mona, members } = await acme();
    expect((await accept(mona, (await invite({ role: "read" })).token)).status).toBe(200);
    expect(await members()).toMatchObject([{ role: "admin" }]);
  });
});

it("a service without sign-in refuses to create organisations, with that reason", async () => {
  const { platform, byKey } = signInService();
  Object.assign(platform, { identityProviders: [] });
  const body = { owner: "nobodys", name: "Nobody's" };
  const reply = await byKey("POST", "/v1/organisations", operatorSecret, body);
  expect(reply.status).toBe(403);
  expect((await problemOf(reply)).detail).toMatch(/sign-in is not set up here/);
});
