import { env } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/d1";
import { describe, expect, it } from "vitest";
import { members } from "../../../api/accounts/schema.ts";
import { planLimits } from "../../../api/platform/platform.ts";
import { problemOf } from "../support/client.ts";
import { countedQueries } from "../support/counted-queries.ts";
import { operatorSecret, signInService } from "../support/sign-in-service.ts";

/** Signed-in people, with functions to create and join organisations and to delete accounts. */
async function people(more: Parameters<typeof signInService>[0] = {}, ...logins: string[]) {
  const rig = signInService(more);
  const number = Math.floor(Math.random() * 1e9);
  const signIn = async (login: string, id: number) => {
    rig.provider.state.person = { id, login };
    const browser = rig.browser();
    await browser.signIn();
    return { ...browser, id, login: (await browser.account()).owner };
  };
  const signedIn: Awaited<ReturnType<typeof signIn>>[] = [];
  for (const [i, login] of logins.entries()) signedIn.push(await signIn(login, number + i));
  const [mona] = signedIn;
  const create = (owner: string) =>
    mona!.write("POST", "/v1/organisations", { owner, name: "The organisation" });
  const join = (owner: string, person: string, role: "admin" | "submit", addedAt = 9) =>
    drizzle(env.DB).insert(members).values({ owner, person, role, addedAt, addedBy: "x" });
  const erase = (who: (typeof signedIn)[number], owner = who.login) =>
    who.write("DELETE", `/v1/account?confirm=${owner}`, undefined, { "x-assay-owner": owner });
  return { ...rig, signIn, signedIn, create, join, erase };
}

const entry = (more: object) => ({
  at: 1,
  id: crypto.randomUUID(),
  actor: "operator",
  keyId: null,
  action: "DELETE",
  target: "t",
  reason: null,
  before: null,
  after: null,
  status: 200,
  requestId: "r",
  ...more,
});

describe("the deletion of a person or organisation", () => {
  it("requires a session, not a key; for an organisation, an admin's session", async () => {
    const { signedIn, create, join, erase, byKey } = await people({}, "ada", "joe");
    const [ada, joe] = [signedIn[0]!, signedIn[1]!];
    await create("adas-tools");
    await join("adas-tools", joe.login, "submit");
    const reply = await ada.write("POST", "/v1/account/keys", { name: "ci" });
    const { key } = (await reply.json()) as { key: string };
    expect((await byKey("DELETE", `/v1/account?confirm=${ada.login}`, key)).status).toBe(403);
    expect((await byKey("GET", "/v1/account/export", key)).status).toBe(200);
    const acting = { "x-assay-owner": "adas-tools" };
    const retention = ["PUT", "/v1/account/retention", { rules: [] }] as const;
    expect((await ada.write(...retention)).status).toBe(200);
    expect((await ada.write(...retention, acting)).status).toBe(200);
    expect((await joe.write(...retention, acting)).status).toBe(403);
    const created = await ada.write("POST", "/v1/account/keys", { name: "ci" }, acting);
    const organisationKey = ((await created.json()) as { key: string }).key;
    expect((await byKey("GET", "/v1/account/export", organisationKey)).status).toBe(403);
    expect((await ada.send("/v1/account/export", { headers: acting })).status).toBe(200);
    expect((await problemOf(await erase(joe, "adas-tools"))).detail).toContain("only admins of");
    const alone = await problemOf(await erase(ada));
    expect(alone.detail).toContain("the only admin of adas-tools");
    expect((await erase(ada, "adas-tools")).status).toBe(202);
    expect((await erase(ada)).status).toBe(202);
  });

  it("starts within the queries of one invocation on the Free plan", async () => {
    const { platform, state, signedIn, create, erase } = await people({}, "quinn");
    const { count, stores } = countedQueries();
    const names = [
      "accounts",
      "organisations",
      "deletions",
      "bans",
      "audit",
      "publications",
    ] as const;
    for (const name of names) Object.assign(platform, { [name]: stores[name] });
    await create("quinns-tools");
    for (const owner of ["quinns-tools", "quinn"]) {
      // The session gets a new token.
      state.clock += 2 * 3_600_000;
      count.queries = 0;
      expect((await erase(signedIn[0]!, owner)).status).toBe(202);
      expect(count.queries).toBeGreaterThan(40);
      expect(count.queries).toBeLessThan(planLimits.free.queries);
    }
  });

  it("resets neither the daily quota nor a ban; without a ban, the person is forgotten after the day", async () => {
    const rig = await people({}, "thrifty");
    const { platform, state } = rig;
    const [one] = rig.signedIn;
    const day = "2026-11-30";
    await env.DB.batch([
      env.DB.prepare("INSERT INTO usage VALUES (?1, ?2, 70, 100)").bind("account:thrifty", day),
      env.DB.prepare("INSERT INTO judge_spend VALUES (?1, 'thrifty', 'j', 1, 1, 1, 0.5, 0)").bind(
        day,
      ),
    ]);
    expect((await rig.erase(one!)).status).toBe(202);
    const again = await rig.signIn("thrifty", one!.id);
    expect(again.login).toBe("thrifty-github");
    const usage = await (await again.send("/v1/usage")).json();
    expect(usage).toMatchObject({ usedSamples: 70, usedJudgeUsd: 0.5 });
    const ban = { owner: again.login, reason: "spam", by: "operator", at: 1 };
    await platform.bans.put(ban);
    const query = `?confirm=${again.login}`;
    const path = `/v1/operator/accounts/${again.login}${query}`;
    expect((await rig.byKey("DELETE", path, operatorSecret)).status).toBe(202);
    const identities = async () => {
      const { results } = await env.DB.prepare(
        "SELECT identity, used, banned FROM deletions WHERE identity IS NOT NULL",
      ).all();
      return results;
    };
    for (const { hash } of await platform.deletions.open(99))
      await platform.deletions.finish(hash, 1);
    state.clock += 24 * 3_600_000;
    await platform.deletions.forgetUsage("2026-12-01");
    expect(await identities()).toMatchObject([{ used: null, banned: "spam" }]);
    rig.provider.state.person = { id: one!.id, login: "thrifty" };
    const third = rig.browser();
    await third.signIn();
    const refused = await third.send("/v1/usage");
    expect([refused.status, (await problemOf(refused)).detail]).toEqual([
      403,
      expect.stringContaining("is banned (spam)"),
    ]);
    expect(await identities()).toEqual([]);
  });

  it("is refused for admins of the service, whom its audit log names", async () => {
    const { signedIn, erase } = await people({ adminAccounts: ["github:chief"] }, "chief");
    const refused = await erase(signedIn[0]!);
    expect([refused.status, (await problemOf(refused)).detail]).toEqual([
      409,
      expect.stringContaining("ADMIN_ACCOUNTS"),
    ]);
  });

  it("keeps one of two admins who delete their accounts at the same time", async () => {
    const { signedIn, create, join, erase, platform } = await people({}, "first", "second");
    await create("two-admins");
    await join("two-admins", signedIn[1]!.login, "admin");
    const onlyAdminOf = platform.deletions.onlyAdminOf;
    // Both deletions are planned before one is carried out.
    let plans = 0;
    platform.deletions.onlyAdminOf = async (person) =>
      ++plans <= 2 ? [] : await onlyAdminOf(person);
    const both = await Promise.all([erase(signedIn[0]!), erase(signedIn[1]!)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([202, 409]);
    expect(await platform.organisations.membersOf("two-admins")).toHaveLength(1);
  });

  it("charges an organisation to its longest-serving admin when its creator deletes the account or leaves", async () => {
    const { signedIn, create, join, erase, platform } = await people({}, "maker", "next", "last");
    const [maker, next, last] = signedIn.map(({ login }) => login);
    for (const owner of ["made", "left"]) {
      await create(owner);
      await join(owner, last!, "admin", 9e15);
      await join(owner, next!, "admin", 8e15);
    }
    await signedIn[0]!.write("DELETE", `/v1/organisations/left/members/${maker}`);
    expect((await platform.accounts.byOwner("left"))?.createdBy).toBe(next);
    expect((await erase(signedIn[0]!)).status).toBe(202);
    expect((await platform.accounts.byOwner("made"))?.createdBy).toBe(next);
  });

  it("changes nothing but the name in audit entries of others", async () => {
    const { signedIn, create, erase, platform } = await people({}, "zoe");
    expect((await create("runs")).status).toBe(409);
    expect((await create("state")).status).toBe(201);
    const untouched = [
      entry({
        target: "/v1/boards/state/republish",
        reason: "a misstated and state-of-the-art run",
      }),
      entry({ after: { report: "rep_1", state: "state", quotas: { state: 1 } } }),
      entry({ action: "key.approve", target: "state", after: { owner: "bob", person: "bob" } }),
      entry({ before: { owner: "interstate", visibility: "public", model: "interstate/state" } }),
    ];
    const changed = [
      entry({ target: "/v1/operator/accounts/state/quotas", reason: "asked by state." }),
      entry({ before: { owner: "state", visibility: "public", model: "state/m" } }),
      entry({ after: { rules: [{ dataset: "state/data", answerDays: 3 }] } }),
    ];
    for (const one of [...untouched, ...changed]) await platform.audit.add(one);
    expect((await erase(signedIn[0]!, "state")).status).toBe(202);
    const names = { owner: "state", alias: "deleted-1" };
    await platform.deletions.dropNames(names, 1);
    const stored = await platform.audit.list(
      { actor: "operator", target: null, since: null },
      { after: null, limit: 50 },
    );
    const now = (all: { id: string }[]) => all.map(({ id }) => stored.find((one) => one.id === id));
    expect(now(untouched)).toEqual(untouched);
    expect(now(changed)).toMatchObject([
      { target: "/v1/operator/accounts/deleted-1/quotas", reason: null },
      { before: { owner: "deleted-1", visibility: "public", model: "deleted-1/m" } },
      { after: { rules: [{ dataset: "deleted-1/data", answerDays: 3 }] } },
    ]);
  });

  it("keeps audit entries about others, without the person's name", async () => {
    const { platform } = await people({}, "tim");
    const [other, own] = [
      entry({
        actor: "tim",
        action: "account.ban",
        target: "spammer",
        reason: "spam",
        after: { banned: "spam" },
      }),
      entry({
        actor: "tim",
        action: "retention.set",
        target: "tim",
        reason: "mine",
        after: { rules: [] },
      }),
    ];
    for (const one of [other, own]) await platform.audit.add(one);
    await platform.deletions.dropNames({ owner: "tim", alias: "deleted-2" }, 1);
    const stored = await platform.audit.list(
      { actor: "deleted-2", target: null, since: null },
      { after: null, limit: 9 },
    );
    const entryOf = (id: string) => stored.find((one) => one.id === id);
    expect(entryOf(other.id)).toMatchObject({
      target: "spammer",
      reason: "spam",
      after: { banned: "spam" },
    });
    expect(entryOf(own.id)).toMatchObject({ target: "deleted-2", reason: null, after: null });
  });
});
